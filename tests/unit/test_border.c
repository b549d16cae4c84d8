/* test_border.c: border modes against walks that are slow and plain, and their spellings. */
#include "core/image/border.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

/* Walks from a pixel inside to `i`, one step at a time, keeping the index that is seen there. */
static ptrdiff_t walk_wrap(ptrdiff_t i, ptrdiff_t n) {
    ptrdiff_t at = 0;
    for (ptrdiff_t k = 0; k < i; k++)
        at = at + 1 == n ? 0 : at + 1;
    for (ptrdiff_t k = 0; k > i; k--)
        at = at == 0 ? n - 1 : at - 1;
    return at;
}

static ptrdiff_t walk_mirror(ptrdiff_t i, ptrdiff_t n) {
    ptrdiff_t at = 0, step = 1; /* reflect-101 is symmetric about pixel 0 */
    for (ptrdiff_t k = 0; k < (i < 0 ? -i : i); k++) {
        if (n == 1)
            continue;
        if (at + step < 0 || at + step >= n)
            step = -step;
        at += step;
    }
    return at;
}

static ptrdiff_t walk(BorderMode mode, ptrdiff_t i, ptrdiff_t n) {
    switch (mode) {
    case BORDER_WRAP:
        return walk_wrap(i, n);
    case BORDER_MIRROR:
        return walk_mirror(i, n);
    case BORDER_CLAMP:
        return i < 0 ? 0 : i >= n ? n - 1 : i;
    default:
        return i < 0 || i >= n ? -1 : i;
    }
}

static void index_agrees_with_the_walk(void **state) {
    (void)state;
    for (int mode = BORDER_ZERO; mode <= BORDER_WRAP; mode++)
        for (ptrdiff_t n = 1; n <= 9; n++)
            for (ptrdiff_t i = -40; i <= 40; i++)
                if (border_index((BorderMode)mode, i, n) != walk((BorderMode)mode, i, n))
                    fail_msg("mode %s, n %td, i %td: %td, want %td", borders[mode].name, n, i,
                             border_index((BorderMode)mode, i, n), walk((BorderMode)mode, i, n));
}

static void mirror_does_not_repeat_the_edge(void **state) {
    (void)state;
    /* gfedcb|abcdefgh|gfedcba, as OpenCV's documentation draws reflect-101 */
    const char *const pixels = "abcdefgh";
    char seen[22] = {0};
    for (ptrdiff_t i = -6; i < 15; i++)
        seen[i + 6] = pixels[border_index(BORDER_MIRROR, i, 8)];
    assert_string_equal(seen, "gfedcbabcdefghgfedcba");
}

static void far_coordinates_stay_inside(void **state) {
    (void)state;
    const ptrdiff_t far[] = {PTRDIFF_MIN / 2, -1000000007, 1000000007, PTRDIFF_MAX / 2};
    for (size_t k = 0; k < sizeof far / sizeof *far; k++)
        for (int mode = BORDER_CLAMP; mode <= BORDER_WRAP; mode++) {
            const ptrdiff_t at = border_index((BorderMode)mode, far[k], 13);
            assert_true(at >= 0 && at < 13);
        }
}

static void names_parse_and_print_back(void **state) {
    (void)state;
    assert_int_equal(border_count, BORDER_WRAP + 1);
    for (int i = 0; i < border_count; i++) {
        char text[64], printed[64];
        assert_int_equal(borders[i].mode, i);
        snprintf(text, sizeof text, borders[i].takes_value ? "%s=7.5" : "%s", borders[i].name);
        Border border = {BORDER_WRAP, -1};
        assert_int_equal(border_parse(text, &border), STATUS_OK);
        assert_int_equal(border.mode, i);
        assert_true(border.value == (borders[i].takes_value ? 7.5f : 0.0f));
        assert_string_equal(border_format(border, printed, sizeof printed), text);
        assert_ptr_equal(border_format(border, printed, sizeof printed), printed);
    }
}

static void ghost_is_zero(void **state) {
    (void)state;
    Border border = {BORDER_WRAP, -1};
    assert_int_equal(border_parse("ghost", &border), STATUS_OK);
    assert_int_equal(border.mode, BORDER_ZERO);
    assert_true(border.value == 0);
}

static void value_survives_printing(void **state) {
    (void)state;
    const float values[] = {0, 128, -3.25f, 0.1f, 1e-7f, 65535, 1.0f / 3.0f};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char text[64];
        Border back = {BORDER_ZERO, 0};
        assert_int_equal(border_parse(border_format((Border){BORDER_CONSTANT, values[i]}, text, sizeof text), &back),
                         STATUS_OK);
        assert_int_equal(back.mode, BORDER_CONSTANT);
        assert_true(back.value == values[i]);
    }
}

static void wrong_spellings_name_the_modes(void **state) {
    (void)state;
    const char *const wrong[] = {
        "",        "clam",         "clampp",       "CLAMP ", "constant=",     "constant=abc",    "constant=1x",
        "clamp=3", "constant=nan", "constant=inf", "=3",     "constant=1e60", "constant=-3.5e38"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Border border;
        if (border_parse(wrong[i], &border) != STATUS_USAGE)
            fail_msg("\"%s\" was not refused", wrong[i]);
    }
    Border border;
    assert_int_equal(border_parse("clam", &border), STATUS_USAGE);
    assert_non_null(strstr(status_message(), "clam"));
    for (int i = 0; i < border_count; i++)
        assert_non_null(strstr(status_message(), borders[i].name));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index_agrees_with_the_walk),
        cmocka_unit_test(mirror_does_not_repeat_the_edge),
        cmocka_unit_test(far_coordinates_stay_inside),
        cmocka_unit_test(names_parse_and_print_back),
        cmocka_unit_test(ghost_is_zero),
        cmocka_unit_test(value_survives_printing),
        cmocka_unit_test(wrong_spellings_name_the_modes),
    };
    return cmocka_run_group_tests_name("border", tests, NULL, NULL);
}
