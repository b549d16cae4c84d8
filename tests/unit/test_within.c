/* test_within.c: filters that are confined leave the rest as it is, to the bit. */
#include "app/backends.h"
#include "core/chain/within.h"
#include "core/chain/within_mask.h"
#include "core/ops/histogram.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

#include "tests/chains.h"

static const PlanOptions default_options = {.border = {BORDER_CLAMP, 0}};

static Device *open_cpu(void) {
    Device *device = NULL;
    const char *passed_over = NULL;
    REQUIRE(backend_open("cpu", 0, 2, &device, &passed_over));
    return device;
}

static void rectangles_are_read(void **state) {
    (void)state;
    const struct {
        const char *text;
        bool is;
        Region want;
    } rows[] = {
        {"640x360+100+80", true, {100, 80, 640, 360}},
        {"1x1+0+0", true, {0, 0, 1, 1}},
        {"0x9+1+1", false, {0}},
        {"9x0+1+1", false, {0}},
        {"640x360", false, {0}},
        {"640x360+1", false, {0}},
        {"640x360+1+2+3", false, {0}},
        {"640x360-1+2", false, {0}},
        {"+640x360+1+2", false, {0}},
        {"mask.png", false, {0}},
        {"./1x1+0+0", false, {0}},
        {"", false, {0}},
        {"1x1+0+0.png", false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Region got = {0};
        char text[64];
        if (within_is_rectangle(rows[i].text, &got) != rows[i].is)
            fail_msg("\"%s\"", rows[i].text);
        if (!rows[i].is)
            continue;
        assert_int_equal(got.left, rows[i].want.left);
        assert_int_equal(got.top, rows[i].want.top);
        assert_int_equal(got.width, rows[i].want.width);
        assert_int_equal(got.height, rows[i].want.height);
        within_format(got, text, sizeof text);
        assert_string_equal(text, rows[i].text);
    }
}

/* Edges by hand: those of a part that begins where another one ends meet it. */
static void rectangles_are_shares_of_any_picture(void **state) {
    (void)state;
    const struct {
        const char *text;
        Shape picture;
        bool is;
        Region want;
    } rows[] = {
        {"50%x25%+10%+20%", {.width = 200, .height = 100}, true, {20, 20, 100, 25}},
        {"50%x25%+10%+20%", {.width = 20, .height = 1000}, true, {2, 200, 10, 250}},
        {"12.5%x100%+0%+0%", {.width = 60, .height = 7}, true, {0, 0, 8, 7}}, /* 7.5 */
        {"87.5%x100%+12.5%+0%", {.width = 60, .height = 7}, true, {8, 0, 52, 7}},
        {"0.001%x1%+50%+50%", {.width = 10, .height = 10}, true, {5, 5, 1, 1}},
        {"640x360+100+80", {.width = 10, .height = 10}, true, {100, 80, 640, 360}},
        {"0%x1%+5%+5%", {.width = 10, .height = 10}, false, {0}},
        {"50%x50%+1%", {.width = 10, .height = 10}, false, {0}},
        {"50%x50%+1+1", {.width = 10, .height = 10}, false, {0}},
        {"0x1%x50%+1%+1%", {.width = 10, .height = 10}, false, {0}},
        {"50%x50%+1%+1%.png", {.width = 10, .height = 10}, false, {0}},
        {"5.0.1%x50%+1%+1%", {.width = 10, .height = 10}, false, {0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        Region got = {0};
        if (within_rectangle(rows[i].text, rows[i].picture, &got) != rows[i].is)
            fail_msg("\"%s\"", rows[i].text);
        if (rows[i].is && (got.left != rows[i].want.left || got.top != rows[i].want.top ||
                           got.width != rows[i].want.width || got.height != rows[i].want.height))
            fail_msg("%s: %zux%zu+%td+%td", rows[i].text, got.width, got.height, got.left, got.top);
    }
}

/* Pixels become shares that are those pixels again, in pictures of every size. */
static void shares_of_pixels_are_these_pixels(void **state) {
    (void)state;
    static const size_t sides[] = {1, 7, 61, 997, 4003, 99991};
    for (size_t i = 0; i < 6; i++)
        for (size_t k = 0; k < 6; k++)
            for (size_t part = 1; part < 5; part++) {
                const Shape shape = {.width = sides[i], .height = sides[k]};
                const Region want = {(ptrdiff_t)(sides[i] / 5), (ptrdiff_t)(sides[k] / 3), 1 + sides[i] * part / 7,
                                     1 + sides[k] * part / 9};
                Region got;
                char text[96];
                within_format_shares(want, shape, text, sizeof text);
                assert_true(within_rectangle(text, shape, &got));
                assert_true(got.left == want.left && got.top == want.top && got.width == want.width &&
                            got.height == want.height);
            }
}

static Image *noise(Shape shape) {
    Image *image = NULL;
    REQUIRE(image_create(shape, &image));
    view_fill_random(image->view, 3);
    if (shape.type == PIXEL_F32)
        for (size_t i = 0; i < 9; i++)
            view_set_value(image->view, 5 * i % shape.width, 7 * i % shape.height, 0,
                           i % 3 == 0   ? (double)NAN
                           : i % 3 == 1 ? (double)INFINITY
                                        : -(double)INFINITY);
    return image;
}

static bool alike(ImageView a, size_t x, size_t y, ImageView b, int c) {
    const size_t bytes = pixel_type_size(a.shape.type), at = (x * (size_t)a.shape.channels + (size_t)c) * bytes;
    return memcmp((const char *)view_row(a, y) + at, (const char *)view_row(b, y) + at, bytes) == 0;
}

/* Within the rectangle, pixels are the filter's result for all. Beyond, and in alpha, they stay to the bit, whatever
 * the filter made of infinity and NaN there. */
static void rectangles_confine(void **state) {
    (void)state;
    const Shape shapes[] = {{40, 30, 1, PIXEL_U8},  {40, 30, 3, PIXEL_U8},  {41, 29, 4, PIXEL_U8},
                            {40, 30, 3, PIXEL_U16}, {37, 30, 2, PIXEL_U16}, {40, 30, 3, PIXEL_F32}};
    const struct {
        const char *filter, *confined;
        Region within;
    } rows[] = {
        {"gaussian=2", "gaussian=2:within=11x9+5+7", {5, 7, 11, 9}},
        {"invert", "invert=within=1x1+0+0", {0, 0, 1, 1}},
        {"median=2", "median=2:within=500x3+30+28", {30, 28, 500, 3}},
        {"sharpen", "sharpen=within=5x5+400+2", {400, 2, 5, 5}}, /* nothing of the picture */
        {"brightness=0.3", "brightness=0.3:within='9999x9999+0+0'", {0, 0, 9999, 9999}},
    };
    static const char *const levels[] = {"best", "reference"};
    Device *cpu = open_cpu();
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++)
        for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
            Image *in = noise(shapes[k]);
            Image *all = filter_by(cpu, rows[i / 2].filter, in, levels[i % 2], default_options);
            Image *got = filter_by(cpu, rows[i / 2].confined, in, levels[i % 2], default_options);
            const Region part = rows[i / 2].within;
            assert_true(shape_equal(got->view.shape, shapes[k]));
            for (size_t y = 0; y < shapes[k].height; y++)
                for (size_t x = 0; x < shapes[k].width; x++)
                    for (int c = 0; c < shapes[k].channels; c++) {
                        const ptrdiff_t right = (ptrdiff_t)x - part.left, below = (ptrdiff_t)y - part.top;
                        const bool inside = right >= 0 && below >= 0 && (size_t)right < part.width &&
                                            (size_t)below < part.height && c < shape_colours(shapes[k]);
                        if (!alike(got->view, x, y, inside ? all->view : in->view, c))
                            fail_msg("%s, shape %zu: %zu, %zu, channel %d", rows[i / 2].confined, k, x, y, c);
                    }
            image_destroy(&in);
            image_destroy(&all);
            image_destroy(&got);
        }
    device_close(&cpu);
}

/* A mask's brightness is how much of the filter shows: values by hand. */
static void masks_confine_by_degrees(void **state) {
    (void)state;
    const Shape shape = {4, 1, 1, PIXEL_U8};
    const double values[] = {0, 100, 200, 255}, masks[] = {0, 51, 204, 255};
    const int want[] = {0, 111, 84, 0}; /* v + (255 - 2 v) m: 0; 100 + 55 / 5; 200 - 145 4 / 5; 255 - 255 */
    Device *cpu = open_cpu();
    Image *in = NULL, *mask = NULL;
    REQUIRE(image_create(shape, &in));
    REQUIRE(image_create(shape, &mask));
    for (size_t x = 0; x < 4; x++) {
        view_set_value(in->view, x, 0, 0, values[x]);
        view_set_value(mask->view, x, 0, 0, masks[x]);
    }
    Plan *plan = plan_with_image("invert=within=mask", shape, default_options, "mask", mask);
    Image *got = run_plan(cpu, plan, in, "best");
    for (size_t x = 0; x < 4; x++)
        assert_int_equal((int)view_value(got->view, x, 0, 0), want[x]);
    image_destroy(&in);
    image_destroy(&got);
    device_close(&cpu);
}

static Image *row_of(const double *values, size_t count) {
    Image *image = NULL;
    REQUIRE(image_create((Shape){count, 1, 1, PIXEL_U8}, &image));
    for (size_t x = 0; x < count; x++)
        view_set_value(image->view, x, 0, 0, values[x]);
    return image;
}

/* A mask of another size stands for shares of the picture: its values there by hand. Larger masks mix the pixels around
 * each place, by how near they are; smaller pictures take all that a pixel covers. */
static void masks_fit_pictures_of_other_sizes(void **state) {
    (void)state;
    static const struct {
        double mask[4];
        size_t count, width;
        double fits[4]; /* the mask of the picture's width that does the same */
    } rows[] = {
        {{0, 255}, 2, 4, {0, 64, 191, 255}},   /* 255 / 4, 255 * 3 / 4 */
        {{0, 100, 200, 255}, 4, 2, {71, 209}}, /* weights 3, 3, 1 of 7: 500 / 7, (100 + 600 + 765) / 7 */
        {{90}, 1, 3, {90, 90, 90}},
    };
    Device *cpu = open_cpu();
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const Shape shape = {rows[i].width, 1, 1, PIXEL_U8};
        Image *in = noise(shape);
        Plan *plan =
            plan_with_image("invert=within=mask", shape, default_options, "mask", row_of(rows[i].mask, rows[i].count));
        Image *got = run_plan(cpu, plan, in, "best");
        plan =
            plan_with_image("invert=within=mask", shape, default_options, "mask", row_of(rows[i].fits, rows[i].width));
        Image *want = run_plan(cpu, plan, in, "best");
        assert_memory_equal(view_row(got->view, 0), view_row(want->view, 0), rows[i].width);
        image_destroy(&in);
        image_destroy(&got);
        image_destroy(&want);
    }
    device_close(&cpu);
}

