/* test_value_counts.c: counts and figures of a picture's values, against sums over its pixels. */
#include "app/backends.h"
#include "app/view/data/value_counts.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

static int open_queue(void **state) {
    Device *device;
    Queue *queue;
    const char *passed_over;
    if (backend_open("cpu", 0, 2, &device, &passed_over) != STATUS_OK || queue_open(device, &queue) != STATUS_OK)
        return -1;
    *state = queue;
    return 0;
}

static int close_queue(void **state) {
    Queue *queue = *state;
    Device *device = queue->device;
    queue_close(&queue);
    device_close(&device);
    return 0;
}

static Image *random_image(Shape shape) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, 11);
    return image;
}

static double luma(ImageView view, size_t x, size_t y) {
    return 0.2126 * view_value(view, x, y, 0) + 0.7152 * view_value(view, x, y, 1) + 0.0722 * view_value(view, x, y, 2);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Figures by sums over the pixels; `room` has one place for each. */
static ValueStats figures_of(ImageView view, int row, double *room) {
    const size_t count = view.shape.width * view.shape.height;
    const double white = pixel_type_white(view.shape.type);
    ValueStats stats = {.count = (double)count};
    for (size_t i = 0; i < count; i++) {
        const size_t x = i % view.shape.width, y = i / view.shape.width;
        room[i] = row == 3 ? luma(view, x, y) : view_value(view, x, y, row);
        stats.mean += room[i] / (double)count;
        stats.shadows += room[i] <= 0 ? 1 / (double)count : 0;
        stats.lights += room[i] >= white ? 1 / (double)count : 0;
    }
    for (size_t i = 0; i < count; i++)
        stats.deviation += (room[i] - stats.mean) * (room[i] - stats.mean) / (double)count;
    qsort(room, count, sizeof *room, compare);
    stats.deviation = sqrt(stats.deviation);
    stats.minimum = room[0];
    stats.maximum = room[count - 1];
    stats.median = room[(count - 1) / 2];
    return stats;
}

static void check_figures(Queue *queue, ImageView view, double tolerance) {
    ValueCounts values;
    double *room = malloc(view.shape.width * view.shape.height * sizeof *room);
    const double share = view.shape.type == PIXEL_F32 ? 2.5 / (double)(view.shape.width * view.shape.height) : 1e-9;
    REQUIRE(value_counts_make(queue, view, &values));
    assert_int_equal(values.rows, view.shape.channels < 3 ? 1 : 4);
    for (int row = 0; row < values.rows; row++) {
        const double off = row == 3 ? tolerance + (view.shape.type == PIXEL_F32 ? 0 : 0.51) : tolerance;
        const ValueStats want = figures_of(view, row, room), got = value_counts_stats(&values, row);
        assert_true(got.count == want.count);
        assert_true(fabs(got.minimum - want.minimum) <= off && fabs(got.maximum - want.maximum) <= off);
        assert_true(fabs(got.mean - want.mean) <= off && fabs(got.deviation - want.deviation) <= off);
        assert_true(fabs(got.median - want.median) <= off);
        if (row < 3)
            assert_true(fabs(got.shadows - want.shadows) < share && fabs(got.lights - want.lights) < share);
    }
    value_counts_free(&values);
    free(room);
}

static void figures_are_those_of_the_pixels(void **state) {
    const Shape shapes[] = {
        {61, 47, 3, PIXEL_U8}, {40, 31, 4, PIXEL_U8}, {33, 70, 1, PIXEL_U16}, {50, 30, 2, PIXEL_U8}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Image *image = random_image(shapes[i]);
        check_figures(*state, image->view, 1e-6);
        check_figures(*state, view_crop(image->view, 7, 5, 20, 9), 1e-6); /* a part of it */
        image_destroy(&image);
    }
}

static void floats_are_counted_within_their_range(void **state) {
    Image *image = random_image((Shape){80, 60, 3, PIXEL_F32});
    check_figures(*state, image->view, 2e-5);
    for (size_t x = 0; x < 80; x++) /* from -3 to 5 */
        for (size_t y = 0; y < 60; y++)
            for (int c = 0; c < 3; c++)
                view_set_value(image->view, x, y, c, 8 * view_value(image->view, x, y, c) - 3);
    check_figures(*state, image->view, 2e-4);
    image_destroy(&image);
}

static void columns_are_shares(void **state) {
    Image *image = random_image((Shape){64, 64, 1, PIXEL_U8});
    double shares[COUNT_COLUMNS], sum = 0;
    size_t counts[256] = {0};
    ValueCounts values;
    for (size_t i = 0; i < 64 * 64; i++)
        counts[((const uint8_t *)image->view.pixels)[i]]++;
    REQUIRE(value_counts_make(*state, image->view, &values));
    value_counts_columns(&values, 0, 0, 255, shares);
    for (int i = 0; i < 256; i++) {
        assert_true(fabs(shares[i] - (double)counts[i] / (64 * 64)) < 1e-12);
        sum += shares[i];
    }
    assert_true(fabs(sum - 1) < 1e-9);
    value_counts_free(&values);
    image_destroy(&image);
}

/* A ramp: each strip has the values of its own columns only. */
static void strips_are_the_columns_of_the_picture(void **state) {
    const PixelType types[] = {PIXEL_U8, PIXEL_U16, PIXEL_F32};
    for (size_t t = 0; t < 3; t++) {
        Image *image;
        ValueCounts values;
        REQUIRE(image_create((Shape){256, 5, 3, types[t]}, &image));
        const double white = pixel_type_white(types[t]);
        double *shares = malloc(64 * 3 * COUNT_COLUMNS * sizeof *shares);
        for (size_t x = 0; x < 256; x++)
            for (size_t y = 0; y < 5; y++)
                for (int c = 0; c < 3; c++)
                    view_set_value(image->view, x, y, c, white / 255 * (double)(c == 1 ? 255 - x : x));
        REQUIRE(value_counts_make(*state, image->view, &values));
        REQUIRE(value_counts_strips(*state, image->view, &values, 0, white, 64, shares));
        for (size_t i = 0; i < 64; i++)
            for (size_t c = 0; c < 3; c++)
                for (size_t k = 0; k < 256; k++) {
                    const bool there = (c == 1 ? 255 - k : k) / 4 == i;
                    assert_true(fabs(shares[(i * 3 + c) * COUNT_COLUMNS + k] - (there ? 0.25 : 0)) < 1e-9);
                }
        free(shares);
        value_counts_free(&values);
        image_destroy(&image);
    }
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(figures_are_those_of_the_pixels),
        cmocka_unit_test(floats_are_counted_within_their_range),
        cmocka_unit_test(columns_are_shares),
        cmocka_unit_test(strips_are_the_columns_of_the_picture),
    };
    return cmocka_run_group_tests(tests, open_queue, close_queue);
}
