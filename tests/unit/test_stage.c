/* test_stage.c: what a job costs, and when a result counts as the reference's. */
#include "core/stage.h"

#include <math.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static Frame shaped(size_t width, size_t height, int channels, PixelType type) {
    return (Frame){{width, height, channels, type}, 0, NULL};
}

static void costs_worked_out_by_hand(void **state) {
    (void)state;
    Mask *mask = NULL;
    assert_int_equal(mask_box(5, 3, &mask), STATUS_OK);
    const Stage convolve = {.operation = OPERATION_CONVOLVE,
                            .in = {shaped(100, 50, 3, PIXEL_U8)},
                            .out = shaped(100, 50, 3, PIXEL_F32),
                            .convolve = {mask, {BORDER_CLAMP, 0}, 0}};
    assert_true(stage_cost(&convolve).bytes == 100 * 50 * 3 * (1 + 4));
    assert_true(stage_cost(&convolve).flops == 2.0 * 15 * 100 * 50 * 3);
    mask_destroy(&mask);

    const Stage magnitude = {.operation = OPERATION_POINT,
                             .in = {shaped(10, 10, 1, PIXEL_F32), shaped(10, 10, 1, PIXEL_F32)},
                             .out = shaped(10, 10, 1, PIXEL_U8),
                             .point = {POINT_MAGNITUDE, 255}};
    assert_true(stage_cost(&magnitude).bytes == 10 * 10 * (4 + 4 + 1));
}

/* A convolution of a 2000-value row whose result differs from the reference in `differing` values by `by`. */
static Verdict judge(PixelType type, double value, size_t differing, double by) {
    Mask *mask = NULL;
    Image *want = NULL, *got = NULL;
    const Shape shape = {2000, 1, 1, type};
    assert_int_equal(mask_box(3, 3, &mask), STATUS_OK); /* the sum of |weights| / divisor is 1 */
    assert_int_equal(image_create(shape, &want), STATUS_OK);
    assert_int_equal(image_create(shape, &got), STATUS_OK);
    for (size_t x = 0; x < shape.width; x++) {
        view_set_value(want->view, x, 0, 0, value);
        view_set_value(got->view, x, 0, 0, x < differing ? value + by : value);
    }
    const Stage stage = {
        .operation = OPERATION_CONVOLVE, .in = {want->view}, .out = got->view, .convolve = {.mask = mask}};
    const Verdict verdict = stage_compare(&stage, value, want->view, got->view);
    assert_int_equal(verdict.values, 2000);
    image_destroy(&want);
    image_destroy(&got);
    mask_destroy(&mask);
    return verdict;
}

static void whole_numbers_may_be_off_by_one_in_a_thousand(void **state) {
    (void)state;
    for (int type = PIXEL_U8; type <= PIXEL_U16; type++) {
        assert_true(judge((PixelType)type, 100, 0, 0).agrees);
        assert_true(judge((PixelType)type, 100, 2, 1).agrees);
        assert_int_equal(judge((PixelType)type, 100, 2, 1).differing, 2);
        assert_false(judge((PixelType)type, 100, 10, 1).agrees);
        assert_false(judge((PixelType)type, 100, 1, 2).agrees);
        assert_true(judge((PixelType)type, 100, 1, -7).worst == 7);
    }
}

static void floats_may_be_off_in_proportion(void **state) {
    (void)state;
    assert_true(judge(PIXEL_F32, 1, 2000, 1e-6).agrees);
    assert_false(judge(PIXEL_F32, 1, 1, 4e-6).agrees);
    assert_true(judge(PIXEL_F32, 1000, 2000, 1e-3).agrees);
    assert_false(judge(PIXEL_F32, 1000, 1, 4e-3).agrees);
    assert_false(judge(PIXEL_F32, 1, 1, NAN).agrees);
    assert_false(judge(PIXEL_F32, 1, 1, INFINITY).agrees);
}

static void every_operation_describes_itself(void **state) {
    (void)state;
    for (int i = 0; i < OPERATIONS; i++)
        assert_true(operations[i].name && operations[i].help && operations[i].cost && operations[i].compare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(costs_worked_out_by_hand),
        cmocka_unit_test(whole_numbers_may_be_off_by_one_in_a_thousand),
        cmocka_unit_test(floats_may_be_off_in_proportion),
        cmocka_unit_test(every_operation_describes_itself),
    };
    return cmocka_run_group_tests_name("stage", tests, NULL, NULL);
}
