/* multiply.c: products of matrices that fill no tile, one tile, and several; of few terms and of many. */
#include "core/ops/multiply.h"
#include "tests/levels/harness.h"

static void check_product(Bench *benches, MultiplySize size, Precision precision) {
    MultiplyJob job = {precision};
    Plan *plan = plan_for((Shape){size.terms, size.rows, 1, PIXEL_F32}, (Border){BORDER_CLAMP, 0});
    int b, out;
    REQUIRE(plan_source(plan, (Shape){size.columns, size.terms, 1, PIXEL_F32}, &b));
    REQUIRE(plan_append(plan, &op_multiply, &job, (const int[STAGE_INPUTS]){0, b, PLAN_NONE}, PIXEL_F32, &out));
    check_plan(benches, plan);
}

static void products(void **state) {
    static const MultiplySize sizes[] = {
        {1, 1, 1},     {1, 257, 129},   {129, 1, 64},  {128, 128, 16}, {130, 131, 132}, {255, 300, 17},
        {64, 5, 1000}, {256, 128, 256}, {13, 4100, 3}, {257, 385, 31}, {128, 256, 260}, {33, 63, 517},
    };
    for (size_t i = 0; i < (is_quick() ? 6 : sizeof sizes / sizeof sizes[0]); i++)
        for (int precision = 0; precision < PRECISIONS; precision++)
            check_product(*state, sizes[i], (Precision)precision);
}

int levels_multiply(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products),
        cmocka_unit_test(rule_holds_overall),
    };
    return cmocka_run_group_tests_name("levels, multiply", tests, open_devices, close_devices);
}
