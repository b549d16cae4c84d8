/* point.c: point functions by every type. */
#include "tests/levels/harness.h"

static void point_all(void **state) {
    for (int function = is_quick() ? POINT_unpremultiply_by : 0; function < POINT_expose; function++)
        for (int from = 0; from < PIXEL_TYPES; from++)
            for (int to = 0; to < PIXEL_TYPES; to++)
                for (int channels = 1; channels <= 4; channels++) {
                    const Shape in = {37, 11, channels, (PixelType)from};
                    const bool two = points[function].inputs == 2;
                    Plan *plan;
                    int out;
                    plan = plan_for(in, (Border){BORDER_CLAMP, 0});
                    REQUIRE(plan_point(plan, (PointFunction)function, 0, two ? 0 : PLAN_NONE, (PixelType)to, &out));
                    check_plan(*state, plan);
                }
}

int levels_point(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_all),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, point", tests, open_devices, close_devices);
}
