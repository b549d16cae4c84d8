/* runs.h: the last runs of a job, each with two marks for readers of its time. They say whether it was a warm-up, and
 * whether the pace changed with it. */
#ifndef GLINT_APP_VIEW_SESSION_RUNS_H
#define GLINT_APP_VIEW_SESSION_RUNS_H

#include "core/base/timing.h"

#include <stdbool.h>

enum { RUNS_COMPARED = 7 };
#define RUNS_AGREE 1.2 /* times that are no further apart agree */
enum { RUN_PACE_AGE = 7 /* how old a run is when the pace is seen to have changed with it */ };
enum {
    RUN_WARM_UP = 1, /* the first after a change, and runs before one that was faster by a tenth */
    RUN_PACE = 2,    /* from here on runs take longer, or shorter: the clock changed, or another program came or went */
};

typedef struct Runs {
    History ms;
    unsigned char marks[HISTORY_MAX]; /* alongside its values */
    size_t alike;                     /* runs since the last change */
    size_t steady;                    /* runs since the warm-up, or since the pace changed */
    bool warming;
} Runs;

/* `changed`: it is the first with this level, or these values. */
void runs_add(Runs *runs, double ms, bool changed);
/* Whether the last runs since the change are too far apart for a comparison. Without warm-ups, the middle half of up to
 * RUNS_COMPARED differs by more than a fifth. */
bool runs_disagree(const Runs *runs);
/* The marks of the run `age` runs ago; 0 is the newest. */
unsigned runs_marks(const Runs *runs, size_t age);

#endif
