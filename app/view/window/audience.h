/* audience.h: who watches the window in a browser, and who steers it. The first one does, until another takes over or
 * it leaves; then the one that has watched for longest. Owns what the steerer holds, which is let go with the hand.
 * Knows no network and no lock. */
#ifndef GLINT_APP_VIEW_WINDOW_AUDIENCE_H
#define GLINT_APP_VIEW_WINDOW_AUDIENCE_H

#include "app/view/data/page_message.h"
#include "app/view/window/events.h"

enum { WATCHERS_MAX = 16, HELD_MAX = 16 };

typedef struct Watcher {
    unsigned since;             /* the how-manieth it was, from 1 on; 0: nobody */
    unsigned sent, before;      /* the serials of the last two frames that it was sent */
    unsigned seen;              /* that it shows */
    bool fine;                  /* the last one was */
    unsigned told, image_given; /* of the state and the copied image: the latest that it knows */
} Watcher;

typedef struct Audience {
    Watcher list[WATCHERS_MAX];
    unsigned count, arrived;
    int steerer; /* of the list; -1: nobody */
    char held[HELD_MAX][KEY_MAX];
    size_t held_count;
    bool buttons[MOUSE_BUTTONS];
    int x, y; /* of the pointer */
} Audience;

void audience_begin(Audience *audience);
void audience_join(Audience *audience, unsigned client);
void audience_leave(Audience *audience, unsigned client, Events *events);
/* Keeps the events that a message of this client stands for, if it steers. A watcher's TAKE makes it steer, its SEEN is
 * noted; nothing else of it counts. */
void audience_hear(Audience *audience, unsigned client, const PageMessage *message, Events *events);
/* Whether the client may be sent this frame: it has not got it, and has shown all but one of those that it got. `fine`:
 * it shows the frame, and has not got it finely. */
bool audience_awaits(const Audience *audience, unsigned client, unsigned serial, bool fine);
void audience_sent(Audience *audience, unsigned client, unsigned serial, bool fine);

#endif
