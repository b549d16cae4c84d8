/* test_audience.c: messages of pages, and who steers the window, without a network. */
#include "app/view/window/audience.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

static PageMessage message; /* too large for a stack */

static bool reads(const char *text) {
    return page_message_read(text, strlen(text), &message);
}

static void say(Audience *audience, unsigned client, const char *text, Events *events) {
    assert_true(reads(text));
    audience_hear(audience, client, &message, events);
}

static void messages_are_read(void **state) {
    (void)state;
    assert_true(reads("button 2 1 -5 600 1 0"));
    assert_int_equal(message.kind, PAGE_BUTTON);
    const int numbers[] = {2, 1, -5, 600, 1, 0};
    assert_memory_equal(message.numbers, numbers, sizeof numbers);
    assert_true(reads("paste  two\nlines "));
    assert_string_equal(message.text, " two\nlines ");
    assert_true(page_message_read("leave and more", 5, &message));
}

/* The names are those of KeyboardEvent.key (UI Events) and of the window's table of keys. */
static void keys_have_the_names_of_the_window(void **state) {
    static const struct {
        const char *text, *key;
    } keys[] = {
        {"key 1 0 0 k", "k"},
        {"key 1 1 0 K", "K"},
        {"key 1 0 1 k", "Ctrl+K"},
        {"key 1 1 1 Z", "Ctrl+Shift+Z"},
        {"key 1 0 0  ", "Space"},
        {"key 1 0 0 Escape", "Esc"},
        {"key 1 0 0 Enter", "Return"},
        {"key 1 0 0 ArrowLeft", "Left"},
        {"key 1 1 0 F5", "F5"},
        {"key 1 0 1 PageDown", "Ctrl+PageDown"},
        {"key 1 0 0 \xc3\xa4", "\xc3\xa4"},
        {"key 1 0 1 [", "Ctrl+["},
    };
    (void)state;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        assert_true(reads(keys[i].text));
        assert_string_equal(message.key, keys[i].key);
    }
}

static void nonsense_is_refused(void **state) {
    static const char *const texts[] = {"",
                                        " ",
                                        "mov 1 2",
                                        "move",
                                        "move 1",
                                        "move 1 2 3",
                                        "move 1 2 ",
                                        "move  1 2",
                                        "move +1 2",
                                        "move 1e3 2",
                                        "move 99999999999999999999 0",
                                        "move 2000000 0",
                                        "button 3 1 0 0 0 0",
                                        "button 0 2 0 0 0 0",
                                        "size 63 64",
                                        "size 7681 100",
                                        "size 0 0",
                                        "seen -1",
                                        "wheel 2 0 0 0",
                                        "key 1 0 0",
                                        "key 1 0 0 ",
                                        "key 1 0 0 Shift",
                                        "key 1 0 0 ab",
                                        "key 1 0 1 \xc3\xa4",
                                        "key 1 0 0 \x01",
                                        "key 1 0 0 \xc0\xaf",
                                        "key 1 0 0 \xed\xa0\x80",
                                        "key 1 0 0 \xc3",
                                        "paste",
                                        "paste \xff",
                                        "paste \xf4\x90\x80\x80",
                                        "take 1"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (reads(texts[i]))
            fail_msg("\"%s\" is read", texts[i]);
    assert_false(page_message_read("paste a\0b", 9, &message));
    static char large[PAGE_TEXT_MAX + 1] = "paste ";
    memset(large + 6, 'a', sizeof large - 6);
    assert_true(page_message_read(large, PAGE_TEXT_MAX, &message));
    assert_false(page_message_read(large, PAGE_TEXT_MAX + 1, &message));
}

/* The hand that leaves lets go of what it holds, and the one that has watched for longest follows. */
static void steering_passes(void **state) {
    (void)state;
    Audience audience;
    Events events = {.count = 0};
    Event event;
    audience_begin(&audience);
    audience_join(&audience, 4);
    audience_join(&audience, 2);
    audience_join(&audience, 9);
    assert_int_equal(audience.steerer, 4);
    say(&audience, 2, "key 1 0 0 a", &events);
    say(&audience, 2, "move 1 2", &events);
    assert_int_equal(events.count, 0);
    say(&audience, 4, "key 1 0 0 a", &events);
    say(&audience, 4, "button 2 1 7 8 0 0", &events);
    audience_leave(&audience, 4, &events);
    assert_int_equal(audience.steerer, 2);
    assert_true(events_take(&events, &event) && event.kind == EVENT_KEY && event.pressed);
    assert_true(events_take(&events, &event) && event.button == MOUSE_RIGHT && event.pressed);
    assert_true(events_take(&events, &event) && strcmp(event.key, "a") == 0 && !event.pressed);
    assert_true(events_take(&events, &event) && event.button == MOUSE_RIGHT && !event.pressed && event.x == 7);
    assert_true(events_take(&events, &event) && event.kind == EVENT_LEAVE);
    assert_int_equal(events.count, 0);
    say(&audience, 9, "take", &events);
    assert_int_equal(audience.steerer, 9);
    audience_leave(&audience, 9, &events);
    audience_leave(&audience, 2, &events);
    assert_int_equal(audience.steerer, -1);
    audience_join(&audience, 0);
    assert_int_equal(audience.steerer, 0);
}

/* More keys than can be let go of are not pressed. */
static void no_key_stays_down(void **state) {
    (void)state;
    Audience audience;
    Events events = {.count = 0};
    Event event;
    char text[32];
    int down = 0;
    audience_begin(&audience);
    audience_join(&audience, 0);
    for (int i = 0; i < HELD_MAX + 2; i++) {
        snprintf(text, sizeof text, "key 1 0 0 %c", 'a' + i);
        say(&audience, 0, text, &events);
    }
    say(&audience, 0, "key 0 0 0 q", &events); /* one of those that were too many */
    audience_leave(&audience, 0, &events);
    while (events_take(&events, &event))
        down += event.kind == EVENT_KEY ? (event.pressed ? 1 : -1) : 0;
    assert_int_equal(down, 0);
}

/* At most two frames are on their way to a page, whatever it says it has seen. */
static void slow_pages_get_the_newest_frame(void **state) {
    (void)state;
    Audience audience;
    Events events = {.count = 0};
    audience_begin(&audience);
    audience_join(&audience, 0);
    assert_true(audience_awaits(&audience, 0, 1, false));
    audience_sent(&audience, 0, 1, false);
    assert_false(audience_awaits(&audience, 0, 1, false));
    assert_true(audience_awaits(&audience, 0, 5, false));
    audience_sent(&audience, 0, 5, false);
    assert_false(audience_awaits(&audience, 0, 6, false));
    say(&audience, 0, "seen 6", &events); /* which it cannot have */
    assert_false(audience_awaits(&audience, 0, 6, false));
    say(&audience, 0, "seen 1", &events);
    assert_true(audience_awaits(&audience, 0, 6, false));
    assert_false(audience_awaits(&audience, 0, 5, true));
    say(&audience, 0, "seen 5", &events);
    assert_true(audience_awaits(&audience, 0, 5, true));
    audience_sent(&audience, 0, 5, true);
    assert_false(audience_awaits(&audience, 0, 5, true));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_are_read),   cmocka_unit_test(keys_have_the_names_of_the_window),
        cmocka_unit_test(nonsense_is_refused), cmocka_unit_test(steering_passes),
        cmocka_unit_test(no_key_stays_down),   cmocka_unit_test(slow_pages_get_the_newest_frame),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
