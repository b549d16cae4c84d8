/* test_difference.c: differences of two pictures, which a formula makes, compared with scikit-image 0.26.0's
 * peak_signal_noise_ratio and structural_similarity (data_range: white; channel_axis for colours) and numpy 2.4.6's
 * corrcoef. */
#include "app/backends.h"
#include "core/image/difference.h"
#include "core/run/likeness.h"

#include <math.h>

#include "tests/check.h"

static Device *device;
static Queue *queue;

static double limited(double value) {
    return fmin(fmax(value, 0), 255);
}

static void make(Shape shape, Image **a, Image **b) {
    const double unit = pixel_type_white(shape.type) / 255;
    REQUIRE(image_create(shape, a));
    REQUIRE(image_create(shape, b));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                const size_t k = (size_t)c, value = (x * 37 + y * 91 + k * 53 + x * y * 7) % 256;
                const double other = (double)value + (double)((x * 13 + y * 29 + k * 5) % 17) - 8;
                view_set_value((*a)->view, x, y, c, (double)value * unit);
                view_set_value((*b)->view, x, y, c, limited(other) * unit);
            }
}

static void differences_are_those_of_scikit_image(void **state) {
    (void)state;
    static const struct {
        Shape shape;
        double psnr, ssim, ncc, mean, max;
        size_t x, y, differing;
    } cases[] = {
        {{33, 21, 3, PIXEL_U8}, 34.408717378, 0.997820426, 0.9978368155, 4.181337181, 8, 7, 0, 693},
        {{19, 12, 1, PIXEL_U16}, 34.454302356, 0.997844320, 0.9978598370, 1068.578947, 2056, 13, 0, 214},
        {{9, 7, 1, PIXEL_F32}, 34.619715210, 0.997898354, 0.9979838290, 0.01593526261, 0.0313725546, 2, 2, 59},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Image *a, *b;
        Difference difference = {0};
        make(cases[i].shape, &a, &b);
        while (difference_go_on(&difference, a->view, b->view, 4)) /* in bands, with the same sums */
            continue;
        const Difference shared = difference_of(a->view, b->view);
        assert_true(fabs(difference_ssim(&shared) - difference_ssim(&difference)) < 1e-14);
        assert_true(shared.x == difference.x && shared.y == difference.y);
        assert_int_equal(shared.differing, difference.differing);
        Likeness likeness;
        REQUIRE(likeness_of(queue, a->view, b->view, &likeness));
        assert_true(fabs(likeness.ncc - cases[i].ncc) < 1e-9);
        assert_true(fabs(likeness.mean - cases[i].mean) < 1e-9 * cases[i].mean + 1e-9);
        assert_true(fabs(likeness.psnr - cases[i].psnr) < 1e-6);
        assert_true(fabs(difference_ssim(&difference) - cases[i].ssim) < 1e-7);
        assert_true(fabs(difference.max - cases[i].max) < 1e-9 * pixel_type_white(cases[i].shape.type));
        assert_int_equal(difference.x, cases[i].x);
        assert_int_equal(difference.y, cases[i].y);
        assert_int_equal(difference.differing, cases[i].differing);
        image_destroy(&a);
        image_destroy(&b);
    }
}

static void pictures_that_are_the_same(void **state) {
    (void)state;
    const Shape shape = {8, 3, 4, PIXEL_F32};
    Image *a, *b;
    Difference difference = {0};
    make(shape, &a, &b);
    view_set_value(a->view, 5, 1, 2, INFINITY);
    view_set_value(a->view, 6, 2, 0, NAN);
    Likeness likeness;
    assert_false(difference_go_on(&difference, a->view, a->view, 3));
    assert_true(difference_ssim(&difference) == 1 && difference.windows == 0 && difference.differing == 0);
    REQUIRE(likeness_of(queue, a->view, a->view, &likeness));
    assert_true(isinf(likeness.psnr) && likeness.psnr > 0 && likeness.mean == 0 && likeness.ncc == 1);
    difference = (Difference){0};
    difference_go_on(&difference, a->view, b->view, 3);
    assert_true(isinf(difference.max) && difference.x == 5 && difference.y == 1);
    assert_true(isnan(difference_ssim(&difference))); /* no window holds it */
    assert_true(difference_gain(&difference, shape) == 0);
    REQUIRE(likeness_of(queue, a->view, b->view, &likeness));
    assert_true(isinf(likeness.mean) && isinf(likeness.psnr) && likeness.psnr < 0);
    assert_true(likeness.ncc > 0.9 && likeness.ncc < 1); /* of the finite values */
    image_destroy(&a);
    image_destroy(&b);
}

/* Two values that are finite in both pictures have the correlation of a line. */
static void values_that_are_not_finite_are_passed_over(void **state) {
    (void)state;
    const float values[2][6] = {{1, 2, NAN, NAN, INFINITY, 7}, {5, 3, NAN, 4, INFINITY, -INFINITY}};
    const Shape shape = {6, 1, 1, PIXEL_F32};
    ImageView views[2];
    Likeness likeness;
    for (int i = 0; i < 2; i++)
        views[i] = (ImageView){shape, sizeof values[i], (void *)values[i]};
    REQUIRE(likeness_of(queue, views[0], views[1], &likeness));
    assert_true(fabs(likeness.ncc + 1) < 1e-12);
    assert_true(isinf(likeness.mean) && likeness.psnr < 0);
    for (int i = 0; i < 2; i++)
        views[i].shape.width = 3;
    REQUIRE(likeness_of(queue, views[0], views[1], &likeness));
    assert_true(fabs(likeness.ncc + 1) < 1e-12 && fabs(likeness.mean - 5.0 / 3) < 1e-12);
    assert_true(fabs(likeness.psnr - 10 * log10(3.0 / 17)) < 1e-12);
    views[0].pixels = views[1].pixels = (char *)views[0].pixels + 2 * sizeof(float);
    for (int i = 0; i < 2; i++)
        views[i].shape.width = 1; /* nothing is left */
    REQUIRE(likeness_of(queue, views[0], views[1], &likeness));
    assert_true(likeness.ncc == 1 && likeness.mean == 0 && isinf(likeness.psnr));
}

/* 1 up to brightness and contrast, also far from 0; a negative is -1. */
static void correlation_takes_no_offset(void **state) {
    (void)state;
    const Shape shape = {64, 5, 1, PIXEL_F32};
    const struct { double factor, offset, want; } cases[] = {{1, 0, 1}, {0.25, 7, 1}, {-1, 1, -1}, {0, 0.1, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Image *a, *b;
        make(shape, &a, &b);
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++)
                view_set_value(b->view, x, y, 0, cases[i].factor * view_value(a->view, x, y, 0) + cases[i].offset);
        Likeness likeness;
        REQUIRE(likeness_of(queue, a->view, b->view, &likeness));
        assert_true(fabs(likeness.ncc - cases[i].want) < 1e-6);
        image_destroy(&a);
        image_destroy(&b);
    }
}

int main(void) {
    const char *passed_over;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_those_of_scikit_image),
        cmocka_unit_test(pictures_that_are_the_same),
        cmocka_unit_test(values_that_are_not_finite_are_passed_over),
        cmocka_unit_test(correlation_takes_no_offset),
    };
    if (backends_register() != STATUS_OK || backend_open("cpu", 0, 2, &device, &passed_over) != STATUS_OK ||
        queue_open(device, &queue) != STATUS_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    queue_close(&queue);
    device_close(&device);
    return failed;
}
