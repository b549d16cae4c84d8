/* triangle.h: where rays hit triangles.
 * The ray is turned into the z axis. The triangle is moved and slanted with it. Its edges then have the origin on one
 * side or the other (Woop, Benthin and Wald, Watertight Ray/Triangle Intersection, JCGT 2(1), 2013). Corners that
 * triangles share become the same points for all of them, and the sign of an edge is exact. No ray passes between two
 * triangles. */
#ifndef GLINT_CORE_MATH_TRIANGLE_H
#define GLINT_CORE_MATH_TRIANGLE_H

#include "core/math/colour.h"
#include "core/math/sphere.h"

#include <stdbool.h>

/* Points within +-SPHERE_FARTHEST. A triangle of no area is never seen. */
typedef struct Triangle {
    Vec points[3];
    Vec normals[3];    /* at the points, of any length but 0; all 0 where it is not smooth */
    Colour colour;     /* 0 to 1 */
    uint32_t smooth;   /* 1: its normals are used */
    uint32_t material; /* in the scene's table */
} Triangle;

/* a * b, rounded. It must never be one instruction with the difference that follows. An edge would then have one sign
 * for one triangle and another for its neighbour. (On the CPU only *.isa.c files are compiled so; none of them has
 * triangles.) */
GLINT_HD float product_of(float a, float b) {
#ifdef GLINT_ON_DEVICE
    return __fmul_rn(a, b);
#else
    return a * b;
#endif
}
GLINT_HD double wide_product_of(double a, double b) {
#ifdef GLINT_ON_DEVICE
    return __dmul_rn(a, b);
#else
    return a * b;
#endif
}

/* Turned so that the component along `axis` becomes z. */
GLINT_HD Vec vec_turned(Vec a, int axis) {
    return axis == 0 ? vec(a.y, a.z, a.x) : axis == 1 ? vec(a.z, a.x, a.y) : a;
}

/* The shear and turn that take a ray's direction to the z axis. */
typedef struct Slant {
    int axis; /* along which the direction is longest */
    float x, y, z;
} Slant;

GLINT_HD Slant slant_of(Vec direction) {
    const float x = fabsf(direction.x), y = fabsf(direction.y), z = fabsf(direction.z);
    const int axis = x > y && x > z ? 0 : y > z ? 1 : 2;
    const Vec turned = vec_turned(direction, axis);
    const Slant slant = {axis, turned.x / turned.z, turned.y / turned.z, 1 / turned.z};
    return slant;
}

GLINT_HD Vec vec_slanted(Vec point, Vec origin, Slant slant) {
    const Vec to = vec_turned(vec_minus(point, origin), slant.axis);
    return vec(times_plus(-slant.x, to.z, to.x), times_plus(-slant.y, to.z, to.y), to.z);
}

/* Twice the area that the edge from a to b spans with the origin. */
GLINT_HD float edge_area(Vec a, Vec b) {
    return product_of(a.x, b.y) - product_of(a.y, b.x);
}
GLINT_HD float edge_area_exactly(Vec a, Vec b) {
    return (float)(wide_product_of((double)a.x, (double)b.y) - wide_product_of((double)a.y, (double)b.x));
}

/* How a ray passes a triangle. */
typedef struct Crossing {
    float weights[3]; /* of the points: none below 0, and their sum; where the ray does not hit it: anything */
    float sum;
    float along; /* the points' distances along the ray, each as often as it weighs */
    float reach; /* the greatest of those distances */
} Crossing;

