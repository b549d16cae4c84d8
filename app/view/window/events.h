/* events.h: the queue of freeglut's events, which waits until the window has the viewer.
 * Owns the queue and the input method for letters. */
#ifndef GLINT_APP_VIEW_WINDOW_EVENTS_H
#define GLINT_APP_VIEW_WINDOW_EVENTS_H

#include "app/view/data/key_names.h"
#include "app/view/window/letters.h"
#include "app/view/window/mouse.h"

enum { EVENTS_MAX = 256 };

typedef enum EventKind { EVENT_KEY, EVENT_SIZE, EVENT_MOVE, EVENT_BUTTON, EVENT_WHEEL, EVENT_LEAVE } EventKind;
typedef struct Event {
    EventKind kind;
    int x, y;            /* of the pointer; of EVENT_SIZE the width and height */
    Heard heard;         /* on clock_ms */
    char key[KEY_MAX];   /* EVENT_KEY */
    bool pressed;        /* that, or EVENT_BUTTON */
    MouseButton button;  /* EVENT_BUTTON */
    bool shift, control; /* EVENT_BUTTON, EVENT_WHEEL */
    int direction;       /* EVENT_WHEEL */
} Event;

typedef struct Events {
    Event list[EVENTS_MAX];
    size_t count;
    Heard heard;      /* the event that freeglut reports */
    double looked;    /* clock_ms: all that had come by then is in the list, or was taken */
    Letters *letters; /* or NULL */
} Events;

/* The callbacks of freeglut's current window keep its events here from now on. */
void events_listen(Events *events);
/* Keeps an event with `heard`. The last of moves in sequence counts, heard when the first was, and so of sizes. A full
 * queue drops presses; it keeps room for releases. */
void events_keep(Events *events, Event event);
/* Keeps a key that freeglut has not reported. */
void events_keep_key(Events *events, const char *key, bool pressed);
/* Takes the oldest event; false if there is none. */
bool events_take(Events *events, Event *event);
/* Has the mouse follow the events up to the first that is not its own, or that waits; returns their number. */
size_t events_follow_mouse(Events *events, Mouse *mouse);

bool event_is_of_mouse(const Event *event);
/* A press or a turn of the wheel is meant for the window as earlier clicks leave it. Has panels see these; true if they
 * ask for something, which must be done before. */
bool event_waits(const Event *event, Screen *screen);
/* The mouse moves where its event says, presses its button and turns its wheel; panels see it. */
void event_move_mouse(const Event *event, Mouse *mouse);

#endif
