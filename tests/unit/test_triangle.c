/* test_triangle.c: rays and triangles: which is hit, where, and that nothing slips through between two. */
#include "core/math/triangle.h"
#include "core/scene/bounding_spheres.h"

#include <stdlib.h>

#include "tests/check.h"

static Triangle triangle_of(Vec a, Vec b, Vec c) {
    return (Triangle){.points = {a, b, c}, .colour = {1, 1, 1}};
}

static Vec draw_point(Pcg *pcg, float size) {
    const float x = pcg_float(pcg), y = pcg_float(pcg), z = pcg_float(pcg);
    return vec(size * (2 * x - 1), size * (2 * y - 1), size * (2 * z - 1));
}

static Ray ray_towards(Vec from, Vec to) {
    return ray_from(from, vec_unit(vec_minus(to, from)));
}

/* The hit of a ray among the triangles, in single precision. */
static Hit hit_of(const Triangle *triangles, uint32_t count, Ray ray) {
    Hit hit = hit_none();
    for (uint32_t i = 0; i < count; i++)
        hit_offer_triangle(&hit, &triangles[i], i, ray, slant_of(ray.direction));
    return hit;
}

static bool met_exactly(const Triangle *triangles, uint32_t count, Ray ray) {
    for (uint32_t i = 0; i < count; i++)
        if (triangle_distance(&triangles[i], ray) < INFINITY)
            return true;
    return false;
}

/* Rays at points of the edge that two triangles share, from both sides, with whatever rounding: one of both is hit. */
static void shared_edge_is_never_missed(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(3, 1);
    int first = 0, second = 0;
    for (int round = 0; round < 400; round++) {
        const float size = powf(10, 6 * pcg_float(&pcg) - 3);
        const Vec a = draw_point(&pcg, size), b = draw_point(&pcg, size), middle = vec_times(vec_along(a, 1, b), 0.5f);
        const Vec c = vec_along(middle, 1, draw_point(&pcg, size)), d = vec_along(vec_times(middle, 2), -1, c);
        const Triangle both[] = {triangle_of(a, b, c), triangle_of(round % 2 ? a : b, round % 2 ? b : a, d)};
        for (int i = 0; i < 100; i++) {
            const Vec at = vec_along(vec_times(a, 1 - (0.02f + 0.0096f * (float)i)), 0.02f + 0.0096f * (float)i, b);
            const Vec eye = draw_point(&pcg, 10 * size);
            const Ray ray = ray_towards(eye, at), back = ray_towards(vec_along(vec_times(at, 2), -1, eye), at);
            const Hit there = hit_of(both, 2, ray);
            assert_true(there.index != HIT_NONE && hit_of(both, 2, back).index != HIT_NONE);
            assert_true(met_exactly(both, 2, ray) && met_exactly(both, 2, back));
            first += there.index == 0;
            second += there.index == 1;
        }
    }
    assert_true(first > 1000 && second > 1000); /* the rays really went to either side */
}

/* The corner that a fan closes around, from above and below. */
static void shared_corner_is_never_missed(void **state) {
    (void)state;
    enum { SIDES = 7 };
    Pcg pcg = pcg_seed(4, 1);
    for (int round = 0; round < 2000; round++) {
        const Vec corner = draw_point(&pcg, 50);
        Triangle fan[SIDES];
        Vec rim[SIDES + 1];
        for (int i = 0; i < SIDES; i++) {
            const float turn = 2 * PI_F * (float)i / SIDES;
            rim[i] = vec_along(corner, 1, vec(cosf(turn), 0.3f * pcg_float(&pcg), sinf(turn)));
        }
        rim[SIDES] = rim[0];
        for (int i = 0; i < SIDES; i++)
            fan[i] = triangle_of(corner, rim[i], rim[i + 1]);
        const Vec eye = vec_along(corner, 1, vec(2 * pcg_float(&pcg) - 1, round % 2 ? 9 : -9, pcg_float(&pcg)));
        assert_true(hit_of(fan, SIDES, ray_towards(eye, corner)).index != HIT_NONE);
        assert_true(met_exactly(fan, SIDES, ray_towards(eye, corner)));
    }
}

