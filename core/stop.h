/* stop.h: work that somebody else asks to stop.
 * One thread works, another one asks; the work ends at the next place that looks, and what it made is worth nothing. */
#ifndef GLINT_CORE_STOP_H
#define GLINT_CORE_STOP_H

#include "core/backend.h"

#include <stdatomic.h>

typedef struct Stop {
    atomic_bool asked;
    atomic_bool gives_way; /* what works keeps what it has made, and goes on another time: whoever needs it may ask at
                              once */
} Stop;

/* Whether the queue's work shall stop: levels that take long look between rows or pieces, and leave the rest undone.
 * Then pipeline_run is STATUS_INTERRUPTED. */
static inline bool queue_stops(const Queue *queue) {
    return queue->stop && atomic_load_explicit(&queue->stop->asked, memory_order_relaxed);
}

#endif
