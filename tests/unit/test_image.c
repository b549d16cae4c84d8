/* test_image.c: shapes and their limits, pixels and views on them. */
#include "core/base/memory.h"
#include "core/image/image.h"
#include "core/math/pcg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static Image *make(size_t width, size_t height, int channels, PixelType type) {
    Image *image = NULL;
    assert_int_equal(image_create((Shape){width, height, channels, type}, &image), STATUS_OK);
    return image;
}

static void types_say_what_they_are(void **state) {
    (void)state;
    const struct {
        const char *text;
        PixelType type;
        int channels;
        size_t size;
        double white;
    } rows[] = {{"u8x4", PIXEL_U8, 4, 1, 255}, {"u16x3", PIXEL_U16, 3, 2, 65535}, {"f32x1", PIXEL_F32, 1, 4, 1}};
    for (size_t i = 0; i < 3; i++) {
        Shape shape = {5, 7, 9, PIXEL_TYPES};
        assert_int_equal(shape_parse_type(rows[i].text, &shape), STATUS_OK);
        assert_int_equal(shape.type, rows[i].type);
        assert_int_equal(shape.channels, rows[i].channels);
        assert_int_equal(shape.width, 5);
        assert_int_equal(shape.height, 7);
        assert_int_equal(pixel_type_size(shape.type), rows[i].size);
        assert_true(pixel_type_white(shape.type) == rows[i].white);
        assert_memory_equal(pixel_type_name(shape.type), rows[i].text, strlen(pixel_type_name(shape.type)));
    }
    const char *const wrong[] = {"", "u8", "u8x0", "u8x5", "u8x44", "u8x4 ", "f64x1", "x4", "u8 x4"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Shape shape = {0};
        if (shape_parse_type(wrong[i], &shape) != STATUS_USAGE)
            fail_msg("type \"%s\" was not refused", wrong[i]);
        assert_non_null(strstr(status_message(), "u8x4"));
    }
}

static void sizes_parse(void **state) {
    (void)state;
    Shape shape = {0, 0, 3, PIXEL_U16};
    assert_int_equal(shape_parse_size("3840x2160", &shape), STATUS_OK);
    assert_true(shape_equal(shape, (Shape){3840, 2160, 3, PIXEL_U16}));
    const char *const wrong[] = {"",     "3840", "3840x", "x2160", "0x5",   "5x0",          "-5x5",
                                 "5x-5", "5 x5", "5x5x5", "5X5",   "5x5px", "4294967296x1", "1x99999999999999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        if (shape_parse_size(wrong[i], &shape) != STATUS_USAGE)
            fail_msg("size \"%s\" was not refused", wrong[i]);
}

static void shapes_that_cannot_be_held_are_refused(void **state) {
    (void)state;
    const Shape wrong[] = {
        {0, 5, 1, PIXEL_U8},
        {5, 0, 1, PIXEL_U8},
        {5, 5, 0, PIXEL_U8},
        {5, 5, 5, PIXEL_U8},
        {5, 5, -1, PIXEL_U8},
        {SIZE_MAX, 1, 1, PIXEL_U8},
        {1, SIZE_MAX, 1, PIXEL_U8},
        {SIZE_MAX, SIZE_MAX, 4, PIXEL_F32},
        /* products that wrap to something small */
        {(size_t)1 << 63, 2, 1, PIXEL_U8},
        {(size_t)1 << 32, (size_t)1 << 32, 1, PIXEL_U8},
        {((size_t)1 << 60) + 1, 1, 4, PIXEL_F32},
        {((size_t)1 << 31) + 1, ((size_t)1 << 31) + 1, 4, PIXEL_F32},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Image *image = (Image *)&image;
        assert_int_equal(shape_check(wrong[i]), STATUS_INPUT);
        assert_int_equal(image_create(wrong[i], &image), STATUS_INPUT);
        assert_null(image);
    }
}

static void the_budget_is_the_limit(void **state) {
    (void)state;
    const struct {
        const char *text;
        size_t bytes;
    } rows[] = {{"1000", 1000},
                {"2K", 2048},
                {"3m", 3 << 20},
                {"1G", 1 << 30},
                {"0.5G", 1 << 29},
                {"1T", (size_t)1 << 40},
                {"99999999999999999G", SIZE_MAX}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        setenv("GLINT_MEMORY", rows[i].text, 1);
        assert_int_equal(memory_budget(), rows[i].bytes);
    }
    static const char *const wrong[] = {"abc", "G", "-1", "0", "0.5", "1X", "1GB ", "1/2G", "inf", "nan", "1e"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        setenv("GLINT_MEMORY", wrong[i], 1);
        if (memory_check() != STATUS_USAGE)
            fail_msg("GLINT_MEMORY=%s is accepted", wrong[i]);
    }
    setenv("GLINT_MEMORY", "1200", 1);
    assert_int_equal(shape_check((Shape){20, 20, 3, PIXEL_U8}), STATUS_OK); /* exactly 1200 bytes */
    assert_int_equal(shape_check((Shape){20, 21, 3, PIXEL_U8}), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "GLINT_MEMORY"));
    assert_int_equal(shape_check((Shape){1201, 1, 1, PIXEL_U8}), STATUS_INPUT);
    assert_int_equal(shape_check((Shape){10, 10, 4, PIXEL_F32}), STATUS_INPUT);
    unsetenv("GLINT_MEMORY");
    assert_true(memory_budget() >= (size_t)1 << 26);
}