/* Rays that hit edges and corners of a grid of whole numbers exactly. */
static void exact_edges_are_met(void **state) {
    (void)state;
    enum { SIDE = 4 };
    Triangle grid[2 * SIDE * SIDE];
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const Vec a = vec((float)x, (float)y, -5), b = vec((float)x + 1, (float)y, -5);
            const Vec c = vec((float)x, (float)y + 1, -5), d = vec((float)x + 1, (float)y + 1, -5);
            grid[2 * (y * SIDE + x)] = triangle_of(a, b, d);
            grid[2 * (y * SIDE + x) + 1] = triangle_of(a, d, c);
        }
    for (int y = 0; y <= 8 * SIDE; y++)
        for (int x = 0; x <= 8 * SIDE; x++) {
            const Ray ray = {{0.125f * (float)x, 0.125f * (float)y, 0}, {0, 0, -1}, -INFINITY, HIT_NONE, INFINITY};
            const Hit hit = hit_of(grid, 2 * SIDE * SIDE, ray);
            assert_true(hit.index != HIT_NONE && hit.distance == 5);
            double nearest = INFINITY;
            uint32_t first = HIT_NONE; /* of equals, the first wins in both */
            for (uint32_t i = 2 * SIDE * SIDE; i-- > 0;)
                if (triangle_distance(&grid[i], ray) <= nearest) {
                    nearest = triangle_distance(&grid[i], ray);
                    first = i;
                }
            assert_int_equal(hit.index, first);
        }
    const Ray beside = {{-0.001f, 1, 0}, {0, 0, -1}, -INFINITY, HIT_NONE, INFINITY};
    assert_int_equal(hit_of(grid, 2 * SIDE * SIDE, beside).index, HIT_NONE);
}

/* Single and double precision agree on hits and their places, from either side, whatever the order of the points. */
static void single_precision_sees_what_double_sees(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(8, 1);
    int hits = 0, apart = 0;
    for (int i = 0; i < 40000; i++) {
        const Vec a = draw_point(&pcg, 1), b = draw_point(&pcg, 1), c = draw_point(&pcg, 1);
        const Triangle triangle = i % 2 ? triangle_of(a, b, c) : triangle_of(a, c, b);
        const Ray ray = ray_towards(draw_point(&pcg, 3), draw_point(&pcg, 0.7f));
        const Hit hit = hit_of(&triangle, 1, ray);
        const double distance = triangle_distance(&triangle, ray);
        hits += hit.index == 0;
        apart += (hit.index == 0) != (distance < INFINITY);
        if (hit.index == 0 && distance < INFINITY)
            assert_true(fabs((double)hit.distance - distance) < 1e-3);
    }
    assert_true(hits > 4000 && apart <= 2);
}

/* To whole numbers: sums are exact. */
static Vec rounded(Vec a) {
    return vec(rintf(a.x), rintf(a.y), rintf(a.z));
}

static void triangles_without_area_are_never_met(void **state) {
    (void)state;
    Pcg pcg = pcg_seed(6, 1);
    for (int i = 0; i < 3000; i++) {
        const Vec a = rounded(draw_point(&pcg, 100)), step = rounded(draw_point(&pcg, 10));
        const Vec b = vec_along(a, 3, step), c = vec_along(a, 7, step);
        const Triangle none[] = {triangle_of(a, b, c), triangle_of(c, a, b), triangle_of(a, a, b),
                                 triangle_of(a, a, a)};
        Vec normal;
        for (int k = 0; k < 4; k++) {
            const Ray ray = ray_towards(draw_point(&pcg, 300), vec_along(a, 7 * pcg_float(&pcg), step));
            const Ray straight = {{a.x, a.y, 0}, {0, 0, -1}, -INFINITY, HIT_NONE, INFINITY};
            assert_int_equal(hit_of(&none[k], 1, ray).index, HIT_NONE);
            assert_int_equal(hit_of(&none[k], 1, straight).index, HIT_NONE);
            assert_true(!(triangle_distance(&none[k], ray) < INFINITY));
            assert_false(triangle_normal(&none[k], &normal));
        }
    }
}

