/* test_labels.c: the words for parameters in the window's panels. */
#include "app/backends.h"
#include "app/view/data/labels.h"
#include "app/view/tools/export.h"
#include "core/chain/filter.h"
#include "core/image/shape.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "tests/check.h"

#include "tests/chains.h"

/* They are words in sentence case: no sign of a program's name, and no letter alone. */
static void every_parameter_has_a_word(void **state) {
    char label[LABEL_MAX];
    (void)state;
    for (size_t i = 0; i < filter_count; i++)
        for (size_t k = 0; k < filters[i]->table.count; k++) {
            label_of_param(filters[i]->name, filters[i]->table.params[k].name, label);
            if (!isupper((unsigned char)label[0]) || strchr(label, '_') || strlen(label) < 3)
                fail_msg("%s of %s is called %s", filters[i]->table.params[k].name, filters[i]->name, label);
        }
}

static void two_parameters_of_a_filter_have_two_words(void **state) {
    char label[LABEL_MAX], other[LABEL_MAX];
    (void)state;
    for (size_t i = 0; i < filter_count; i++)
        for (size_t k = 0; k < filters[i]->table.count; k++)
            for (size_t m = 0; m < k; m++) {
                label_of_param(filters[i]->name, filters[i]->table.params[k].name, label);
                label_of_param(filters[i]->name, filters[i]->table.params[m].name, other);
                if (strcmp(label, other) == 0)
                    fail_msg("%s has two parameters called %s", filters[i]->name, label);
            }
}

static void rows_are_of_parameters(void **state) {
    (void)state;
    for (size_t i = 0; i < label_count; i++) {
        const bool all = labels[i].filter[0] == '*', exports = labels[i].filter[0] == '\0';
        const Filter *filter = !all && !exports ? filter_by_name(labels[i].filter, strlen(labels[i].filter)) : NULL;
        if (exports)
            assert_true(param_by_name(export_table(), labels[i].param) ||
                        param_by_name(export_choice_table(), labels[i].param));
        else if (!all && (!filter || !param_by_name(filter->table, labels[i].param)))
            fail_msg("%s has no parameter %s", labels[i].filter, labels[i].param);
    }
}

static void words_are_as_the_table_says(void **state) {
    char label[LABEL_MAX];
    (void)state;
    assert_string_equal(label_of_param("rotate", "by", label), "Interpolation");
    assert_string_equal(label_of_param("otsu", "by", label), "Counted");
    assert_string_equal(label_of_param("crop", "in", label), "Unit");
    assert_string_equal(label_of_param("gaussian", "sigma", label), "Sigma");
    assert_string_equal(label_of_param("emboss", "depth", label), "Depth");
    assert_string_equal(label_of_param("", "focus_distance", label), "Focus distance");
    assert_string_equal(label_of_param("", "colour", label), "Colour"); /* of a scene's surface */
}

static void filters_have_titles(void **state) {
    char title[LABEL_MAX], other[LABEL_MAX];
    (void)state;
    assert_string_equal(title_of_filter("nlmeans", title), "Noise");
    assert_string_equal(title_of_filter("gaussian", title), "Gaussian");
    assert_string_equal(name_with_title("nlmeans"), "nlmeans");
    assert_string_equal(name_with_title("gaussian"), "");
    assert_string_equal(name_with_title("whitebalance"), ""); /* White balance */
    for (size_t i = 0; i < title_count; i++)
        if (!filter_by_name(titles[i].filter, strlen(titles[i].filter)))
            fail_msg("there is no filter %s", titles[i].filter);
    for (size_t i = 0; i < filter_count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcasecmp(title_of_filter(filters[i]->name, title), title_of_filter(filters[k]->name, other)) == 0)
                fail_msg("%s and %s are both called %s", filters[i]->name, filters[k]->name, title);
}

/* A picture through a filter with these values, one that the filter changes if it has colours. */
static bool changes(Device *device, const char *chain, Shape shape) {
    Image *picture = NULL;
    REQUIRE(image_create(shape, &picture));
    view_fill_random(picture->view, 7);
    Image *got = filter_by(device, chain, picture, "best", (PlanOptions){.border = {BORDER_CLAMP, 0}});
    bool differ = !shape_equal(got->view.shape, shape);
    for (size_t y = 0; y < shape.height && !differ; y++)
        differ = memcmp(view_row(got->view, y), view_row(picture->view, y), shape_row_bytes(shape)) != 0;
    image_destroy(&got);
    image_destroy(&picture);
    return differ;
}

/* Filters that the window calls idle do nothing with gray values, and something with colours; the others with both. */
static void filters_of_colour_are_those_that_need_it(void **state) {
    static const char *const chains[] = {"temperature=9000", "saturation=0.2", "hue=90",     "whitebalance",
                                         "grayscale",        "sepia",          "brightness", "shadows",
                                         "nlmeans=1",        "unsharp",        "vignette",   "gamma"};
    Device *device = NULL;
    const char *passed_over = NULL;
    (void)state;
    REQUIRE(backend_open("cpu", 0, 2, &device, &passed_over));
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        char name[LABEL_MAX];
        snprintf(name, sizeof name, "%.*s", (int)strcspn(chains[i], "="), chains[i]);
        assert_true(changes(device, chains[i], (Shape){24, 16, 3, PIXEL_U8}));
        if (changes(device, chains[i], (Shape){24, 16, 1, PIXEL_U8}) == filter_needs_colours(name))
            fail_msg("%s", name);
    }
    device_close(&device);
}

/* A figure of 0 pixels, where that is no size. */
static void zeros_that_are_no_size_have_words(void **state) {
    (void)state;
    const Param *longer = param_by_name(export_table(), "long"), *percent = param_by_name(export_table(), "percent");
    assert_non_null(word_for_zero(longer));
    assert_string_equal(word_for_zero(longer), "as it is");
    assert_null(word_for_zero(percent));
    assert_null(word_for_zero(&(Param){.help = "columns; 0: as the height asks, so that shapes stay"}));
    assert_string_equal(word_for_zero(&(Param){.help = "of the gaussian before it; 0: none"}), "none");
}

int main(void) {
    if (backends_register() != STATUS_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_parameter_has_a_word),
        cmocka_unit_test(two_parameters_of_a_filter_have_two_words),
        cmocka_unit_test(rows_are_of_parameters),
        cmocka_unit_test(words_are_as_the_table_says),
        cmocka_unit_test(filters_have_titles),
        cmocka_unit_test(filters_of_colour_are_those_that_need_it),
        cmocka_unit_test(zeros_that_are_no_size_have_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
