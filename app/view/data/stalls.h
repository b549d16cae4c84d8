/* stalls.h: how long the window's thread is deaf. It is deaf between two looks for events, while it draws or carries
 * out actions; waiting does not count. Knows no window and no clock. */
#ifndef GLINT_APP_VIEW_DATA_STALLS_H
#define GLINT_APP_VIEW_DATA_STALLS_H

#define STALL_MS 20.0 /* a person notices longer ones */

/* By a clock on the wall, which counts the time that other programs take from the thread. Also by the thread's own
 * clock, which counts no work of others for it. */
typedef enum StallClock { STALL_WALL, STALL_THREAD, STALL_CLOCKS } StallClock;

typedef struct Stalls {
    double since[STALL_CLOCKS];   /* ms: the last look, or the end of its last wait */
    double longest[STALL_CLOCKS]; /* ms */
    unsigned count[STALL_CLOCKS]; /* of those longer than STALL_MS */
} Stalls;

/* The thread looks for events now. */
void stalls_listen(Stalls *stalls, const double now[STALL_CLOCKS]);
/* It has waited until now. */
void stalls_wake(Stalls *stalls, const double now[STALL_CLOCKS]);
/* Begins to count again; a stall under way counts from its begin. */
void stalls_forget(Stalls *stalls);

#endif