static void least_and_order_decide(void **state) {
    (void)state;
    const Vec a = vec(-1, -1, 3), b = vec(1, -1, 3), c = vec(0, 1, 3);
    const Triangle alike[] = {triangle_of(a, b, c), triangle_of(c, b, a)};
    const Ray line = {{0, 0, 0}, {0, 0, -1}, -INFINITY, HIT_NONE, INFINITY},
              ahead = {{0, 0, 0}, {0, 0, -1}, 0, HIT_NONE, INFINITY};
    Hit hit = hit_none();
    hit_offer_triangle(&hit, &alike[1], 7, line, slant_of(line.direction));
    hit_offer_triangle(&hit, &alike[0], 4, line, slant_of(line.direction));
    hit_offer_triangle(&hit, &alike[0], 5, line, slant_of(line.direction));
    assert_int_equal(hit.index, 4);
    assert_true(hit.distance == -3 && triangle_distance(&alike[0], line) == -3);
    assert_int_equal(hit_of(alike, 2, ahead).index, HIT_NONE);
    assert_true(!(triangle_distance(&alike[0], ahead) < INFINITY));
}

/* Normals: of a flat triangle by the order of its points, of a smooth one between those at its points, where they
 * stand. */
static void facets_have_the_normals_of_their_points(void **state) {
    (void)state;
    Triangle triangle = triangle_of(vec(0, 0, -2), vec(4, 0, -2), vec(0, 4, -2));
    const Ray at_second = {{4, 0, 0}, {0, 0, -1}, 0, HIT_NONE, INFINITY},
              between = {{2, 2, 0}, {0, 0, -1}, 0, HIT_NONE, INFINITY};
    assert_true(triangle_facet(&triangle, between).smooth.z == 1 && triangle_facet(&triangle, between).flat.z == 1);
    triangle.smooth = 1;
    triangle.normals[0] = vec(0, 0, -1);
    triangle.normals[1] = vec(-5, 0, 0);
    triangle.normals[2] = vec(0, 0, -3);
    const Facet facet = triangle_facet(&triangle, at_second), other = triangle_facet(&triangle, between);
    assert_true(fabsf(facet.smooth.x + 1) < 1e-6f);
    assert_true(fabsf(other.smooth.x + sqrtf(0.5f)) < 1e-6f && fabsf(other.smooth.z + sqrtf(0.5f)) < 1e-6f);
    assert_true(other.flat.z == -1); /* to the side on which the smooth ones are */
}

static double distance_of(Vec a, Sphere s) {
    return sqrt(pow((double)a.x - (double)s.x, 2) + pow((double)a.y - (double)s.y, 2) +
                pow((double)a.z - (double)s.z, 2));
}

/* The spheres around triangles hold them, and are the smallest: no larger than their sides ask for. */
static void bounds_hold_their_triangles(void **state) {
    (void)state;
    enum { COUNT = 2000 };
    static Triangle triangles[COUNT];
    Pcg pcg = pcg_seed(12, 1);
    for (int i = 0; i < COUNT; i++) {
        const float size = powf(10, 12 * pcg_float(&pcg) - 6);
        const Vec a = draw_point(&pcg, size), b = draw_point(&pcg, size);
        triangles[i] = triangle_of(a, b, i % 9 == 0 ? a : i % 9 == 1 ? vec_along(a, 0.25f, b) : draw_point(&pcg, size));
    }
    const Scene scene = {.triangles = triangles, .triangle_count = COUNT, .serial = 77};
    Scene bounds;
    assert_int_equal(bounding_spheres_create(&scene, &bounds), STATUS_OK);
    assert_true(bounds.count == COUNT && bounds.serial == 77);
    for (int i = 0; i < COUNT; i++) {
        const Sphere sphere = bounds.spheres[i];
        double longest = 0;
        for (int k = 0; k < 3; k++) {
            const Vec next = triangles[i].points[(k + 1) % 3];
            const double side = distance_of(triangles[i].points[k], (Sphere){.x = next.x, .y = next.y, .z = next.z});
            longest = fmax(longest, side);
            assert_true(distance_of(triangles[i].points[k], sphere) <= (double)sphere.radius);
        }
        assert_true((double)sphere.radius <= longest / sqrt(3) * 1.0001); /* Jung's theorem in the plane */
    }
    bounding_spheres_free(&bounds);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shared_edge_is_never_missed),
        cmocka_unit_test(shared_corner_is_never_missed),
        cmocka_unit_test(exact_edges_are_met),
        cmocka_unit_test(single_precision_sees_what_double_sees),
        cmocka_unit_test(triangles_without_area_are_never_met),
        cmocka_unit_test(least_and_order_decide),
        cmocka_unit_test(facets_have_the_normals_of_their_points),
        cmocka_unit_test(bounds_hold_their_triangles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
