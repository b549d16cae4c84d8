/* polygon.c: cutting ears off polygons (G. H. Meisters, "Polygons have ears", American Mathematical Monthly 82, 1975).
 */
#include "core/scene/files/polygon.h"

#include <math.h>
#include <stdlib.h>

/* A corner in the plane, in the ring of those that are left. */
typedef struct Corner {
    double x, y;
    size_t before, after;
    bool blocked; /* it was no ear, and its neighbours are the same since */
    Vec point, normal;
} Corner;

typedef struct Plane {
    double x, y, z; /* the normal, as long as twice the area */
} Plane;

/* Corner `i` of the polygon that the fan shows. */
static Vec fan_point(const Triangle *fan, size_t i) {
    return i < 2 ? fan[0].points[i] : fan[i - 2].points[2];
}

static Vec fan_normal(const Triangle *fan, size_t i) {
    return i < 2 ? fan[0].normals[i] : fan[i - 2].normals[2];
}

/* The sum of the triangles' planes: it does not depend on which corner is the first. */
static Plane plane_of(const Triangle *fan, size_t count) {
    Plane sum = {0, 0, 0};
    for (size_t i = 0; i < count; i++) {
        const TrianglePlane plane = triangle_plane(&fan[i]);
        sum = (Plane){sum.x + plane.x, sum.y + plane.y, sum.z + plane.z};
    }
    return sum;
}

/* Along the axis from which it looks largest, so that its corners come counterclockwise. */
static void flatten(Plane plane, Vec point, double *x, double *y) {
    const double ax = fabs(plane.x), ay = fabs(plane.y), az = fabs(plane.z);
    const double along = ax > ay && ax > az ? plane.x : ay > az ? plane.y : plane.z;
    *x = ax > ay && ax > az ? point.y : ay > az ? point.z : point.x;
    *y = ax > ay && ax > az ? point.z : ay > az ? point.x : point.y;
    if (along < 0)
        *x = -*x;
}

/* Twice the area of a triangle; above 0 if its corners come counterclockwise. */
static double area(double ax, double ay, double bx, double by, double cx, double cy) {
    return (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
}

/* It never turns right, and goes around once: from left to right and back. */
static bool is_convex(const Triangle *fan, size_t count, Plane plane) {
    const size_t corners = count + 2;
    double x[3] = {0}, y[3] = {0}, way = 0, first_way = 0;
    size_t turns = 0;
    flatten(plane, fan_point(fan, corners - 2), &x[0], &y[0]);
    flatten(plane, fan_point(fan, corners - 1), &x[1], &y[1]);
    for (size_t i = 0; i < corners; i++) {
        flatten(plane, fan_point(fan, i), &x[2], &y[2]);
        if (area(x[0], y[0], x[1], y[1], x[2], y[2]) < 0)
            return false;
        const double step = x[2] - x[1];
        turns += step * way < 0;
        way = step < 0 || step > 0 ? (step > 0 ? 1 : -1) : way;
        first_way = first_way < 0 || first_way > 0 ? first_way : way;
        x[0] = x[1], y[0] = y[1], x[1] = x[2], y[1] = y[2];
    }
    turns += way * first_way < 0;
    return turns <= 2;
}

static bool same_place(const Corner *a, const Corner *b) {
    return a->x <= b->x && a->x >= b->x && a->y <= b->y && a->y >= b->y;
}

/* Whether none of the others lies in the triangle that would be cut off. A corner in the place of one of the triangle's
 * does not count: polygons with holes walk to them and back. */
static bool is_ear(const Corner *ring, size_t at) {
    const Corner *b = &ring[at], *a = &ring[b->before], *c = &ring[b->after];
    if (area(a->x, a->y, b->x, b->y, c->x, c->y) < 0)
        return false;
    for (const Corner *p = &ring[c->after]; p != a; p = &ring[p->after])
        if (!same_place(p, a) && !same_place(p, b) && !same_place(p, c) &&
            area(a->x, a->y, b->x, b->y, p->x, p->y) >= 0 && area(b->x, b->y, c->x, c->y, p->x, p->y) >= 0 &&
            area(c->x, c->y, a->x, a->y, p->x, p->y) >= 0)
            return false;
    return true;
}

static void put(Triangle *to, const Corner *ring, size_t at) {
    const Corner *corners[3] = {&ring[ring[at].before], &ring[at], &ring[ring[at].after]};
    for (int i = 0; i < 3; i++) {
        to->points[i] = corners[i]->point;
        to->normals[i] = corners[i]->normal;
    }
}

/* Moves *at on to an ear; false if none of the `left` corners is one. In a simple polygon a corner becomes an ear only
 * when a neighbour is cut off (O'Rourke 1998, section 1.4). Others are tried once more, RETRIES times in all. */
static bool find_ear(Corner *ring, size_t *at, size_t left, int *retries) {
    for (; *retries >= 0; --*retries) {
        for (size_t tried = 0; tried < left; tried++, *at = ring[*at].after) {
            if (!ring[*at].blocked && is_ear(ring, *at))
                return true;
            ring[*at].blocked = true;
        }
        for (size_t i = 0; i < left; i++, *at = ring[*at].after)
            ring[*at].blocked = false;
    }
    return false;
}

/* False if no corner of those that are left is an ear. */
static bool cut_ears(Corner *ring, Triangle *fan, size_t count) {
    enum { RETRIES = 16 };
    size_t at = 0;
    int retries = RETRIES;
    for (size_t made = 0; made < count; made++) {
        if (!find_ear(ring, &at, count + 2 - made, &retries))
            return false;
        put(&fan[made], ring, at);
        ring[ring[at].before].after = ring[at].after;
        ring[ring[at].after].before = ring[at].before;
        ring[ring[at].before].blocked = ring[ring[at].after].blocked = false;
        at = ring[ring[at].after].after; /* not the next one: triangles become less thin */
    }
    return true;
}

Status polygon_cut(Triangle *fan, size_t count) {
    const Plane plane = plane_of(fan, count);
    const size_t corners = count + 2;
    if (corners < 4 || is_convex(fan, count, plane))
        return STATUS_OK;
    if (corners > POLYGON_CUT_MAX)
        return fail(STATUS_INPUT, "a polygon of %zu corners that is not convex, want %d at most", corners,
                    POLYGON_CUT_MAX);
    Corner *ring = malloc(corners * sizeof *ring);
    if (!ring)
        return fail(STATUS_DEVICE, "no memory for a polygon of %zu corners", corners);
    for (size_t i = 0; i < corners; i++) {
        ring[i] = (Corner){0,
                           0,
                           i > 0 ? i - 1 : corners - 1,
                           i + 1 < corners ? i + 1 : 0,
                           false,
                           fan_point(fan, i),
                           fan_normal(fan, i)};
        flatten(plane, ring[i].point, &ring[i].x, &ring[i].y);
    }
    const bool cut = cut_ears(ring, fan, count);
    free(ring);
    return cut ? STATUS_OK : fail(STATUS_INPUT, "a polygon whose edges cross, want one that they go around once");
}
