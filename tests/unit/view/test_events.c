/* test_events.c: the queue of the window's events, without a window. */
#include "app/view/window/events.h"

#include <GL/freeglut.h>
#include <math.h>
#include <stdio.h>

#include "tests/check.h"

static bool heard(const Event *event, double at) {
    return fabs(event->heard.at - at) < 1e-9;
}

static void keep(Events *events, EventKind kind, int x, double at) {
    events->heard = (Heard){.at = at, .taken = at};
    events_keep(events, (Event){.kind = kind, .x = x, .pressed = kind == EVENT_BUTTON});
}

/* In a sequence of moves the place of the last counts, and the time of the first. A button between two of them keeps
 * both: it goes down at the first. */
static void moves_in_sequence_are_one(void **state) {
    (void)state;
    Events events = {.count = 0};
    Event event;
    keep(&events, EVENT_MOVE, 10, 1);
    keep(&events, EVENT_MOVE, 11, 2);
    keep(&events, EVENT_BUTTON, 11, 3);
    keep(&events, EVENT_MOVE, 12, 4);
    keep(&events, EVENT_SIZE, 640, 5);
    keep(&events, EVENT_SIZE, 650, 6);
    keep(&events, EVENT_WHEEL, 12, 7);
    keep(&events, EVENT_WHEEL, 12, 8);
    assert_true(events_take(&events, &event) && event.kind == EVENT_MOVE && event.x == 11 && heard(&event, 1));
    assert_true(events_take(&events, &event) && event.kind == EVENT_BUTTON && heard(&event, 3));
    assert_true(events_take(&events, &event) && event.kind == EVENT_MOVE && event.x == 12 && heard(&event, 4));
    assert_true(events_take(&events, &event) && event.kind == EVENT_SIZE && event.x == 650 && heard(&event, 5));
    assert_true(events_take(&events, &event) && event.kind == EVENT_WHEEL && heard(&event, 7));
    assert_true(events_take(&events, &event) && event.kind == EVENT_WHEEL && heard(&event, 8));
    assert_false(events_take(&events, &event));
}

/* Each key that went down comes up again, however many presses a full queue drops. */
static void releases_find_room(void **state) {
    (void)state;
    Events events = {.count = 0};
    Event event;
    unsigned presses = 0, releases = 0;
    for (int i = 0; i < 2 * EVENTS_MAX; i++)
        events_keep_key(&events, "a", true);
    for (size_t i = events.count; i > 0; i--)
        events_keep_key(&events, "a", false);
    while (events_take(&events, &event))
        event.pressed ? presses++ : releases++;
    assert_int_equal(presses, EVENTS_MAX / 2);
    assert_int_equal(releases, presses);
    for (int i = 0; i < 2 * EVENTS_MAX; i++)
        events_keep_key(&events, "a", false);
    assert_int_equal(events.count, EVENTS_MAX);
}

/* Xlib makes control characters of signs with Ctrl: of [ \\ ] as ASCII has them, of 6 and / the two behind, of the
 * space bar 0. */
static void signs_with_control_have_names(void **state) {
    (void)state;
    static const struct {
        unsigned char code;
        int modifiers;
        const char *name;
    } rows[] = {{27, GLUT_ACTIVE_CTRL, "Ctrl+["},
                {28, GLUT_ACTIVE_CTRL, "Ctrl+\\"},
                {29, GLUT_ACTIVE_CTRL, "Ctrl+]"},
                {30, GLUT_ACTIVE_CTRL, "Ctrl+6"},
                {31, GLUT_ACTIVE_CTRL, "Ctrl+/"},
                {0, GLUT_ACTIVE_CTRL, "Ctrl+Space"},
                {'k', GLUT_ACTIVE_CTRL, "Ctrl+K"},
                {11, GLUT_ACTIVE_CTRL, "Ctrl+K"},
                {'+', GLUT_ACTIVE_CTRL | GLUT_ACTIVE_SHIFT, "Ctrl+Shift++"},
                {27, 0, "Esc"},
                {' ', GLUT_ACTIVE_SHIFT, "Space"},
                {'k', 0, "k"}};
    char key[KEY_MAX];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        assert_true(key_of_character(rows[i].code, rows[i].modifiers, key));
        assert_string_equal(key, rows[i].name);
    }
    assert_false(key_of_character(0, 0, key));
    assert_false(key_of_character(29, 0, key));
}

/* Keys keep their order, and their names: the longest has all but one of KEY_MAX bytes. */
static void keys_come_in_order(void **state) {
    (void)state;
    Events events = {.count = 0};
    Event event;
    char name[KEY_MAX];
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "Ctrl+Alt+Shift+PageDo-%d", i);
        events_keep_key(&events, name, i % 2 == 0);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "Ctrl+Alt+Shift+PageDo-%d", i);
        assert_true(events_take(&events, &event) && event.kind == EVENT_KEY && !event_is_of_mouse(&event));
        assert_string_equal(event.key, name);
        assert_int_equal(event.pressed, i % 2 == 0);
    }
}

/* The mouse takes nothing where a key comes first, or nothing has come: both need no screen. */
static void the_mouse_waits_for_keys(void **state) {
    (void)state;
    Events events = {.count = 0};
    Mouse mouse = {.screen = NULL};
    assert_int_equal(events_follow_mouse(&events, &mouse), 0);
    events_keep_key(&events, "q", true);
    keep(&events, EVENT_MOVE, 5, 1);
    assert_int_equal(events_follow_mouse(&events, &mouse), 0);
    assert_int_equal(events.count, 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_in_sequence_are_one),     cmocka_unit_test(releases_find_room),
        cmocka_unit_test(signs_with_control_have_names), cmocka_unit_test(keys_come_in_order),
        cmocka_unit_test(the_mouse_waits_for_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
