/* test_cylinder.c: rays against spheres, cylinders and discs, by each of their surfaces in long double. */
#include "core/math/cylinder.h"
#include "core/math/pcg.h"
#include "core/scene/bounding_spheres.h"

#include <stdlib.h>

#include "tests/check.h"

typedef struct Long {
    long double x, y, z;
} Long;

static Long long_of(Vec a) {
    return (Long){(long double)a.x, (long double)a.y, (long double)a.z};
}
static Long long_along(Long a, long double s, Long b) {
    return (Long){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}
static long double long_dot(Long a, Long b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* The nearest of some distances that are not before the ray begins. */
static void take(long double *nearest, long double distance, bool is_hit) {
    if (is_hit && distance >= 0 && distance < *nearest)
        *nearest = distance;
}

/* The distances at which a t^2 + 2 b t + c is 0; NAN: none. */
static void solve(long double a, long double b, long double c, long double roots[2]) {
    const long double root = sqrtl(b * b - a * c);
    const long double sum = b > 0 ? -b - root : root - b;
    roots[0] = sum / a;
    roots[1] = c / sum;
}

/* By the round surface, on which the place along the axis decides, and by both ends, on which the radius does. `grown`
 * is added to the radius and to both ends. */
static long double brute_cylinder(const Cylinder *cylinder, Ray ray, long double grown) {
    const Long a = long_of(cylinder->ends[0]), d = long_of(ray.direction), o = long_of(ray.origin);
    const Long way = cylinder->flat ? long_of(cylinder->ends[1]) : long_along(long_of(cylinder->ends[1]), -1, a);
    const long double length = sqrtl(long_dot(way, way)), radius = (long double)cylinder->radius + grown;
    const Long axis = {way.x / length, way.y / length, way.z / length}, from = long_along(o, -1, a);
    const long double first = cylinder->flat ? 0 : -grown, second = cylinder->flat ? 0 : length + grown;
    const long double along = long_dot(from, axis), slope = long_dot(d, axis);
    const Long aside = long_along(from, -along, axis), drift = long_along(d, -slope, axis);
    long double nearest = INFINITY, roots[2];
    solve(long_dot(drift, drift), long_dot(aside, drift), long_dot(aside, aside) - radius * radius, roots);
    for (int i = 0; i < 2; i++) {
        const long double at = along + roots[i] * slope, end = ((i ? second : first) - along) / slope;
        const Long off = long_along(aside, end, drift);
        take(&nearest, roots[i], !cylinder->flat && at >= first && at <= second);
        take(&nearest, end, long_dot(off, off) <= radius * radius);
    }
    return nearest;
}

static long double brute_sphere(Vec centre, float radius, Ray ray, long double grown) {
    const Long from = long_along(long_of(ray.origin), -1, long_of(centre)), d = long_of(ray.direction);
    const long double around = (long double)radius + grown;
    long double nearest = INFINITY, roots[2];
    solve(long_dot(d, d), long_dot(from, d), long_dot(from, from) - around * around, roots);
    take(&nearest, roots[0], true);
    take(&nearest, roots[1], true);
    return nearest;
}

static Vec draw_point(Pcg *pcg, float size) {
    const float x = pcg_float(pcg), y = pcg_float(pcg), z = pcg_float(pcg);
    return vec(size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1));
}

static const struct {
    const char *name;
    float radius, length, away; /* away: the distance of the cylinder from the origin */
    float eye;                  /* how far from it rays begin, in its sizes */
    bool parallel, rim, flat;   /* rays along the axis; rays aimed at the edge of an end; a disc */
} kinds[] = {
    {"plain", 1, 3, 0, 5, false, false, false},
    {"thin", 1e-3f, 2, 0, 3, false, false, false},
    {"long", 1, 1e6f, 0, 2, false, false, false},
    {"hair", 1e-4f, 1e3f, 10, 1, false, false, false},
    {"plate", 4, 1e-5f, 0, 5, false, false, false},
    {"far", 0.5f, 2, 1e5f, 9, false, false, false},
    {"far eye", 0.5f, 2, 0, 1e5f, false, false, false},
    {"parallel", 1, 3, 2, 5, true, false, false},
    {"within", 1, 3, 0, 0.1f, false, false, false},
    {"within long", 1, 1e5f, 0, 0, false, false, false},
    {"rim", 1, 3, 0, 5, false, true, false},
    {"rim, parallel", 1, 3, 0, 5, true, true, false},
    {"disc", 2, 1, 0, 5, false, false, true},
    {"far disc", 2, 1, 1e5f, 5, false, false, true},
    {"disc's rim", 2, 1, 0, 5, false, true, true},
    {"disc, parallel", 2, 1, 0, 5, true, false, true},
};
enum { KINDS = sizeof kinds / sizeof kinds[0], RAYS = 100000 / KINDS + 1 };

static Cylinder draw_cylinder(Pcg *pcg, int kind) {
    Vec way;
    do
        way = draw_point(pcg, 1);
    while (!(vec_dot(way, way) > 0.01f && vec_dot(way, way) < 1));
    if (kinds[kind].parallel) /* a direction that rays can have exactly */
        way = kind % 2 ? vec(0, 0, -1) : vec(0.6f, 0.8f, 0);
    const Vec at = draw_point(pcg, kinds[kind].away), unit = vec_unit(way);
    const Vec off = kinds[kind].flat ? way : vec_along(at, kinds[kind].length, unit);
    return (Cylinder){.ends = {at, off}, .radius = kinds[kind].radius, .flat = kinds[kind].flat};
}

static Ray draw_ray(Pcg *pcg, int kind, const Cylinder *cylinder) {
    CylinderAxis axis;
    assert_true(cylinder_axis(cylinder, &axis));
    const Vec way = wide_vec(axis.way), middle = wide_vec(axis.middle);
    const float half = (float)axis.half, size = half + cylinder->radius;
    const Vec any = draw_point(pcg, 1), side = vec_unit(vec_cross(way, any));
    const float share = 2.2f * pcg_float(pcg) - 1.1f, out = 1.1f * pcg_float(pcg);
    const Vec inside = vec_along(vec_along(middle, share * half, way), out * cylinder->radius, side);
    const Vec rim = vec_along(vec_along(middle, half, way), cylinder->radius, side);
    const Vec target = kinds[kind].rim ? rim : inside;
    if (kinds[kind].parallel)
        return ray_from(vec_along(target, -kinds[kind].eye * size, way), way);
    const Vec from = kinds[kind].eye < 1 ? vec_along(middle, 0.9f * (2 * pcg_float(pcg) - 1) * half, way)
                                         : vec_along(target, 1, draw_point(pcg, kinds[kind].eye * size));
    return ray_from(from, vec_unit(kinds[kind].eye < 1 ? any : vec_minus(target, from)));
}

/* A distance in single precision is the rounded one. Where rays graze by less than double precision tells, they may
 * pass. */
static void cylinders_are_hit_where_brute_force_says(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(46, 3);
    for (int kind = 0; kind < KINDS; kind++) {
        int hits = 0, misses = 0;
        for (int i = 0; i < RAYS; i++) {
            const Cylinder cylinder = draw_cylinder(&pcg, kind);
            const Ray ray = draw_ray(&pcg, kind, &cylinder);
            const long double want = brute_cylinder(&cylinder, ray, 0);
            const Vec to = vec_minus(cylinder.ends[0], ray.origin);
            const long double hair = 1e-13L * (long double)(sqrtf(vec_dot(to, to)) + kinds[kind].length);
            const long double less = brute_cylinder(&cylinder, ray, -hair), more = brute_cylinder(&cylinder, ray, hair);
            Hit hit = hit_none();
            hit_offer_cylinder(&hit, &cylinder, 7, ray);
            hits += isfinite(hit.distance);
            misses += !isfinite(hit.distance);
            if (!isfinite(less) || !isfinite(more)) { /* less == more == INFINITY: it surely passes */
                assert_true(isfinite(more) || !isfinite(hit.distance));
                continue;
            }
            if (!isfinite(hit.distance))
                fail_msg("%s: ray %d misses what is %.9Lg away", kinds[kind].name, i, want);
            const long double low = fminl(less, more), high = fmaxl(less, more), unit = 0x1p-23L * high;
            if ((long double)hit.distance < low - unit || (long double)hit.distance > high + unit)
                fail_msg("%s: ray %d is %.9g long, want %.9Lg to %.9Lg", kinds[kind].name, i, (double)hit.distance, low,
                         high);
        }
        if (hits < RAYS / 20 || (kind != 8 && kind != 9 && misses < RAYS / 50))
            fail_msg("%s: %d hits, %d misses", kinds[kind].name, hits, misses);
    }
}

/* As many rays at spheres, near and far, large and small, from outside and within. */
static void spheres_are_hit_where_brute_force_says(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(46, 4);
    int hits = 0, misses = 0;
    for (int i = 0; i < 100000; i++) {
        const float radius = powf(10, 6 * pcg_float(&pcg) - 3);
        const Vec centre = draw_point(&pcg, i % 2 ? 1 : 1e3f), target = vec_along(centre, 1, draw_point(&pcg, radius));
        const Vec from = vec_along(centre, 1, draw_point(&pcg, i % 5 ? 9 * radius : 0.5f * radius));
        const Ray ray = ray_from(from, vec_unit(vec_minus(target, from)));
        const Vec to = vec_minus(centre, from);
        const float away = sqrtf(vec_dot(to, to));
        const long double hair = 4e-7L * (long double)(away + radius);
        if (fabsf(away - radius) <= (float)hair) /* a ray that begins on the surface is hit there or not */
            continue;
        const long double less = hair < (long double)radius ? brute_sphere(centre, radius, ray, -hair) : INFINITY;
        const long double more = brute_sphere(centre, radius, ray, hair);
        Hit hit = hit_none();
        hit_offer_near(&hit, centre, radius, 7, ray);
        hits += isfinite(hit.distance);
        misses += !isfinite(hit.distance);
        assert_true(isfinite(more) || !isfinite(hit.distance));
        if (!isfinite(less) || !isfinite(more))
            continue;
        const long double low = fminl(less, more) - hair, high = fmaxl(less, more) + hair;
        assert_true((long double)hit.distance >= low && (long double)hit.distance <= high);
    }
    assert_true(hits > 50000 && misses > 5000);
}

/* The place of a hit is on the surface. Its normal looks out of it: along the axis on an end, away from it else. The
 * half that it is on has its colour. */
static void spots_are_on_the_surface(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(46, 5);
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 500; i++) {
            Cylinder cylinder = draw_cylinder(&pcg, kind);
            cylinder.colours[1].red = 1;
            const Ray ray = draw_ray(&pcg, kind, &cylinder);
            CylinderAxis axis;
            Hit hit = hit_none();
            hit_offer_cylinder(&hit, &cylinder, 7, ray);
            if (!isfinite(hit.distance) || !cylinder_axis(&cylinder, &axis))
                continue;
            const CylinderSpot spot = cylinder_spot(&cylinder, ray, hit.distance);
            const Wide out = wide_along(wide_of(spot.at), -1, axis.middle), normal = wide_of(spot.normal);
            const double along = wide_dot(out, axis.way), radius = (double)cylinder.radius;
            const Wide aside = wide_along(out, -along, axis.way);
            const double unit =
                0x1p-22 * (fabs(axis.middle.x) + fabs(axis.middle.y) + fabs(axis.middle.z) + axis.half + radius);
            const double leans = fabs(wide_dot(normal, axis.way));
            assert_true(fabs(wide_dot(normal, normal) - 1) < 1e-6);
            assert_true(fabs(along) < axis.half + unit && sqrt(wide_dot(aside, aside)) < radius + unit);
            if (leans > 0.5) { /* an end */
                assert_true(leans > 1 - 1e-6 && fabs(fabs(along) - axis.half) < unit);
                assert_true(cylinder.flat || axis.half < unit || wide_dot(normal, axis.way) * along > 0);
            } else {
                assert_true(leans < 1e-6 && fabs(sqrt(wide_dot(aside, aside)) - radius) < unit);
                assert_true(radius < 8 * unit || wide_dot(normal, aside) > 0.9 * radius);
            }
            if (fabs(along) > unit)
                assert_true(spot.colour.red == (along > 0 ? 1 : 0));
        }
}

