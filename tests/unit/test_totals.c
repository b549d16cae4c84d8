/* test_totals.c: sums, extrema and dot products of pictures whose results are counted by hand. */
#include "app/backends.h"
#include "core/run/totals.h"
#include "core/stage/op.h"

#include <math.h>

#include "tests/check.h"

static Device *device;
static Queue *queue;

static Frame frame_of(Shape shape, const double *values) {
    Image *image;
    Frame frame;
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0, i = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++, i++)
                view_set_value(image->view, x, y, c, values[i]);
    REQUIRE(device->backend->frame_create(device, shape, &frame));
    REQUIRE(device->backend->upload(queue, image->view, frame));
    image_destroy(&image);
    return frame;
}

static void drop(Frame *frame) {
    device->backend->frame_destroy(device, frame);
}

static const ReduceJob all = {.what = REDUCE_ALL};

/* 5635 / 6 - 21.5^2 = 476.91666... */
static void one_channel(void **state) {
    (void)state;
    Reduction r[REDUCE_CHANNELS];
    for (int type = 0; type < PIXEL_TYPES; type++) {
        Frame frame = frame_of((Shape){3, 2, 1, (PixelType)type}, (const double[]){1, 20, 3, 40, 5, 60});
        REQUIRE(totals_reduce(queue, frame, (Frame){.stride = 0}, all, r));
        assert_true(r[0].count == 6 && r[0].sum == 129 && r[0].squares == 5635);
        assert_true(r[0].minimum == 1 && r[0].maximum == 60);
        assert_true(reduction_mean(&r[0]) == 21.5);
        assert_true(fabs(reduction_variance(&r[0]) - 476.9166666666667) < 1e-9);
        drop(&frame);
    }
}

static void channels_apart_and_only_what_is_asked_for(void **state) {
    (void)state;
    Reduction r[REDUCE_CHANNELS];
    Frame frame = frame_of((Shape){2, 1, 4, PIXEL_U8}, (const double[]){1, 2, 3, 4, 10, 20, 30, 255});
    REQUIRE(totals_reduce(queue, frame, (Frame){.stride = 0}, (ReduceJob){.what = REDUCE_SUM}, r));
    assert_true(r[0].sum == 11 && r[1].sum == 22 && r[2].sum == 33 && r[3].sum == 259);
    assert_true(r[0].count == 0 && r[0].squares == 0 && r[0].minimum == 0 && r[0].maximum == 0);
    REQUIRE(totals_reduce(queue, frame, (Frame){.stride = 0}, (ReduceJob){.what = REDUCE_EXTREMA}, r));
    assert_true(r[3].minimum == 4 && r[3].maximum == 255 && r[3].sum == 0);
    drop(&frame);
}

static void nan_is_passed_over(void **state) {
    (void)state;
    Reduction r[REDUCE_CHANNELS];
    Frame frame = frame_of((Shape){4, 1, 1, PIXEL_F32}, (const double[]){NAN, 0.5, -2.25, NAN});
    REQUIRE(totals_reduce(queue, frame, (Frame){.stride = 0}, all, r));
    assert_true(r[0].count == 2 && r[0].sum == -1.75 && r[0].squares == 5.3125);
    assert_true(r[0].minimum == -2.25 && r[0].maximum == 0.5);
    drop(&frame);
    frame = frame_of((Shape){2, 1, 1, PIXEL_F32}, (const double[]){NAN, NAN});
    REQUIRE(totals_reduce(queue, frame, (Frame){.stride = 0}, all, r));
    assert_true(r[0].count == 0 && r[0].sum == 0);
    assert_true(isinf(r[0].minimum) && isinf(r[0].maximum) && r[0].minimum > r[0].maximum);
    assert_true(isnan(reduction_mean(&r[0])) && isnan(reduction_variance(&r[0])));
    drop(&frame);
}

