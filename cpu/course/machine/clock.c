/* clock.c: the time of something short, as a clock measures it. */
#include "core/base/timing.h"
#include "cpu/course/machine/machine.h"

#include <math.h>
#include <time.h>

enum { TIMES = 101 };

static double now_ns(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Additions that wait for each other. */
static uint64_t add(uint64_t count) {
    volatile uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum = sum + i;
    return sum;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    static const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_THREAD_CPUTIME_ID};
    double ns[TIMES];
    (void)queue;
    for (int i = 0; i < TIMES; i++) {
        const double start = now_ns(clocks[series]);
        machine_want(add((uint64_t)x));
        ns[i] = fmax(now_ns(clocks[series]) - start, 0.1);
    }
    *y = quantile(ns, TIMES, 0.5) / x;
    return STATUS_OK;
}

static void tell(const Curve *curve, char *text, size_t size) {
    curve_tell_at(curve, 0, (const double[]){1, 100, 10000}, 3, text, size);
}

const Experiment cpu_machine_clock = {
    .name = "clock",
    .title = "Reading the clock",
    .idea = "so many additions between two readings of a clock, the system's or the thread's own, which asks the "
            "kernel; the median of 101",
    .advice = "Time thousands of operations between two readings and divide: a single short operation measures the "
              "clock itself.",
    .x = {"between readings", "additions", false},
    .y = {"measured for one", "ns", false},
    .series = {"the system's clock", "the thread's time"},
    .points = {1, 3, 10, 30, 100, 300, 1000, 3000, 10000},
    .measure = measure,
    .tell = tell,
};