/* Invisible cylinders are not hit, and bound nothing but a point. */
static void nothing_is_never_hit(void **state) {
    (void)state;
    const Cylinder nothing[] = {{.ends = {{1, 2, 3}, {1, 2, 3}}, .radius = 5},
                                {.ends = {{1, 2, 3}, {4, 2, 3}}},
                                {.ends = {{1, 2, 3}, {0, 0, 0}}, .radius = 5, .flat = 1}};
    for (int i = 0; i < 3; i++) {
        Hit hit = hit_none();
        Vec min, max;
        hit_offer_cylinder(&hit, &nothing[i], 0, ray_from(vec(1, 2, 30), vec(0, 0, -1)));
        hit_offer_cylinder(&hit, &nothing[i], 0, ray_from(vec(-30, 2, 3), vec(1, 0, 0)));
        assert_true(hit.index == HIT_NONE);
        cylinder_bounds(&nothing[i], &min, &max);
        assert_true(min.x == 1 && max.x == 1 && min.z == 3 && max.z == 3);
    }
    const Cylinder disc = {.ends = {{0, 0, 0}, {0, 2, 0}}, .radius = 1, .flat = 1};
    Hit hit = hit_none();
    hit_offer_cylinder(&hit, &disc, 0, ray_from(vec(-5, 0, 0), vec(1, 0, 0))); /* within its plane */
    assert_true(hit.index == HIT_NONE);
}

