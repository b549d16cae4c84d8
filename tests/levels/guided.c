/* guided.c: the guided filter in pictures that several blocks of threads share, with windows of all sizes. */
#include "core/ops/guided.h"
#include "tests/levels/harness.h"

static double sums_of(Shape shape, int radius) {
    const double side = 2.0 * radius + 1;
    return (double)shape.width * (double)shape.height * shape.channels * side * side;
}

static void check_guided(void **state, Shape shape, GuidedJob job) {
    Plan *plan = plan_for(shape, (Border){BORDER_CLAMP, 0});
    int out;
    REQUIRE(plan_append(plan, &op_guided, &job, (const int[STAGE_INPUTS]){0, PLAN_NONE, PLAN_NONE}, shape.type, &out));
    check_plan(*state, plan);
}

/* Bytes in windows of the least and the most pixels for which fits have 16 bits, and one more. */
static void windows_of_bytes(void **state) {
    static const int radii[] = {4, 8, 10, 11};
    for (int i = 0; i < 4; i++) {
        const GuidedJob job = {radii[i], 25.5 * 25.5, false, {(BorderMode)(i + 1), 255}};
        check_guided(state, (Shape){(size_t)(330 - 70 * i), 61, 1 + (i + 2) % 4, PIXEL_U8}, job);
    }
}

static void windows_of_all_sizes(void **state) {
    static const int radii[] = {1, 2, 3, 8, 15, 31, 64};
    static const size_t widths[] = {3, 130, 1025, 2211}, heights[] = {1, 17, 60, 150};
    enum { RADII = sizeof radii / sizeof radii[0], SIDES = sizeof widths / sizeof widths[0] };
    Pcg pcg = pcg_seed(43, 1);
    for (int i = 0; i < (is_quick() ? 8 : 60); i++) {
        const size_t wide = draw(&pcg, SIDES);
        const Shape shape = {widths[wide], heights[draw(&pcg, wide < 2 ? SIDES : 2)], 1 + (int)draw(&pcg, 4),
                             (PixelType)draw(&pcg, PIXEL_TYPES)};
        const double white = pixel_type_white(shape.type), edge = white * (draw(&pcg, 2) ? 0.1 : 0.01);
        int radius = radii[draw(&pcg, RADII)];
        while (sums_of(shape, radius) > (is_quick() ? 3e5 : 2e7)) /* those that the reference takes */
            radius /= 2;
        if (radius == 0)
            continue;
        GuidedJob job = {radius, edge * edge, false, {(BorderMode)draw(&pcg, (size_t)border_count), 0}};
        if (job.border.mode == BORDER_CONSTANT)
            job.border.value = (float)white;
        check_guided(state, shape, job);
    }
}

int levels_guided(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_of_bytes),
        cmocka_unit_test(windows_of_all_sizes),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, guided", tests, open_devices, close_devices);
}