/* |1 - 4|, |200 - 100|, |7 - 7|, |0 - 255| */
static void differences_and_products(void **state) {
    (void)state;
    const Shape shape = {2, 2, 1, PIXEL_U8};
    Frame a = frame_of(shape, (const double[]){1, 200, 7, 0}), b = frame_of(shape, (const double[]){4, 100, 7, 255});
    Reduction r[REDUCE_CHANNELS];
    double products[DOT_CHANNELS];
    REQUIRE(totals_reduce(queue, a, b, (ReduceJob){.what = REDUCE_ALL, .difference = true}, r));
    assert_true(r[0].sum == 358 && r[0].squares == 9 + 10000 + 65025 && r[0].maximum == 255 && r[0].minimum == 0);
    REQUIRE(totals_dot(queue, a, b, products));
    assert_true(products[0] == 4 + 20000 + 49);
    drop(&b);
    b = frame_of((Shape){4, 1, 1, PIXEL_U8}, (const double[]){0, 0, 0, 0});
    assert_int_equal(totals_dot(queue, a, b, products), STATUS_INPUT);
    assert_int_equal(totals_reduce(queue, a, b, (ReduceJob){.what = REDUCE_ALL, .difference = true}, r), STATUS_INPUT);
    drop(&a);
    drop(&b);
}

/* Counts are plain numbers: their sum does not wrap at 2^32, and their squares are refused. */
static void plain_numbers(void **state) {
    (void)state;
    Frame frame = frame_of((Shape){3, 1, 1, PIXEL_U32}, (const double[]){4294967295.0, 4294967295.0, 2147483648.0});
    Reduction r[REDUCE_CHANNELS];
    REQUIRE(totals_reduce(queue, frame, (Frame){.stride = 0}, (ReduceJob){.what = REDUCE_SUM | REDUCE_EXTREMA}, r));
    assert_true(r[0].sum == 10737418238.0 && r[0].minimum == 2147483648.0 && r[0].maximum == 4294967295.0);
    assert_int_equal(totals_reduce(queue, frame, (Frame){.stride = 0}, all, r), STATUS_USAGE);
    drop(&frame);
}

/* Before anything is added up; how far totals may be apart is the same for both operations. */
static void what_cannot_be_added_up(void **state) {
    (void)state;
    const Shape large = {65536, 65537, 1, PIXEL_U8}, small = {3, 2, 1, PIXEL_U8}, wide = {3, 2, 1, PIXEL_U16};
    const Shape many[STAGE_INPUTS] = {large, large}, mixed[STAGE_INPUTS] = {small, wide};
    const ReduceJob differences = {.what = REDUCE_SUM, .difference = true};
    const DotJob job = {false};
    Shape out;
    assert_int_equal(op_reduce.shape(&all, many, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(op_dot.shape(&job, many, PIXEL_U8, &out), STATUS_USAGE);
    assert_int_equal(op_reduce.shape(&all, mixed, PIXEL_U8, &out), STATUS_OK); /* the second is not asked for */
    assert_int_equal(op_reduce.shape(&differences, mixed, PIXEL_U8, &out), STATUS_INPUT);
    assert_string_equal(status_message(),
                        "reduce: takes two pictures of one size and type, not 3x2 u8x1 and 3x2 u16x1");
    assert_int_equal(op_dot.shape(&job, mixed, PIXEL_U8, &out), STATUS_INPUT);
    assert_string_equal(status_message(), "dot: takes two pictures of one size and type, not 3x2 u8x1 and 3x2 u16x1");
    assert_ptr_equal(op_reduce.compare, op_dot.compare);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_channel),        cmocka_unit_test(channels_apart_and_only_what_is_asked_for),
        cmocka_unit_test(nan_is_passed_over), cmocka_unit_test(differences_and_products),
        cmocka_unit_test(plain_numbers),      cmocka_unit_test(what_cannot_be_added_up),
    };
    const char *passed_over;
    if (backends_register() != STATUS_OK || backend_open("cpu", 0, 2, &device, &passed_over) != STATUS_OK ||
        queue_open(device, &queue) != STATUS_OK)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    queue_close(&queue);
    device_close(&device);
    return failed;
}
