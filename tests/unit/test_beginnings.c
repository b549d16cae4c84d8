/* test_beginnings.c: filters that are set by eye begin without an effect. */
#include "app/backends.h"
#include "core/image/shape.h"

#include "tests/check.h"

#include "tests/chains.h"

static const PlanOptions clamped = {.border = {BORDER_CLAMP, 0}};

/* Their defaults are too strong for most photographs. */
static const char *const gentle[] = {"nlmeans", "dehaze"};

static bool is_gentle(const char *name) {
    bool is = false;
    for (size_t i = 0; i < sizeof gentle / sizeof gentle[0]; i++)
        is |= strcmp(gentle[i], name) == 0;
    return is;
}

/* They have a value in the midst of what they can do that does nothing. All others stand for an effect. */
static void filters_that_are_set_by_eye_have_a_beginning(void **state) {
    static const char *const neutral[] = {
        "brightness",  "contrast", "gamma",        "levels",      "curves",    "saturation", "hue",
        "temperature", "matrix",   "resize",       "crop",        "rotate",    "straighten", "clarity",
        "texture",     "warp",     "distort",      "perspective", "expr",      "exposure",   "highlights",
        "whites",      "blacks",   "channelmixer", "vibrance",    "splittone", "grain"};
    (void)state;
    for (size_t i = 0; i < filter_count; i++) {
        bool among = is_gentle(filters[i]->name);
        for (size_t k = 0; k < sizeof neutral / sizeof neutral[0]; k++)
            among |= strcmp(neutral[k], filters[i]->name) == 0;
        if (among != (filters[i]->begin != NULL))
            fail_msg("%s", filters[i]->name);
    }
}

static void others_begin_with_their_example(void **state) {
    char text[128];
    (void)state;
    assert_int_equal(filter_format_begin(filter_by_name("sepia", 5), text, sizeof text), 5);
    assert_string_equal(text, "sepia");
    assert_int_equal(filter_format_begin(filter_by_name("dog", 3), text, sizeof text), 22);
    assert_string_equal(text, "dog=1:scale=4:bias=128");
    filter_format_begin(filter_by_name("crop", 4), text, sizeof text);
    assert_string_equal(text, "crop=100:100:0:0:percent");
}

static void beginnings_leave_the_picture_as_it_is(void **state) {
    static const Shape shapes[] = {
        {31, 17, 3, PIXEL_U8}, {16, 33, 4, PIXEL_U8}, {9, 8, 1, PIXEL_U8}, {31, 17, 3, PIXEL_U16}};
    Device *device = NULL;
    const char *passed_over = NULL;
    (void)state;
    REQUIRE(backend_open("cpu", 0, 2, &device, &passed_over));
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        Image *picture = NULL;
        REQUIRE(image_create(shapes[i], &picture));
        view_fill_random(picture->view, i);
        for (size_t k = 0; k < filter_count; k++) {
            char text[128];
            if (!filters[k]->begin || is_gentle(filters[k]->name))
                continue;
            filter_format_begin(filters[k], text, sizeof text);
            Image *got = filter_by(device, text, picture, "best", clamped);
            const Shape shape = got->view.shape;
            if (!shape_equal(shape, shapes[i]))
                fail_msg("%s: %zu x %zu", text, shape.width, shape.height);
            for (size_t y = 0; y < shape.height; y++)
                if (memcmp(view_row(got->view, y), view_row(picture->view, y), shape_row_bytes(shape)) != 0)
                    fail_msg("%s changes a picture of %d channels", text, shape.channels);
            image_destroy(&got);
        }
        image_destroy(&picture);
    }
    device_close(&device);
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(filters_that_are_set_by_eye_have_a_beginning),
        cmocka_unit_test(others_begin_with_their_example),
        cmocka_unit_test(beginnings_leave_the_picture_as_it_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
