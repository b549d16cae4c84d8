/* test_fixed_point.c: masks as whole numbers, and the search for the scale that loses least. */
#include "core/param/mask.h"
#include "gpu/convolve/fixed_point.h"
#include "gpu/convolve/rounding.h"
#include "tests/check.h"

#include <math.h>

static int asked;

/* How far the weights at this scale are from whole numbers, squared and summed. */
static double distance(const DistinctWeights *of, double scale) {
    double sum = 0;
    asked++;
    for (int i = 0; i < of->count; i++) {
        const double rest = of->weights[i] * scale - rint(of->weights[i] * scale);
        sum += of->times[i] * rest * rest;
    }
    return sum;
}

static void weights_that_differ_are_counted_once(void **state) {
    (void)state;
    const double thirds[] = {1.0 / 3, 2.0 / 3, 1.0 / 3, 1, 1.0 / 3};
    assert_true(fabs(fixed_point_search(distance, thirds, 5, 1, 1, 8) - 3) < 1e-9); /* 6 loses as little */
    const double sevenths[] = {1.0 / 7, 5.0 / 7};
    assert_true(fabs(fixed_point_search(distance, sevenths, 2, 1, 1, 8) - 7) < 1e-9);
    assert_true(fabs(fixed_point_search(distance, sevenths, 2, 8, -1, 8) - 7) < 1e-9);
}

static void a_search_is_done_once(void **state) {
    (void)state;
    const double fifths[] = {0.2, 0.4}, others[] = {0.2, 0.6};
    asked = 0;
    const double first = fixed_point_search(distance, fifths, 2, 1, 1, 50);
    assert_int_equal(asked, 50);
    assert_true(fabs(fixed_point_search(distance, fifths, 2, 1, 1, 50) - first) < 1e-9);
    assert_int_equal(asked, 50);
    (void)fixed_point_search(distance, others, 2, 1, 1, 50);
    (void)fixed_point_search(distance, fifths, 2, 2, 1, 50);
    (void)fixed_point_search(distance, fifths, 1, 1, 1, 50);
    assert_int_equal(asked, 200);
    for (int i = 0; i < 8; i++) /* the first is the oldest of those that are kept, and goes */
        (void)fixed_point_search(distance, (double[]){i + 0.1}, 1, 1, 1, 1);
    (void)fixed_point_search(distance, fifths, 2, 1, 1, 50);
    assert_int_equal(asked, 258);
}

/* No multiplier that uses the 15th bit rounds this gaussian better, by the definition. */
static void the_scale_fits_the_mask(void **state) {
    (void)state;
    Mask *mask = NULL;
    FixedPointMask whole;
    assert_int_equal(mask_gaussian(0.8, 2, &mask), STATUS_OK);
    assert_int_equal(fixed_point_mask(mask, &whole), STATUS_OK);
    assert_false(whole.power_of_two);
    assert_true(fabs(whole.scale * whole.multiplier - 0x1p32) < 1e-3);
    double sum = 0;
    for (int i = 0; i < 25; i++) {
        assert_true(fabs((double)mask->weights[i] * whole.scale - whole.whole[i]) < 1.5);
        sum += whole.whole[i];
    }
    assert_true(fabs(sum / whole.scale - 1) < 1e-4); /* flat areas keep their value */
    FixedPointMask power;
    assert_int_equal(fixed_point_mask_up_to(mask, 24, &power), STATUS_OK);
    assert_true(power.power_of_two && whole.error < power.error);
    fixed_point_mask_free(&whole);
    fixed_point_mask_free(&power);
    mask_destroy(&mask);
}

/* The error that is foretold is about the one of the rounded weights. */
static void the_error_is_foretold(void **state) {
    (void)state;
    for (int i = 0; i < 8; i++) {
        Mask *mask = NULL;
        FixedPointMask whole;
        DistinctWeights of = {.count = 0};
        assert_int_equal(mask_gaussian(0.7 + 0.1 * i, 0, &mask), STATUS_OK);
        assert_int_equal(fixed_point_mask_up_to(mask, 24, &whole), STATUS_OK);
        for (; of.count < mask->width * mask->height; of.count++) {
            of.weights[of.count] = (double)mask->weights[of.count];
            of.times[of.count] = 1;
        }
        const double error = fixed_point_error(&of, whole.scale);
        assert_true(error > whole.error / 2 && error < whole.error * 2);
        fixed_point_mask_free(&whole);
        mask_destroy(&mask);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_that_differ_are_counted_once),
        cmocka_unit_test(a_search_is_done_once),
        cmocka_unit_test(the_scale_fits_the_mask),
        cmocka_unit_test(the_error_is_foretold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