/* Whether the line of the ray hits the triangle. */
GLINT_HD bool triangle_cross(const Triangle *triangle, Vec origin, Slant slant, Crossing *crossing) {
    const Vec a = vec_slanted(triangle->points[0], origin, slant);
    const Vec b = vec_slanted(triangle->points[1], origin, slant);
    const Vec c = vec_slanted(triangle->points[2], origin, slant);
    float u = edge_area(b, c), v = edge_area(c, a), w = edge_area(a, b);
    if (u == 0 || v == 0 || w == 0) { /* by the edge, or rounded to 0 */
        u = edge_area_exactly(b, c);
        v = edge_area_exactly(c, a);
        w = edge_area_exactly(a, b);
    }
    const bool below = u < 0 || v < 0 || w<0, above = u> 0 || v > 0 || w > 0;
    const float sign = u + v + w < 0 ? -1.0f : 1.0f;
    crossing->weights[0] = fmaxf(sign * u, 0);
    crossing->weights[1] = fmaxf(sign * v, 0);
    crossing->weights[2] = fmaxf(sign * w, 0);
    crossing->sum = crossing->weights[0] + crossing->weights[1] + crossing->weights[2];
    crossing->along = slant.z * (crossing->weights[0] * a.z + crossing->weights[1] * b.z + crossing->weights[2] * c.z);
    crossing->reach = fabsf(slant.z) * fmaxf(fabsf(a.z), fmaxf(fabsf(b.z), fabsf(c.z)));
    return below != above && crossing->sum > 0;
}

/* The plane of a triangle: the normal by the order of the points, of any length. In double precision: slivers have a
 * direction, too, and a triangle without one must not get one by rounding. */
typedef struct TrianglePlane {
    double x, y, z, square; /* the normal, and the square of its length; 0: the triangle has no area */
} TrianglePlane;

GLINT_HD TrianglePlane triangle_plane(const Triangle *triangle) {
    const Vec a = triangle->points[0], b = triangle->points[1], c = triangle->points[2];
    const double bx = (double)b.x - (double)a.x, by = (double)b.y - (double)a.y, bz = (double)b.z - (double)a.z;
    const double cx = (double)c.x - (double)a.x, cy = (double)c.y - (double)a.y, cz = (double)c.z - (double)a.z;
    TrianglePlane plane;
    plane.x = wide_product_of(by, cz) - wide_product_of(bz, cy);
    plane.y = wide_product_of(bz, cx) - wide_product_of(bx, cz);
    plane.z = wide_product_of(bx, cy) - wide_product_of(by, cx);
    plane.square = plane.x * plane.x + plane.y * plane.y + plane.z * plane.z;
    return plane;
}

/* How far a point is above the plane, in lengths of the normal times that length. */
GLINT_HD double triangle_height(const Triangle *triangle, TrianglePlane plane, Vec point) {
    const Vec a = triangle->points[0];
    return ((double)point.x - (double)a.x) * plane.x + ((double)point.y - (double)a.y) * plane.y +
           ((double)point.z - (double)a.z) * plane.z;
}

/* The normal, of length 1; false if the triangle has no area. */
GLINT_HD bool triangle_normal(const Triangle *triangle, Vec *normal) {
    const TrianglePlane plane = triangle_plane(triangle);
    const double length = sqrt(plane.square);
    if (!(length > 0))
        return false;
    *normal = vec((float)(plane.x / length), (float)(plane.y / length), (float)(plane.z / length));
    return true;
}

/* The point of the plane next to one that rounding has moved off it. */
GLINT_HD Vec triangle_settle(const Triangle *triangle, Vec point) {
    const TrianglePlane plane = triangle_plane(triangle);
    const double share = triangle_height(triangle, plane, point) / plane.square;
    return vec((float)((double)point.x - share * plane.x), (float)((double)point.y - share * plane.y),
               (float)((double)point.z - share * plane.z));
}

/* Below this share of the points' distances, a distance is computed in double precision. A mean of large numbers that
 * cancel has 18 bits left at the limit, and none where the ray begins on the plane. */
#define TRIANGLE_NEAR 0x1p-4f

/* How far along the ray the plane is; `distance` if the ray runs along it. */
GLINT_HD float triangle_distance_near(const Triangle *triangle, Ray ray, float distance) {
    const TrianglePlane plane = triangle_plane(triangle);
    const double slope =
        (double)ray.direction.x * plane.x + (double)ray.direction.y * plane.y + (double)ray.direction.z * plane.z;
    return slope * slope > 0 ? (float)(-triangle_height(triangle, plane, ray.origin) / slope) : distance;
}

GLINT_HD void hit_take_triangle(Hit *hit, const Triangle *triangle, float distance, uint32_t index, Ray ray) {
    Vec normal;
    if (distance < ray.t_min || distance > hit->distance || (distance == hit->distance && index > hit->index) ||
        !triangle_normal(triangle, &normal))
        return;
    hit->distance = distance;
    hit->root = 0;
    hit->index = index;
}

