/* stalls.c: the longest, and how many. */
#include "app/view/data/stalls.h"

#include <string.h>

void stalls_listen(Stalls *stalls, const double now[STALL_CLOCKS]) {
    for (int i = 0; i < STALL_CLOCKS; i++) {
        const double ms = now[i] - stalls->since[i];
        stalls->longest[i] = ms > stalls->longest[i] ? ms : stalls->longest[i];
        stalls->count[i] += ms > STALL_MS;
    }
    stalls_wake(stalls, now);
}

void stalls_wake(Stalls *stalls, const double now[STALL_CLOCKS]) {
    memcpy(stalls->since, now, sizeof stalls->since);
}

void stalls_forget(Stalls *stalls) {
    memset(stalls->longest, 0, sizeof stalls->longest);
    memset(stalls->count, 0, sizeof stalls->count);
}