static void images_come_zeroed_packed_and_aligned(void **state) {
    (void)state;
    Image *image = make(13, 5, 3, PIXEL_U16);
    assert_int_equal(image->view.stride, 13 * 3 * 2);
    assert_int_equal(shape_bytes(image->view.shape), 13 * 5 * 3 * 2);
    assert_int_equal((uintptr_t)image->view.pixels % 64, 0);
    assert_null(image->profile);
    for (size_t i = 0; i < shape_bytes(image->view.shape); i++)
        assert_int_equal(((unsigned char *)image->view.pixels)[i], 0);
    image_destroy(&image);
    assert_null(image);
    image_destroy(&image); /* once more does nothing */
}

static void values_are_rounded_to_even_and_clamped(void **state) {
    (void)state;
    const struct {
        double value, u8, u16;
    } rows[] = {
        {0.5, 0, 0},  {1.5, 2, 2}, {2.5, 2, 2},         {254.5, 254, 254}, {254.51, 255, 255},     {300, 255, 300},
        {-0.4, 0, 0}, {-7, 0, 0},  {70000, 255, 65535}, {NAN, 0, 0},       {INFINITY, 255, 65535}, {-INFINITY, 0, 0}};
    Image *u8 = make(1, 1, 1, PIXEL_U8), *u16 = make(1, 1, 1, PIXEL_U16), *f32 = make(1, 1, 1, PIXEL_F32);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        view_set_value(u8->view, 0, 0, 0, rows[i].value);
        view_set_value(u16->view, 0, 0, 0, rows[i].value);
        assert_true(view_value(u8->view, 0, 0, 0) == rows[i].u8);
        assert_true(view_value(u16->view, 0, 0, 0) == rows[i].u16);
    }
    view_set_value(f32->view, 0, 0, 0, -300.125); /* floats hold any value they are given */
    assert_true(view_value(f32->view, 0, 0, 0) == -300.125);
    image_destroy(&u8);
    image_destroy(&u16);
    image_destroy(&f32);
}

static void values_lie_where_the_layout_says(void **state) {
    (void)state;
    Image *image = make(4, 3, 2, PIXEL_U8);
    view_set_value(image->view, 3, 2, 1, 200);
    view_set_value(image->view, 0, 1, 0, 100);
    const unsigned char *pixels = image->view.pixels;
    assert_int_equal(pixels[2 * 8 + 3 * 2 + 1], 200);
    assert_int_equal(pixels[8], 100);
    image_destroy(&image);
}