/* Takes the triangle as hit_offer takes a sphere; `index` is behind those of all spheres. */
GLINT_HD void hit_offer_triangle(Hit *hit, const Triangle *triangle, uint32_t index, Ray ray, Slant slant) {
    Crossing crossing;
    if (triangle_cross(triangle, ray.origin, slant, &crossing))
        hit_take_triangle(hit, triangle, crossing.along / crossing.sum, index, ray);
}

/* Takes the triangle as hit_offer_near takes a sphere. */
GLINT_HD void hit_offer_triangle_near(Hit *hit, const Triangle *triangle, uint32_t index, Ray ray, Slant slant) {
    Crossing crossing;
    if (!triangle_cross(triangle, ray.origin, slant, &crossing) || index == ray.left)
        return;
    float distance = crossing.along / crossing.sum;
    if (fabsf(distance) < TRIANGLE_NEAR * crossing.reach)
        distance = triangle_distance_near(triangle, ray, distance);
    hit_take_triangle(hit, triangle, distance, index, ray);
}

/* ---- in double precision ---- */

/* A triangle as one sees it along a ray. */
typedef struct Outline {
    double x[3], y[3], z[3];
} Outline;

GLINT_HD Outline triangle_outline(const Triangle *triangle, Ray ray) {
    const int axis = slant_of(ray.direction).axis;
    const Vec d = vec_turned(ray.direction, axis), o = vec_turned(ray.origin, axis);
    Outline outline;
    for (int i = 0; i < 3; i++) {
        const Vec p = vec_turned(triangle->points[i], axis);
        outline.z[i] = ((double)p.z - (double)o.z) / (double)d.z;
        outline.x[i] = (double)p.x - (double)o.x - outline.z[i] * (double)d.x;
        outline.y[i] = (double)p.y - (double)o.y - outline.z[i] * (double)d.y;
    }
    return outline;
}

/* How far along the ray the triangle is hit; INFINITY if it is not. */
GLINT_HD double triangle_distance(const Triangle *triangle, Ray ray) {
    const Outline outline = triangle_outline(triangle, ray);
    double weights[3], sum = 0, along = 0;
    bool below = false, above = false;
    Vec normal;
    for (int i = 0; i < 3; i++) {
        const int b = (i + 1) % 3, c = (i + 2) % 3;
        weights[i] = wide_product_of(outline.x[b], outline.y[c]) - wide_product_of(outline.y[b], outline.x[c]);
        below = below || weights[i] < 0;
        above = above || weights[i] > 0;
        sum += weights[i];
        along += weights[i] * outline.z[i];
    }
    if (below == above || !triangle_normal(triangle, &normal))
        return INFINITY;
    return along / sum < (double)ray.t_min ? INFINITY : along / sum;
}

/* ---- normals at a hit ---- */

/* How a triangle faces where a ray hits it. */
typedef struct Facet {
    Vec flat;   /* the normal; to the side on which smooth normals are */
    Vec smooth; /* the normal for light: between the points' normals, or `flat`. Facet normals have length 1 */
} Facet;

/* Where the ray, which hits the triangle, does so. */
GLINT_HD Facet triangle_facet(const Triangle *triangle, Ray ray) {
    Facet facet = {{0, 0, 1}, {0, 0, 1}};
    Crossing crossing;
    (void)triangle_cross(triangle, ray.origin, slant_of(ray.direction), &crossing);
    (void)triangle_normal(triangle, &facet.flat);
    facet.smooth = vec(0, 0, 0);
    for (int i = 0; i < 3; i++) { /* where rounding has left none, all points weigh alike */
        const float weight = crossing.sum > 0 ? crossing.weights[i] / crossing.sum : 1.0f / 3;
        if (triangle->smooth)
            facet.smooth = vec_along(facet.smooth, weight, vec_unit(triangle->normals[i]));
    }
    if (!(vec_dot(facet.smooth, facet.smooth) > 1e-6f)) /* flat, or normals against each other */
        facet.smooth = facet.flat;
    facet.smooth = vec_unit(facet.smooth);
    if (vec_dot(facet.smooth, facet.flat) < 0)
        facet.flat = vec_times(facet.flat, -1);
    return facet;
}

#endif
