/* events.c: freeglut's reports of the keyboard, the mouse and the window's size. */
#include "app/view/window/events.h"

#include "app/view/window/x11.h"

#include <GL/freeglut.h>
#include <stdio.h>
#include <string.h>

/* ---- the queue ---- */

void events_keep(Events *events, Event event) {
    Event *last = events->count > 0 ? &events->list[events->count - 1] : NULL;
    const bool ends = !event.pressed && (event.kind == EVENT_KEY || event.kind == EVENT_BUTTON);
    const bool again = last && last->kind == event.kind && (event.kind == EVENT_MOVE || event.kind == EVENT_SIZE);
    event.heard = again ? last->heard : events->heard;
    if (again)
        *last = event;
    else if (events->count < (ends ? EVENTS_MAX : EVENTS_MAX / 2))
        events->list[events->count++] = event;
}

void events_keep_key(Events *events, const char *key, bool pressed) {
    Event event = {.kind = EVENT_KEY, .pressed = pressed};
    snprintf(event.key, sizeof event.key, "%s", key);
    events_keep(events, event);
}

static void drop_first(Events *events, size_t count) {
    events->count -= count;
    memmove(events->list, events->list + count, events->count * sizeof events->list[0]);
}

bool events_take(Events *events, Event *event) {
    if (events->count == 0)
        return false;
    *event = events->list[0];
    drop_first(events, 1);
    return true;
}

size_t events_follow_mouse(Events *events, Mouse *mouse) {
    size_t applied = 0;
    while (applied < events->count && event_is_of_mouse(&events->list[applied]) &&
           !event_waits(&events->list[applied], mouse->screen))
        event_move_mouse(&events->list[applied++], mouse);
    drop_first(events, applied);
    return applied;
}

/* ---- the mouse ---- */

bool event_is_of_mouse(const Event *event) {
    return event->kind != EVENT_KEY && event->kind != EVENT_SIZE;
}

bool event_waits(const Event *event, Screen *screen) {
    if (!event->pressed && event->kind != EVENT_WHEEL)
        return false;
    screen_take_clicks(screen);
    return screen->viewer->ui->asked_count > 0;
}

void event_move_mouse(const Event *event, Mouse *mouse) {
    screen_take_clicks(mouse->screen); /* panels see where buttons went down, however soon the pointer moves on */
    if (event->kind == EVENT_BUTTON && event->pressed)
        screen_take_input(mouse->screen); /* and that they came up before they go down again */
    if (event->kind == EVENT_LEAVE)
        mouse_leave(mouse);
    else
        mouse_move(mouse, event->x, event->y);
    if (event->kind == EVENT_BUTTON)
        mouse_button(mouse, event->button, event->pressed, event->shift, event->control);
    else if (event->kind == EVENT_WHEEL)
        mouse_wheel(mouse, event->direction, event->control);
    if (event->kind != EVENT_MOVE && event->kind != EVENT_LEAVE)
        viewer_delay_measurements(mouse->screen->viewer, REST_MS);
    screen_touch(mouse->screen);
}

/* ---- freeglut's reports ---- */

/* Keys that come together, since the window was busy, keep the times between them: these tell words from keys. */
static void keep_press(Events *events, const char *key, unsigned long time) {
    const Heard heard = events->heard;
    if (time != 0)
        events->heard.at = x11_time_ms(time, heard.taken);
    events_keep_key(events, key, true);
    events->heard = heard;
}

static void on_key(unsigned char code, int x, int y, void *user) {
    char key[KEY_MAX];
    Events *events = user;
    const unsigned long time = letters_time(events->letters, code);
    (void)x, (void)y;
    if (key_of_character(code, glutGetModifiers(), key))
        keep_press(events, key, time);
}

static void on_key_up(unsigned char code, int x, int y, void *events) {
    char key[KEY_MAX];
    (void)x, (void)y;
    if (key_of_character(code, glutGetModifiers(), key))
        events_keep_key(events, key, false);
}

/* Each character is a key of its own, by itself as its name. */
static void keep_letter(Events *events, const Letter *letter) {
    char key[KEY_MAX];
    const int shift = letter->shift ? GLUT_ACTIVE_SHIFT : 0;
    if (letter->sign && key_of_character((unsigned char)letter->text[0], GLUT_ACTIVE_CTRL | shift, key))
        keep_press(events, key, letter->time);
    for (const char *text = letter->text; *text && !letter->sign;) {
        size_t length = 0;
        do
            key[length++] = *text++;
        while (((unsigned char)*text & 0xc0) == 0x80 && length + 1 < sizeof key); /* the other bytes of the character */
        key[length] = '\0';
        keep_press(events, key, letter->time);
    }
}

static void on_special(int code, int x, int y, void *user) {
    char key[KEY_MAX];
    Letter letter;
    Events *events = user;
    (void)x, (void)y;
    if (letters_take(events->letters, code, glutGetModifiers(), &letter))
        keep_letter(events, &letter);
    else if (key_of_special(code, glutGetModifiers(), key))
        events_keep_key(events, key, true);
}

static void on_motion(int x, int y, void *user) {
    events_keep(user, (Event){.kind = EVENT_MOVE, .x = x, .y = y});
}

static void on_button(int button, int state, int x, int y, void *user) {
    static const MouseButton buttons[] = {
        [GLUT_LEFT_BUTTON] = MOUSE_LEFT, [GLUT_MIDDLE_BUTTON] = MOUSE_MIDDLE, [GLUT_RIGHT_BUTTON] = MOUSE_RIGHT};
    const int modifiers = glutGetModifiers();
    if (button >= 0 && button < MOUSE_BUTTONS)
        events_keep(user, (Event){.kind = EVENT_BUTTON,
                                  .x = x,
                                  .y = y,
                                  .button = buttons[button],
                                  .pressed = state == GLUT_DOWN,
                                  .shift = modifiers & GLUT_ACTIVE_SHIFT,
                                  .control = modifiers & GLUT_ACTIVE_CTRL});
}

static void on_wheel(int wheel, int direction, int x, int y, void *user) {
    (void)wheel;
    events_keep(user, (Event){.kind = EVENT_WHEEL,
                              .x = x,
                              .y = y,
                              .direction = direction,
                              .control = glutGetModifiers() & GLUT_ACTIVE_CTRL});
}

static void on_entry(int state, void *user) {
    if (state == GLUT_LEFT)
        events_keep(user, (Event){.kind = EVENT_LEAVE});
}

static void on_reshape(int width, int height, void *user) {
    events_keep(user, (Event){.kind = EVENT_SIZE, .x = width > 0 ? width : 1, .y = height > 0 ? height : 1});
}

void events_listen(Events *events) {
    glutReshapeFuncUcall(on_reshape, events);
    glutKeyboardFuncUcall(on_key, events);
    glutKeyboardUpFuncUcall(on_key_up, events);
    glutSpecialFuncUcall(on_special, events);
    glutMouseFuncUcall(on_button, events);
    glutMotionFuncUcall(on_motion, events);
    glutPassiveMotionFuncUcall(on_motion, events);
    glutMouseWheelFuncUcall(on_wheel, events);
    glutEntryFuncUcall(on_entry, events);
}
