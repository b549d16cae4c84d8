/* test_saved_state.c: the window's state as a text. */
#include "app/view/data/saved_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static void lines_become_values(void **state) {
    SavedState saved = {0};
    (void)state;
    assert_int_equal(
        saved_state_parse("glint state 1\r\n# a comment = 1\n theme =\tlight \r\nrecent = /a b/c=d.jpg\n"
                          "no value\n = \nfuture = kept\ntheme = dark\nrecent = /e.png\nrecent = /a b/c=d.jpg",
                          &saved),
        STATUS_OK);
    assert_string_equal(saved_state_value(&saved, "theme"), "light");
    assert_string_equal(saved_state_value(&saved, "future"), "kept");
    assert_null(saved_state_value(&saved, "window"));
    assert_int_equal(saved.recent_count, 2);
    assert_string_equal(saved.recent[0], "/a b/c=d.jpg");
    assert_string_equal(saved.recent[1], "/e.png");
    saved_state_set(&saved, "theme", "contrast");
    char *text = saved_state_format(&saved);
    saved_state_free(&saved);
    assert_int_equal(saved_state_parse(text, &saved), STATUS_OK);
    free(text);
    assert_string_equal(saved_state_value(&saved, "theme"), "contrast");
    assert_string_equal(saved_state_value(&saved, "future"), "kept");
    assert_int_equal(saved.recent_count, 2);
    saved_state_free(&saved);
}

static void other_texts_are_refused(void **state) {
    static const char *const texts[] = {"", "theme = dark", "glint edits 1", "glint state x", "glint state 2\n"};
    SavedState saved = {0};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        assert_int_equal(saved_state_parse(texts[i], &saved), STATUS_INPUT);
        assert_int_equal(saved.value_count + saved.recent_count, 0);
    }
}

/* Ten at most, each once. */
static void recent_files_come_first(void **state) {
    SavedState saved = {0};
    char path[16];
    (void)state;
    for (int i = 0; i < 12; i++) {
        snprintf(path, sizeof path, "/%d.png", i);
        saved_state_put_recent(&saved, path, true);
    }
    assert_int_equal(saved.recent_count, RECENT_MAX);
    assert_string_equal(saved.recent[0], "/11.png");
    assert_string_equal(saved.recent[9], "/2.png");
    saved_state_put_recent(&saved, "/2.png", true);
    assert_string_equal(saved.recent[0], "/2.png");
    assert_string_equal(saved.recent[9], "/3.png");
    saved_state_put_recent(&saved, "/new.png", false); /* no room behind the last */
    saved_state_put_recent(&saved, "/4.png", false);
    assert_string_equal(saved.recent[9], "/3.png");
    static const char *const unfit[] = {"", "/a\nb", "/blank ", " /blank", "/a\r"};
    for (size_t i = 0; i < sizeof unfit / sizeof unfit[0]; i++)
        saved_state_put_recent(&saved, unfit[i], true);
    assert_string_equal(saved.recent[0], "/2.png");
    saved_state_drop_recent(&saved, 0);
    assert_int_equal(saved.recent_count, RECENT_MAX - 1);
    assert_string_equal(saved.recent[0], "/11.png");
    saved_state_free(&saved);
}

static void values_that_do_not_fit_are_left_out(void **state) {
    SavedState saved = {0};
    char key[SAVED_KEY + 1], value[SAVED_VALUE + 1];
    (void)state;
    memset(key, 'k', sizeof key);
    memset(value, 'v', sizeof value);
    key[SAVED_KEY] = value[SAVED_VALUE] = '\0';
    saved_state_set(&saved, key, "v");
    saved_state_set(&saved, "k", value);
    saved_state_set(&saved, "k", "a\nb");
    assert_int_equal(saved.value_count, 0);
    for (int i = 0; i < SAVED_MAX + 3; i++) {
        snprintf(key, sizeof key, "key%d", i);
        saved_state_set(&saved, key, "v");
    }
    assert_int_equal(saved.value_count, SAVED_MAX);
    saved_state_free(&saved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_become_values),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(recent_files_come_first),
        cmocka_unit_test(values_that_do_not_fit_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
