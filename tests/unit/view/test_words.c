/* test_words.c: letters that are keys, and letters of a word. */
#include "app/view/window/words.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

static Hearing hear(Words *words, const char *key, bool pressed, double at) {
    Event event = {.kind = EVENT_KEY, .pressed = pressed, .heard = {.at = at, .taken = at}};
    snprintf(event.key, sizeof event.key, "%s", key);
    return words_hear(words, &event, true);
}

static void three_letters_in_a_row_are_a_word(void **state) {
    (void)state;
    Words words = {.count = 0};
    char text[WORD_LETTERS * KEY_MAX];
    assert_int_equal(hear(&words, "s", true, 1000), HEARD_KEPT);
    assert_true(words_wait_ms(&words, 1050) > 99 && words_wait_ms(&words, 1050) < 101);
    assert_int_equal(hear(&words, "s", false, 1080), HEARD_KEPT);
    assert_int_equal(hear(&words, "t", true, 1100), HEARD_KEPT);
    assert_int_equal(hear(&words, "\u00e9", true, 1200), HEARD_WORD);
    words_spell(&words, text);
    assert_string_equal(text, "st\u00e9");
    assert_true(words_wait_ms(&words, 1300) < 0);
}

static void a_letter_alone_is_a_key(void **state) {
    (void)state;
    Words words = {.count = 0};
    Event event = {.kind = EVENT_KEY, .key = "t", .pressed = true, .heard = {1151, 1151}};
    assert_int_equal(hear(&words, "s", true, 1000), HEARD_KEPT);
    assert_int_equal(hear(&words, "s", false, 1050), HEARD_KEPT);
    assert_true(words_end_before(&words, &event));
    assert_true(words_wait_ms(&words, 1150) <= 0);
    assert_true(words_take(&words, &event) && event.pressed && strcmp(event.key, "s") == 0);
    assert_true(words_take(&words, &event) && !event.pressed);
    assert_false(words_take(&words, &event));
}

/* A held key acts at each repetition; so does a key that is no letter, behind letters that wait. */
static void held_letters_and_other_keys_wait_for_nothing(void **state) {
    (void)state;
    Words words = {.count = 0};
    assert_int_equal(hear(&words, "e", true, 1000), HEARD_KEPT);
    assert_int_equal(hear(&words, "e", true, 1100), HEARD_AFTER);
    assert_int_equal(hear(&words, "Return", true, 1110), HEARD_AFTER);
    const Event move = {.kind = EVENT_MOVE}, button = {.kind = EVENT_BUTTON, .pressed = true};
    assert_int_equal(words_hear(&words, &move, true), HEARD_APART);
    assert_int_equal(words_hear(&words, &button, true), HEARD_AFTER);
    const Event letter = {.kind = EVENT_KEY, .key = "x", .pressed = true};
    assert_int_equal(words_hear(&words, &letter, false), HEARD_AFTER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_letters_in_a_row_are_a_word),
        cmocka_unit_test(a_letter_alone_is_a_key),
        cmocka_unit_test(held_letters_and_other_keys_wait_for_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
