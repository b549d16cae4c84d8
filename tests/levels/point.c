/* point.c: point functions by every type. */
#include "tests/levels/harness.h"

static void point_all(void **state) {
    const double parameters[] = {1, 0.25, 0.5, 0.125, 0.0625, -0.25, 1.5, 0.375, 0, 0.5, 0.25, 0.75, 0.125};
    const int count = sizeof parameters / sizeof parameters[0];
    for (int function = is_quick() ? POINT_unpremultiply_by : 0; function < POINT_expose; function++)
        for (int from = 0; from < PIXEL_TYPES; from++)
            for (int to = 0; to < PIXEL_TYPES; to++)
                for (int channels = 1; channels <= 4; channels++) {
                    const Shape in = {37, 11, channels, (PixelType)from};
                    int inputs[STAGE_INPUTS];
                    Plan *plan;
                    int out;
                    plan = plan_for(in, (Border){BORDER_CLAMP, 0});
                    for (int k = 0; k < STAGE_INPUTS; k++)
                        inputs[k] = k < points[function].inputs ? 0 : PLAN_NONE;
                    REQUIRE(
                        plan_point_with(plan, (PointFunction)function, parameters, count, inputs, (PixelType)to, &out));
                    check_plan(*state, plan);
                }
}

/* Large enough for tables of 16-bit values: functions of one value, and such around one of the colours. */
static void tables_of_u16(void **state) {
    static const PointFunction functions[] = {POINT_power, POINT_levels, POINT_matrix, POINT_to_linear, POINT_linear};
    const double parameters[] = {1, 0.25, 0.5, 0.125, 0.0625, -0.25, 1.5, 0.375, 0, 0.5, 0.25, 0.75, 0.125};
    for (int channels = is_quick() ? 4 : 1; channels <= 4; channels++) {
        Plan *plan = plan_for((Shape){371, 362, channels, PIXEL_U16}, (Border){BORDER_CLAMP, 0});
        PointJob job =
            point_single(POINT_power, 65535, parameters, sizeof parameters / sizeof parameters[0], PIXEL_U16);
        int out;
        for (job.count = 0; job.count < 5; job.count++) {
            job.steps[job.count] = job.steps[0];
            job.steps[job.count].function = functions[job.count];
        }
        REQUIRE(
            plan_append(plan, &op_point, &job, (const int[STAGE_INPUTS]){0, PLAN_NONE, PLAN_NONE}, PIXEL_U16, &out));
        check_plan(*state, plan);
    }
}

int levels_point(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(point_all),
        cmocka_unit_test(tables_of_u16),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, point", tests, open_devices, close_devices);
}
