/* stop.h: work that another thread asks to stop.
 * One thread works, another one asks. The work ends at the next place that looks, and its result is worth nothing. */
#ifndef GLINT_CORE_BASE_STOP_H
#define GLINT_CORE_BASE_STOP_H

#include <stdatomic.h>
#include <stdbool.h>

typedef struct Stop {
    atomic_bool asked;
    atomic_bool gives_way; /* the worker keeps its results so far, and goes on another time: a thread that needs it may
                              ask at once */
} Stop;

/* The stop that this thread's work heeds from now on, for code below that knows no queue; NULL: none. Returns the one
 * before. */
const Stop *stop_heed(const Stop *stop);
/* Whether that one was asked. */
bool stop_asked(void);

#endif
