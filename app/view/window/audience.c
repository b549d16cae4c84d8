/* audience.c: watchers, and the steerer's hand. */
#include "app/view/window/audience.h"

#include <stdio.h>
#include <string.h>

void audience_begin(Audience *audience) {
    *audience = (Audience){.steerer = -1};
}

/* ---- the hand ---- */

static void keep_button(Audience *audience, MouseButton button, bool pressed, const int *modifiers, Events *events) {
    if (audience->buttons[button] == pressed)
        return;
    audience->buttons[button] = pressed;
    events_keep(events, (Event){.kind = EVENT_BUTTON,
                                .x = audience->x,
                                .y = audience->y,
                                .button = button,
                                .pressed = pressed,
                                .shift = modifiers && modifiers[0],
                                .control = modifiers && modifiers[1]});
}

/* A key that is held repeats its press. */
static void keep_key(Audience *audience, const char *key, bool pressed, Events *events) {
    size_t at = 0;
    while (at < audience->held_count && strcmp(audience->held[at], key) != 0)
        at++;
    const bool held = at < audience->held_count;
    if (pressed && !held && audience->held_count == HELD_MAX)
        return; /* its release would be lost */
    if (pressed && !held)
        snprintf(audience->held[audience->held_count++], KEY_MAX, "%s", key);
    if (!pressed && held)
        memmove(audience->held[at], audience->held[--audience->held_count], KEY_MAX);
    if (pressed || held)
        events_keep_key(events, key, pressed);
}

static void let_go(Audience *audience, Events *events) {
    while (audience->held_count > 0) {
        char key[KEY_MAX];
        memcpy(key, audience->held[audience->held_count - 1], KEY_MAX);
        keep_key(audience, key, false, events);
    }
    for (int button = 0; button < MOUSE_BUTTONS; button++)
        keep_button(audience, (MouseButton)button, false, NULL, events);
    events_keep(events, (Event){.kind = EVENT_LEAVE});
}

/* ---- who is there ---- */

static void pass_on(Audience *audience, int to, Events *events) {
    if (to == audience->steerer)
        return;
    let_go(audience, events);
    audience->steerer = to;
}

void audience_join(Audience *audience, unsigned client) {
    audience->list[client] = (Watcher){.since = ++audience->arrived};
    audience->count++;
    if (audience->steerer < 0)
        audience->steerer = (int)client;
}

void audience_leave(Audience *audience, unsigned client, Events *events) {
    int oldest = -1;
    audience->list[client].since = 0;
    audience->count--;
    for (int i = 0; i < WATCHERS_MAX; i++)
        if (audience->list[i].since > 0 && (oldest < 0 || audience->list[i].since < audience->list[oldest].since))
            oldest = i;
    if (audience->steerer == (int)client)
        pass_on(audience, oldest, events);
}

/* ---- messages ---- */

static void steer(Audience *audience, const PageMessage *message, Events *events) {
    static const MouseButton buttons[] = {MOUSE_LEFT, MOUSE_MIDDLE, MOUSE_RIGHT};
    const int *n = message->numbers;
    switch (message->kind) {
    case PAGE_MOVE:
        audience->x = n[0];
        audience->y = n[1];
        events_keep(events, (Event){.kind = EVENT_MOVE, .x = n[0], .y = n[1]});
        break;
    case PAGE_BUTTON:
        audience->x = n[2];
        audience->y = n[3];
        keep_button(audience, buttons[n[0]], n[1], n + 4, events);
        break;
    case PAGE_WHEEL:
        if (n[0] != 0)
            events_keep(events, (Event){.kind = EVENT_WHEEL, .direction = n[0], .x = n[1], .y = n[2], .control = n[3]});
        break;
    case PAGE_LEAVE:
        events_keep(events, (Event){.kind = EVENT_LEAVE});
        break;
    case PAGE_KEY:
        keep_key(audience, message->key, n[0], events);
        break;
    case PAGE_SIZE:
        events_keep(events, (Event){.kind = EVENT_SIZE, .x = n[0], .y = n[1]});
        break;
    case PAGE_PASTE:
    case PAGE_TAKE:
    case PAGE_SEEN:
    case PAGE_KINDS:
        break;
    }
}

void audience_hear(Audience *audience, unsigned client, const PageMessage *message, Events *events) {
    Watcher *watcher = &audience->list[client];
    if (message->kind == PAGE_SEEN && (unsigned)message->numbers[0] <= watcher->sent)
        watcher->seen = (unsigned)message->numbers[0];
    else if (message->kind == PAGE_TAKE)
        pass_on(audience, (int)client, events);
    else if (audience->steerer == (int)client)
        steer(audience, message, events);
}

bool audience_awaits(const Audience *audience, unsigned client, unsigned serial, bool fine) {
    const Watcher *watcher = &audience->list[client];
    if (fine)
        return serial == watcher->sent && serial == watcher->seen && !watcher->fine;
    return serial > watcher->sent && watcher->before <= watcher->seen;
}

void audience_sent(Audience *audience, unsigned client, unsigned serial, bool fine) {
    Watcher *watcher = &audience->list[client];
    if (serial != watcher->sent)
        watcher->before = watcher->sent;
    watcher->sent = serial;
    watcher->fine = fine;
}
