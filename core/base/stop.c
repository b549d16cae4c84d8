/* stop.c: the stop that a thread heeds. */
#include "core/base/stop.h"

#include <stddef.h>

static _Thread_local const Stop *heeded;

const Stop *stop_heed(const Stop *stop) {
    const Stop *before = heeded;
    heeded = stop;
    return before;
}

bool stop_asked(void) {
    return heeded && atomic_load_explicit(&heeded->asked, memory_order_relaxed);
}
