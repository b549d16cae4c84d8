/* timing.c: the clock, spans and medians. */
#include "core/base/timing.h"

#include <math.h>
#include <string.h>
#include <time.h>

static double ms_of(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

double clock_ms(void) {
    return ms_of(CLOCK_MONOTONIC);
}

double clock_thread_ms(void) {
    return ms_of(CLOCK_THREAD_CPUTIME_ID);
}

double clock_process_ms(void) {
    return ms_of(CLOCK_PROCESS_CPUTIME_ID);
}

void spans_clear(Spans *spans) {
    spans->count = 0;
}

static void add(Spans *spans, const char *name, double ms) {
    for (size_t i = 0; i < spans->count; i++)
        if (strcmp(spans->spans[i].name, name) == 0) {
            spans->spans[i].ms += ms;
            return;
        }
    if (spans->count < SPANS_MAX)
        spans->spans[spans->count++] = (Span){name, ms};
}

void spans_add(Spans *spans, const char *name, double start, double end) {
    add(spans, name, end - start);
    if (spans->profile_trace)
        profile_trace_add(spans->profile_trace, spans->track, name, NULL, start, end - start);
}

void spans_add_queued(Spans *spans, const char *name, const char *how, double start, double ms) {
    add(spans, name, ms);
    profile_trace_add(spans->profile_trace, TRACK_QUEUE + spans->track, name, how, start, ms);
}

double spans_total(const Spans *spans) {
    double total = 0;
    for (size_t i = 0; i < spans->count; i++)
        total += spans->spans[i].ms;
    return total;
}

void history_add(History *history, double value) {
    history->values[history->next] = value;
    history->next = (history->next + 1) % HISTORY_MAX;
    history->count += history->count < HISTORY_MAX;
}

double history_value(const History *history, size_t age) {
    return history->values[(history->next + HISTORY_MAX - 1 - age) % HISTORY_MAX];
}

double history_latest(const History *history) {
    return history->count ? history_value(history, 0) : 0;
}

double history_median(const History *history) {
    double values[HISTORY_MAX] = {0};
    for (size_t i = 0; i < history->count; i++)
        values[i] = history_value(history, i);
    return quantile(values, history->count, 0.5);
}

double history_least(const History *history) {
    double least = history_latest(history);
    for (size_t i = 0; i < history->count; i++)
        least = fmin(least, history_value(history, i));
    return least;
}

/* The value that would stand at `index` if all were in order: C. A. R. Hoare, Algorithm 65: Find, CACM 4 (7), 1961. A
 * window asks for dozens of medians a draw: sorting for them took longer than its text. */
static double find(double *values, long count, long index) {
    for (long low = 0, high = count - 1; low < high;) {
        const double pivot = values[low + (high - low) / 2];
        long up = low, down = high;
        while (up <= down) {
            while (values[up] < pivot)
                up++;
            while (values[down] > pivot)
                down--;
            if (up > down)
                break;
            const double moved = values[up];
            values[up++] = values[down];
            values[down--] = moved;
        }
        if (index > down && index < up)
            break;
        low = index >= up ? up : low;
        high = index <= down ? down : high;
    }
    return values[index];
}

double quantile(double *values, size_t count, double q) {
    if (count == 0)
        return 0;
    const double rank = ceil(q * (double)count);
    const size_t index = rank < 1 ? 0 : (size_t)rank - 1;
    return find(values, (long)count, (long)(index < count ? index : count - 1));
}
