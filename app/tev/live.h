/* live.h: the pictures that other programs send while they make them.
 * Owns these, by the paths under which the window lists them; and the other programs' wishes, in their order. The
 * process has one table, as it has one ledger of files: decoders of pictures look here first (live_copy).
 *
 * A picture of tev has any channels by name; one of glint has up to four. So each layer (the text before a channel's
 * last dot) becomes a picture of its own. A layer of more than three colours becomes several. Their paths are
 * "tev:NAME", "tev:NAME:LAYER", "tev:NAME:LAYER.CHANNEL". R, G and B come in this order, others in theirs. A is alpha,
 * by which colours are multiplied. Values are light, as in OpenEXR. */
#ifndef GLINT_APP_TEV_LIVE_H
#define GLINT_APP_TEV_LIVE_H

#include "app/tev/packet.h"
#include "core/image/image.h"

enum { LIVE_MAX = 1024 /* pictures */, LIVE_WISHES = 32 /* that wait for the window */ };

typedef enum LiveWish {
    LIVE_SHOW,   /* a picture is new, or another one by its name: it joins the list */
    LIVE_LEAVE,  /* one is closed, or a file */
    LIVE_OPEN,   /* a file */
    LIVE_RELOAD, /* the same, that is open */
    LIVE_SAY     /* a sentence about packets that cannot be used */
} LiveWish;

typedef struct LiveEvent {
    LiveWish wish;
    bool focus;
    char *text; /* a path or the sentence; whoever takes the event frees it */
} LiveEvent;

/* The table begins, empty. STATUS_DEVICE if the system has no descriptor left. */
Status live_begin(void);
/* Ends the waits of live_apply, which refuses from now on; no picture is found any more. */
void live_end(void);

/* Does as a packet says. Waits while LIVE_WISHES wait for the window. STATUS_INPUT if it names no picture that was
 * created, or a part outside of it, or too much memory. STATUS_INTERRUPTED after live_end. */
Status live_apply(const TevPacket *packet);
/* Tells the window a sentence, unless one waits already. */
void live_say(const char *sentence);

/* These two are quick, whatever packets arrive. */
/* The next wish; false if there is none. */
bool live_take(LiveEvent *event);
/* Counts what packets did to the picture of this path; it never falls, and grows with each of them. 0: there is none.
 */
unsigned live_changes(const char *path);
/* Readable when a wish or a change is new, until live_hear; -1 before live_begin. */
int live_descriptor(void);
void live_hear(void);

/* Copies a picture as it is now, and *changes then; both may be NULL. STATUS_INPUT if there is none of this path. */
Status live_copy(const char *path, Image **image, unsigned *changes);
/* The drawing commands over a picture, in a copy, and *changes then; no bytes if there are none. STATUS_DEVICE. */
Status live_drawing(const char *path, Bytes *commands, unsigned *changes);

#endif
