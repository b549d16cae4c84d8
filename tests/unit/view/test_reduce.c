/* test_reduce.c: averages over the area of a window's pixel. */
#include "render/reduce.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

static ImageView view_of(void *pixels, size_t width, size_t height, int channels, PixelType type) {
    const Shape shape = {width, height, channels, type};
    return (ImageView){shape, shape_row_bytes(shape), pixels};
}

static void lengths_count_centres(void **state) {
    (void)state;
    assert_int_equal(reduced_length(1920, 0.5), 960);
    assert_int_equal(reduced_length(97, 0.25), 24); /* 24.25: the centre of pixel 24 would lie at 98 */
    assert_int_equal(reduced_length(99, 0.25), 25); /* 24.75: that of pixel 24 lies at 98 */
    assert_int_equal(reduced_length(7, 1), 7);
    assert_int_equal(reduced_length(3, 0.01), 1);
}

/* (0 + 10 + 40 + 50) / 4 and (20 + 30 + 60 + 70) / 4, in every type. */
static void halves_are_means_of_four(void **state) {
    (void)state;
    uint8_t bytes[] = {0, 10, 20, 30, 40, 50, 60, 70}, two[2];
    uint16_t words[] = {0, 1000, 2000, 3000, 4000, 5000, 6000, 7000}, wide[2];
    float numbers[] = {0, -1, 2, 3, 4, -5, 6, 7}, light[2];
    assert_int_equal(reduce_part(view_of(bytes, 4, 2, 1, PIXEL_U8), 0.5, 0, 0, view_of(two, 2, 1, 1, PIXEL_U8)),
                     STATUS_OK);
    assert_true(two[0] == 25 && two[1] == 45);
    assert_int_equal(reduce_part(view_of(words, 4, 2, 1, PIXEL_U16), 0.5, 0, 0, view_of(wide, 2, 1, 1, PIXEL_U16)),
                     STATUS_OK);
    assert_true(wide[0] == 2500 && wide[1] == 4500);
    assert_int_equal(reduce_part(view_of(numbers, 4, 2, 1, PIXEL_F32), 0.5, 0, 0, view_of(light, 2, 1, 1, PIXEL_F32)),
                     STATUS_OK);
    assert_true(light[0] == -0.5f && light[1] == 4.5f);
}

/* At 2/3, a pixel covers one and a half: (30 + 60 / 2) / 1.5 and (60 / 2 + 90) / 1.5; the colours apart. */
static void pixels_at_the_edge_count_by_their_share(void **state) {
    (void)state;
    uint8_t from[] = {30, 3, 0, 60, 6, 0, 90, 9, 255}, to[6];
    assert_int_equal(reduce_part(view_of(from, 3, 1, 3, PIXEL_U8), 2.0 / 3, 0, 0, view_of(to, 2, 1, 3, PIXEL_U8)),
                     STATUS_OK);
    const uint8_t want[] = {40, 4, 0, 80, 8, 170};
    assert_memory_equal(to, want, sizeof want);
}

/* The green of a pixel that cannot be seen does not tint red; alpha is (255 + 0) / 2, rounded. */
static void colours_are_weighted_by_alpha(void **state) {
    (void)state;
    uint8_t from[] = {255, 0, 0, 255, 0, 255, 0, 0}, to[4], gray[] = {200, 255, 100, 0}, one[2];
    const uint8_t want[] = {255, 0, 0, 128}, want_gray[] = {200, 128};
    assert_int_equal(reduce_part(view_of(from, 2, 1, 4, PIXEL_U8), 0.5, 0, 0, view_of(to, 1, 1, 4, PIXEL_U8)),
                     STATUS_OK);
    assert_memory_equal(to, want, sizeof want);
    assert_int_equal(reduce_part(view_of(gray, 2, 1, 2, PIXEL_U8), 0.5, 0, 0, view_of(one, 1, 1, 2, PIXEL_U8)),
                     STATUS_OK);
    assert_memory_equal(one, want_gray, sizeof want_gray);
}

/* However a picture is cut, its parts are those of the whole. */
static void parts_are_those_of_the_whole(void **state) {
    (void)state;
    enum { WIDTH = 101, HEIGHT = 37, CHANNELS = 3 };
    static uint8_t from[WIDTH * HEIGHT * CHANNELS], whole[WIDTH * HEIGHT * CHANNELS], part[WIDTH * HEIGHT * CHANNELS];
    const double scales[] = {0.011, 0.37, 0.5, 0.93};
    uint32_t number = 1;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)((number = number * 1664525 + 1013904223) >> 24);
    const ImageView picture = view_of(from, WIDTH, HEIGHT, CHANNELS, PIXEL_U8);
    for (size_t s = 0; s < sizeof scales / sizeof scales[0]; s++) {
        const size_t width = reduced_length(WIDTH, scales[s]), height = reduced_length(HEIGHT, scales[s]);
        const ImageView all = view_of(whole, width, height, CHANNELS, PIXEL_U8);
        assert_int_equal(reduce_part(picture, scales[s], 0, 0, all), STATUS_OK);
        const size_t x = width / 3, y = height / 4, w = width - x - width / 5, h = height - y - height / 5;
        const ImageView some = view_of(part, w, h, CHANNELS, PIXEL_U8);
        assert_int_equal(reduce_part(picture, scales[s], x, y, some), STATUS_OK);
        for (size_t row = 0; row < h; row++)
            assert_memory_equal(view_row(some, row), view_row(view_crop(all, x, y, w, h), row), w * CHANNELS);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_count_centres),
        cmocka_unit_test(halves_are_means_of_four),
        cmocka_unit_test(pixels_at_the_edge_count_by_their_share),
        cmocka_unit_test(colours_are_weighted_by_alpha),
        cmocka_unit_test(parts_are_those_of_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
