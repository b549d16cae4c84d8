/* test_polygon.c: polygons of many corners that are not convex, cut into triangles. */
#include "core/scene/files/polygon.h"

#include <math.h>

#include "tests/check.h"

enum { CORNERS = POLYGON_CUT_MAX, HALF = CORNERS / 2 };

/* A narrow band that winds outward and back: few of its corners are ears at a time. */
static Vec winding(size_t i) {
    const size_t step = i < HALF ? i : CORNERS - 1 - i;
    const double angle = 0.1 * (double)step, radius = 1 + 0.05 * (double)step + (i < HALF ? 0 : 0.2);
    return (Vec){(float)(radius * cos(angle)), (float)(radius * sin(angle)), 0};
}

static double area(const Vec points[3]) {
    return ((double)points[1].x - points[0].x) * ((double)points[2].y - points[0].y) / 2 -
           ((double)points[1].y - points[0].y) * ((double)points[2].x - points[0].x) / 2;
}

/* The triangles' areas come to the polygon's, by the sum over its edges, and none is turned over. Where each ear was
 * looked for among all corners that are left, this took minutes: the suite's limit of time would end it. */
static void a_winding_band_is_cut(void **state) {
    (void)state;
    static Triangle fan[CORNERS - 2];
    double want = 0, sum = 0;
    for (size_t i = 0; i < CORNERS; i++) {
        const Vec a = winding(i), b = winding((i + 1) % CORNERS);
        want += ((double)a.x * b.y - (double)a.y * b.x) / 2;
    }
    for (size_t i = 0; i < CORNERS - 2; i++)
        fan[i] = (Triangle){.points = {winding(0), winding(i + 1), winding(i + 2)},
                            .normals = {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}};
    REQUIRE(polygon_cut(fan, CORNERS - 2));
    const double side = want > 0 ? 1 : -1;
    for (size_t i = 0; i < CORNERS - 2; i++) {
        assert_true(side * area(fan[i].points) > -1e-3);
        sum += area(fan[i].points);
    }
    assert_true(fabs(sum - want) < 1e-4 * fabs(want));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_winding_band_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
