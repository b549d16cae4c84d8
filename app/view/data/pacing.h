/* pacing.h: the delays that a person feels: from an event of the keyboard or the mouse until the window shows its
 * effect, and between frames. Belongs to the window's thread, also while the worker has the viewer. Times are on
 * clock_ms. */
#ifndef GLINT_APP_VIEW_DATA_PACING_H
#define GLINT_APP_VIEW_DATA_PACING_H

#include "app/view/data/spread.h"

#define PACING_IDLE 50.0 /* ms without anything to do: frames before and behind are no sequence */

/* An event. */
typedef struct Heard {
    double at;    /* when it happened; 0: it did not */
    double taken; /* when the window had it */
} Heard;

typedef struct Pacing {
    Spread input; /* ms from an event to the swap that answers it; of several, from the first */
    Spread own;   /* of these, the program's own: from the moment that the window had it to the beginning of the swap */
    Spread between;                      /* ms between swaps */
    Heard asked;                         /* the first event that no swap has answered */
    Heard later;                         /* the first that the work under way does not know of */
    double began, swapped;               /* the last swap; 0: none */
    double idle;                         /* ms without anything to do since then */
    double input_ms, own_ms, between_ms; /* of the last swap; negative: it answered nothing, or was the first after a
                                            pause */
} Pacing;

void pacing_event(Pacing *pacing, Heard event);
/* An event while work is under way that the next swap will show: that swap does not answer the event. */
void pacing_later(Pacing *pacing, Heard event);
/* From now on, the work under way knows of all events. */
void pacing_begin(Pacing *pacing);
/* The window had nothing to do, and waited for so long. */
void pacing_rest(Pacing *pacing, double ms);
/* A swap began, and ended. `answers`: it shows the effects of all events that the work knew of. */
void pacing_swap(Pacing *pacing, double began, double at, bool answers);
/* The swap before answered an event that was followed at once, but not those before it. */
void pacing_follow(Pacing *pacing, Heard event);
void pacing_forget(Pacing *pacing); /* the times, but not the one under way */

#endif
