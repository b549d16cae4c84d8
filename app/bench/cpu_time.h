/* cpu_time.h: the time that the program's threads computed: what other programs take of the processor is not in it. */
#ifndef GLINT_APP_BENCH_CPU_TIME_H
#define GLINT_APP_BENCH_CPU_TIME_H

#include <time.h>

/* In ms, of all threads together. */
static inline double process_ms(void) {
    struct timespec now;
    return clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) == 0 ? (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6
                                                              : 0;
}

#endif
