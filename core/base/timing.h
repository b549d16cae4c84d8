/* timing.h: spans and their statistics.
 * Owns the clock, the spans of one run, and the history over the last runs that medians are taken from. */
#ifndef GLINT_CORE_BASE_TIMING_H
#define GLINT_CORE_BASE_TIMING_H

#include "core/base/profile_trace.h"

#include <stddef.h>

enum { SPANS_MAX = 80, HISTORY_MAX = 128 };

/* A timed part of a run; the name is borrowed and static. */
typedef struct Span {
    const char *name;
    double ms; /* NaN: its device has no clock */
} Span;

typedef struct Spans {
    ProfileTrace *profile_trace; /* gets every span, too; or NULL */
    int track;                   /* there */
    size_t count;
    Span spans[SPANS_MAX];
} Spans;

/* The last HISTORY_MAX values, oldest dropped first. */
typedef struct History {
    size_t count, next;
    double values[HISTORY_MAX];
} History;

double clock_ms(void);         /* monotonic */
double clock_thread_ms(void);  /* the time that this thread has computed; asking takes about a microsecond */
double clock_process_ms(void); /* the time that all threads of the program have computed */
void spans_clear(Spans *spans);
/* Counts the time from `start` to `end`, on clock_ms(): adds to the span of that name, or appends one. */
void spans_add(Spans *spans, const char *name, double start, double end);
/* Adds a device span. `start` is on the clock_ms() time line; `how` names the level. */
void spans_add_queued(Spans *spans, const char *name, const char *how, double start, double ms);
double spans_total(const Spans *spans); /* NaN if one has no time */

void history_add(History *history, double value);
double history_latest(const History *history);
/* `age` 0 is the newest; age < count. */
double history_value(const History *history, size_t age);
double history_median(const History *history);
double history_least(const History *history); /* 0 for none */
/* The q-quantile (0 to 1) of `count` values by the nearest rank; 0 for none. The values change places. */
double quantile(double *values, size_t count, double q);

#endif
