/* stop.h: work that somebody else asks to stop.
 * One thread works, another one asks; the work ends at the next place that looks, and what it made is worth nothing. */
#ifndef GLINT_CORE_BASE_STOP_H
#define GLINT_CORE_BASE_STOP_H

#include <stdatomic.h>

typedef struct Stop {
    atomic_bool asked;
    atomic_bool gives_way; /* what works keeps what it has made, and goes on another time: whoever needs it may ask at
                              once */
} Stop;

#endif