/* Coloured masks count by their luma, alpha not at all; a mask serves several sizes, and plans of one size share it. */
static void a_mask_is_resized_once(void **state) {
    (void)state;
    Image *mask = NULL, *made = NULL, *again = NULL, *other = NULL;
    REQUIRE(image_create((Shape){2, 3, 4, PIXEL_U16}, &mask));
    for (size_t i = 0; i < 6; i++) {
        view_set_value(mask->view, i % 2, i / 2, 1, 10000); /* green */
        view_set_value(mask->view, i % 2, i / 2, 3, 777);
    }
    REQUIRE(within_mask_resize(mask, 5, 9, &made));
    REQUIRE(within_mask_resize(mask, 4, 4, &other));
    REQUIRE(within_mask_resize(mask, 5, 9, &again));
    assert_ptr_equal(made, again);
    assert_true(shape_equal(made->view.shape, (Shape){5, 9, 1, PIXEL_U16}));
    assert_int_equal((int)view_value(made->view, 4, 8, 0), 7152);
    assert_int_equal((int)view_value(other->view, 0, 3, 0), 7152);
    image_destroy(&mask);
    image_destroy(&made);
    image_destroy(&other);
    image_destroy(&again);
}

static void what_changes_the_shape_is_refused(void **state) {
    (void)state;
    Chain *chain = NULL;
    Plan *plan = NULL;
    REQUIRE(chain_parse("resize=scale=2:within=5x5+0+0", &chain));
    assert_int_equal(chain_plan(chain, (Shape){20, 20, 3, PIXEL_U8}, default_options, &plan), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "within=5x5+0+0: a filter that changes the picture's size"));
    chain_destroy(&chain);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_are_read),
        cmocka_unit_test(rectangles_are_shares_of_any_picture),
        cmocka_unit_test(shares_of_pixels_are_these_pixels),
        cmocka_unit_test(rectangles_confine),
        cmocka_unit_test(masks_confine_by_degrees),
        cmocka_unit_test(masks_fit_pictures_of_other_sizes),
        cmocka_unit_test(a_mask_is_resized_once),
        cmocka_unit_test(what_changes_the_shape_is_refused),
    };
    return cmocka_run_group_tests_name("within", tests, NULL, NULL);
}
