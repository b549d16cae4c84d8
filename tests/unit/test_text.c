/* test_text.c: nearest names and numbers that people wrote. */
#include "core/text.h"

#include <string.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void distances_worked_out_by_hand(void **state) {
    (void)state;
    const struct {
        const char *a, *b;
        size_t distance;
    } rows[] = {
        {"", "", 0},         {"", "abc", 3},     {"abc", "", 3},  {"abc", "abc", 0},        {"abc", "abd", 1},
        {"abc", "ab", 1},    {"abc", "xabc", 1}, {"ab", "ba", 2}, {"kitten", "sitting", 3}, {"gausian", "gaussian", 1},
        {"flaw", "lawn", 2}, {"abc", "xyz", 3}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        assert_int_equal(text_distance(rows[k].a, strlen(rows[k].a), rows[k].b), rows[k].distance);
        assert_int_equal(text_distance(rows[k].b, strlen(rows[k].b), rows[k].a), rows[k].distance);
    }
    assert_int_equal(text_distance("sharpen=3", 7, "sharpen"), 0); /* only the length given counts */
}

static void only_close_names_are_suggested(void **state) {
    (void)state;
    const char *const known[] = {"gaussian", "box", "sobel", "sharpen"};
    const struct {
        const char *typed, *suggested;
    } rows[] = {
        {"gausian", "gaussian"}, {"sobl", "sobel"}, {"sharpne", "sharpen"}, {"bax", "box"}, {"wholly-else", NULL},
        {"gauss", "gaussian"},   {"x", NULL}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *close = NULL;
        size_t best = SIZE_MAX;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            if (text_closer(rows[k].typed, strlen(rows[k].typed), known[i], &best))
                close = known[i];
        assert_string_equal(close ? close : "(none)", rows[k].suggested ? rows[k].suggested : "(none)");
    }
    char endless[1000];
    memset(endless, 'a', sizeof endless);
    size_t best = SIZE_MAX;
    assert_false(text_closer(endless, sizeof endless, "box", &best));
}

static void numbers_and_fractions(void **state) {
    (void)state;
    const struct {
        const char *text;
        double number;
        size_t length;
    } rows[] = {{"5", 5, 1},           {"-5", -5, 2},    {"+.5", 0.5, 3},    {"1e3", 1000, 3},
                {"-2.5e-1", -0.25, 7}, {"1/4", 0.25, 3}, {"-3/-4", 0.75, 5}, {"2px", 2, 1},
                {"7:x", 7, 1},         {"0x10", 16, 4},  {"1e-400", 0, 6}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *end = NULL;
        double number = -1;
        if (!text_number(rows[k].text, &end, &number))
            fail_msg("\"%s\" was not read", rows[k].text);
        assert_true(number == rows[k].number);
        assert_int_equal(end - rows[k].text, rows[k].length);
    }
    const char *const wrong[] = {"",    " 5",           "x",  "-", ".", "nan", "inf", "-inf", "1e999", "1/0",
                                 "1/x", "1e308/1e-308", "--5"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *end = NULL;
        double number = 0;
        if (text_number(wrong[k], &end, &number))
            fail_msg("\"%s\" was read as %g", wrong[k], number);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_worked_out_by_hand),
        cmocka_unit_test(only_close_names_are_suggested),
        cmocka_unit_test(numbers_and_fractions),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