static void bounds_hold_both_ends(void **state) {
    (void)state;
    Scene scene = {.triangle_count = 0}, bounds;
    Cylinder cylinders[KINDS * 50];
    Pcg pcg = pcg_seed(46, 6);
    for (int i = 0; i < KINDS * 50; i++)
        cylinders[i] = draw_cylinder(&pcg, i % KINDS);
    scene.cylinders = cylinders;
    scene.cylinder_count = (size_t)KINDS * 50;
    assert_int_equal(bounding_spheres_create(&scene, &bounds), STATUS_OK);
    assert_int_equal(bounds.count, scene.cylinder_count);
    for (size_t i = 0; i < bounds.count; i++) {
        const Sphere *s = &bounds.spheres[i];
        CylinderAxis axis;
        Vec min, max;
        assert_true(cylinder_axis(&cylinders[i], &axis));
        cylinder_bounds(&cylinders[i], &min, &max);
        const Wide side = wide_of(vec_unit(vec_cross(wide_vec(axis.way), draw_point(&pcg, 1))));
        for (int end = -1; end <= 1; end += 2) {
            const Wide edge =
                wide_along(wide_along(axis.middle, end * axis.half, axis.way), (double)cylinders[i].radius, side);
            const Wide off = wide_along(edge, -1, wide_of(sphere_centre(s)));
            const double unit = 0x1p-22 * (double)s->radius;
            assert_true(wide_dot(off, off) <= (double)s->radius * (double)s->radius * (1 + 1e-6));
            assert_true(edge.x > (double)min.x - unit - 0x1p-22 * fabs(edge.x));
            assert_true(edge.x < (double)max.x + unit + 0x1p-22 * fabs(edge.x));
            assert_true(edge.y < (double)max.y + unit + 0x1p-22 * fabs(edge.y));
            assert_true(edge.z > (double)min.z - unit - 0x1p-22 * fabs(edge.z));
        }
        assert_true((double)s->radius <= 1.01 * hypot(axis.half, (double)cylinders[i].radius) + 0.1);
    }
    bounding_spheres_free(&bounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cylinders_are_hit_where_brute_force_says),
        cmocka_unit_test(spheres_are_hit_where_brute_force_says),
        cmocka_unit_test(spots_are_on_the_surface),
        cmocka_unit_test(nothing_is_never_hit),
        cmocka_unit_test(bounds_hold_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
