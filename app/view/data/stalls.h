/* stalls.h: how long the window's thread is deaf: what lies between two looks for events, in which it draws or does
 * what was asked for, but not what it waits. Knows no window and no clock. */
#ifndef GLINT_APP_VIEW_DATA_STALLS_H
#define GLINT_APP_VIEW_DATA_STALLS_H

#define STALL_MS 20.0 /* a person notices what takes longer */

/* By a clock on the wall, which counts what other programs take from the thread, and by the thread's own, which counts
 * none of what others do for it. */
typedef enum StallClock { STALL_WALL, STALL_THREAD, STALL_CLOCKS } StallClock;

typedef struct Stalls {
    double since[STALL_CLOCKS];   /* ms: the last look, or the end of what it waited for */
    double longest[STALL_CLOCKS]; /* ms */
    unsigned count[STALL_CLOCKS]; /* of those longer than STALL_MS */
} Stalls;

/* The thread looks for events now. */
void stalls_listen(Stalls *stalls, const double now[STALL_CLOCKS]);
/* It has waited until now. */
void stalls_wake(Stalls *stalls, const double now[STALL_CLOCKS]);
/* Begins to count again; what is under way counts from when it began. */
void stalls_forget(Stalls *stalls);

#endif