static void a_crop_shares_pixels_and_a_clone_does_not(void **state) {
    (void)state;
    Image *image = make(11, 7, 3, PIXEL_U16);
    view_fill_random(image->view, 5);
    const ImageView crop = view_crop(image->view, 2, 3, 4, 2);
    assert_int_equal(crop.stride, image->view.stride);
    assert_true(shape_equal(crop.shape, (Shape){4, 2, 3, PIXEL_U16}));
    Image *clone = NULL;
    assert_int_equal(image_clone(crop, &clone), STATUS_OK);
    assert_int_equal(clone->view.stride, 4 * 3 * 2);
    for (size_t y = 0; y < 2; y++)
        for (size_t x = 0; x < 4; x++)
            for (int c = 0; c < 3; c++) {
                assert_true(view_value(crop, x, y, c) == view_value(image->view, x + 2, y + 3, c));
                assert_true(view_value(clone->view, x, y, c) == view_value(image->view, x + 2, y + 3, c));
            }
    const double before = view_value(clone->view, 1, 1, 2);
    view_set_value(crop, 1, 1, 2, before < 9 ? 99 : before - 1);
    assert_true(view_value(image->view, 3, 4, 2) != before);
    assert_true(view_value(clone->view, 1, 1, 2) == before);
    image_destroy(&clone);
    image_destroy(&image);
}

static void copying_into_a_crop_leaves_the_rest(void **state) {
    (void)state;
    Image *canvas = make(9, 9, 1, PIXEL_U8), *stamp = make(3, 2, 1, PIXEL_U8);
    memset(stamp->view.pixels, 77, shape_bytes(stamp->view.shape));
    view_copy(stamp->view, view_crop(canvas->view, 4, 5, 3, 2));
    for (size_t y = 0; y < 9; y++)
        for (size_t x = 0; x < 9; x++)
            assert_true(view_value(canvas->view, x, y, 0) == (x >= 4 && x < 7 && y >= 5 && y < 7 ? 77 : 0));
    image_destroy(&canvas);
    image_destroy(&stamp);
}

static void random_pixels_depend_on_the_seed_alone(void **state) {
    (void)state;
    for (int type = 0; type < PIXEL_TYPES; type++) {
        Image *a = make(31, 17, 4, (PixelType)type), *b = make(40, 20, 4, (PixelType)type);
        const ImageView strided = view_crop(b->view, 5, 2, 31, 17);
        view_fill_random(a->view, 42);
        view_fill_random(strided, 42);
        const double white = pixel_type_white((PixelType)type);
        double sum = 0;
        for (size_t y = 0; y < 17; y++)
            for (size_t x = 0; x < 31; x++)
                for (int c = 0; c < 4; c++) {
                    const double value = view_value(a->view, x, y, c);
                    assert_true(value >= 0 && value <= white);
                    assert_true(value == view_value(strided, x, y, c));
                    sum += value / white;
                }
        /* 2108 uniform values: the mean's standard deviation is 0.0063 */
        assert_true(fabs(sum / (31 * 17 * 4) - 0.5) < 0.03);
        view_fill_random(strided, 43);
        assert_true(memcmp(view_row(strided, 0), view_row(a->view, 0), shape_row_bytes(a->view.shape)) != 0);
        image_destroy(&a);
        image_destroy(&b);
    }
}

/* Many rows are shared out among threads. */
static void random_pixels_are_one_sequence(void **state) {
    (void)state;
    Image *image = make(1201, 301, 3, PIXEL_U16);
    view_fill_random(image->view, 9);
    Pcg pcg = pcg_seed(9, 1);
    for (size_t y = 0; y < 301; y++)
        for (size_t i = 0; i < (size_t)1201 * 3; i++)
            assert_int_equal(((const uint16_t *)view_row(image->view, y))[i], pcg_next(&pcg) >> 16);
    image_destroy(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_say_what_they_are),
        cmocka_unit_test(sizes_parse),
        cmocka_unit_test(shapes_that_cannot_be_held_are_refused),
        cmocka_unit_test(the_budget_is_the_limit),
        cmocka_unit_test(images_come_zeroed_packed_and_aligned),
        cmocka_unit_test(values_are_rounded_to_even_and_clamped),
        cmocka_unit_test(values_lie_where_the_layout_says),
        cmocka_unit_test(a_crop_shares_pixels_and_a_clone_does_not),
        cmocka_unit_test(copying_into_a_crop_leaves_the_rest),
        cmocka_unit_test(random_pixels_depend_on_the_seed_alone),
        cmocka_unit_test(random_pixels_are_one_sequence),
    };
    return cmocka_run_group_tests_name("image", tests, NULL, NULL);
}
