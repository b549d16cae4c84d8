/* test_text.c: nearest names and numbers that people wrote. */
#include "core/base/text.h"

#include <string.h>

#include "tests/check.h"

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
    } rows[] = {{"5", 5, 1},      {"-5", -5, 2},      {"+.5", 0.5, 3}, {"1e3", 1000, 3}, {"-2.5e-1", -0.25, 7},
                {"1/4", 0.25, 3}, {"-3/-4", 0.75, 5}, {"2px", 2, 1},   {"7:x", 7, 1},    {"1e-400", 0, 6}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *end = NULL;
        double number = -1;
        if (!text_number(rows[k].text, &end, &number))
            fail_msg("\"%s\" was not read", rows[k].text);
        assert_true(number == rows[k].number);
        assert_int_equal(end - rows[k].text, rows[k].length);
    }
    const char *const wrong[] = {"",    " 5",   "x",      "-",      ".",   "nan",
                                 "inf", "-inf", "1e999",  "1/0",    "1/x", "1e308/1e-308",
                                 "--5", "0x10", "-0X1p3", "1/0x10", "0x"};
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        const char *end = NULL;
        double number = 0;
        if (text_number(wrong[k], &end, &number))
            fail_msg("\"%s\" was read as %g", wrong[k], number);
    }
}

/* Well-formed and ill-formed sequences: Unicode 15, table 3-7 and the examples behind it. */
static void bytes_that_are_no_text_are_escaped(void **state) {
    (void)state;
    const struct {
        const char *text, *utf8, *printable;
    } rows[] = {
        {"", "", ""},
        {"photo 1.png", "photo 1.png", "photo 1.png"},
        {"Br\xC3\xBC"
         "cke \xE2\x82\xAC \xF0\x9F\x8E\xA8",
         "Br\xC3\xBC"
         "cke \xE2\x82\xAC \xF0\x9F\x8E\xA8",
         "Br\xC3\xBC"
         "cke \xE2\x82\xAC \xF0\x9F\x8E\xA8"},
        {"b\xE4r.png", "b\\xe4r.png", "b\\xe4r.png"},                      /* Latin-1 */
        {"a\nb\x1B[31m\x7F", "a\nb\x1B[31m\x7F", "a\\x0ab\\x1b[31m\\x7f"}, /* C0 and DEL */
        {"\xC2\x9B"
         "31m\xC2\xA0",
         "\xC2\x9B"
         "31m\xC2\xA0",
         "\\xc2\\x9b"
         "31m\xC2\xA0"},                          /* C1; a space that does not break */
        {"\xC0\xAF", "\\xc0\\xaf", "\\xc0\\xaf"}, /* longer than need be */
        {"\xE0\x9F\xBF", "\\xe0\\x9f\\xbf", "\\xe0\\x9f\\xbf"},
        {"\xED\xA0\x80", "\\xed\\xa0\\x80", "\\xed\\xa0\\x80"},               /* a surrogate */
        {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80", "\\xf4\\x90\\x80\\x80"}, /* beyond U+10FFFF */
        {"cut \xE2\x82", "cut \\xe2\\x82", "cut \\xe2\\x82"},
        {"\xF5\xFF\x80", "\\xf5\\xff\\x80", "\\xf5\\xff\\x80"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char text[128];
        assert_int_equal(text_escape(rows[k].text, TEXT_UTF8, text, sizeof text), strlen(rows[k].utf8));
        assert_string_equal(text, rows[k].utf8);
        assert_int_equal(text_escape(rows[k].text, TEXT_PRINTABLE, text, sizeof text), strlen(rows[k].printable));
        assert_string_equal(text, rows[k].printable);
    }
    char small[6]; /* cut off at a whole character or escape, and ended */
    assert_int_equal(text_escape("ab\xE2\x82\xAC\xFF", TEXT_UTF8, small, sizeof small), 9);
    assert_string_equal(small, "ab\xE2\x82\xAC");
    assert_int_equal(text_escape("ab\xFF", TEXT_UTF8, small, sizeof small), 6);
    assert_string_equal(small, "ab");
    assert_int_equal(text_escape("\xFF", TEXT_UTF8, small, 2), 4);
    assert_string_equal(small, "");
    assert_int_equal(text_escape("\xFF", TEXT_UTF8, NULL, 0), 4);
}

/* Each stands before all that follow. */
static void names_are_in_the_order_of_people(void **state) {
    (void)state;
    static const char *const names[] = {"",
                                        "0.png",
                                        "00.png",
                                        "1",
                                        "01.png",
                                        "1.png",
                                        "2.png",
                                        "010.png",
                                        "10.png",
                                        "99999999999999999999998",
                                        "99999999999999999999999",
                                        "100000000000000000000000",
                                        "A2",
                                        "a",
                                        "a-1",
                                        "a1b2",
                                        "a1b10",
                                        "a01c",
                                        "a9",
                                        "a010",
                                        "a10",
                                        "a10x",
                                        "aa",
                                        "\xC3\xA4-1",
                                        "\xC3\xA4-2",
                                        "\xC3\xA4-10"};
    const size_t count = sizeof names / sizeof *names;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++) {
            const int order = text_order(names[i], names[k]);
            if (i < k ? order >= 0 : i > k ? order <= 0 : order != 0)
                fail_msg("\"%s\" and \"%s\": %d", names[i], names[k], order);
        }
}

static void a_mark_is_three_bytes(void **state) {
    (void)state;
    assert_int_equal(text_mark("\xEF\xBB\xBFx", 4), 3);
    assert_int_equal(text_mark("\xEF\xBB\xBF", 3), 3);
    assert_int_equal(text_mark("\xEF\xBB", 2), 0);
    assert_int_equal(text_mark("\xBB\xEF\xBFx", 4), 0);
    assert_int_equal(text_mark("", 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_worked_out_by_hand),
        cmocka_unit_test(only_close_names_are_suggested),
        cmocka_unit_test(numbers_and_fractions),
        cmocka_unit_test(bytes_that_are_no_text_are_escaped),
        cmocka_unit_test(names_are_in_the_order_of_people),
        cmocka_unit_test(a_mark_is_three_bytes),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
