/* experiment.c: curves, figure by figure, and how one is timed. */
#include "core/device/experiment.h"

#include "core/base/timing.h"
#include "core/device/backend.h"
#include "core/device/cache.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIES_FEW = 5, TRIES_MAX = 25 };
#define TRIES_MS 6.0 /* for a figure, beyond the fewest tries */

/* ---- timing ---- */

static Status time_once(Queue *queue, ExperimentRun *run, void *job, bool host, double *ms) {
    const Backend *backend = queue->device->backend;
    const double start = clock_ms();
    if (!host)
        TRY(backend->mark(queue, 0));
    TRY(run(queue, job));
    if (!host)
        TRY(backend->mark(queue, 1));
    TRY(backend->sync(queue));
    *ms = clock_ms() - start;
    return host ? STATUS_OK : backend->elapsed(queue, 0, 1, ms);
}

static Status time_best(Queue *queue, ExperimentRun *run, void *job, bool host, double *best) {
    double ms;
    TRY(time_once(queue, run, job, host, &ms)); /* warms up */
    const double start = clock_ms();
    *best = INFINITY;
    for (int i = 0; i < TRIES_FEW || (i < TRIES_MAX && clock_ms() - start < TRIES_MS); i++) {
        if (queue_stops(queue))
            return fail(STATUS_INTERRUPTED, "stopped");
        TRY(time_once(queue, run, job, host, &ms));
        *best = fmin(*best, ms);
    }
    *best = fmax(*best, 1e-7);
    return STATUS_OK;
}

Status experiment_time(Queue *queue, ExperimentRun *run, void *job, double *ms) {
    return time_best(queue, run, job, false, ms);
}

Status experiment_time_host(Queue *queue, ExperimentRun *run, void *job, double *ms) {
    return time_best(queue, run, job, true, ms);
}

/* ---- curves ---- */

size_t experiment_points(const Experiment *experiment) {
    size_t count = 0;
    while (count < EXPERIMENT_POINTS && experiment->points[count] > 0)
        count++;
    return count;
}

size_t experiment_series(const Experiment *experiment) {
    size_t count = 0;
    while (count < EXPERIMENT_SERIES && experiment->series[count])
        count++;
    return count;
}

const Experiment *experiment_by_name(const Backend *backend, const char *name) {
    for (size_t i = 0; backend->experiments && i < backend->experiments->count; i++)
        if (strcmp(backend->experiments->list[i]->name, name) == 0)
            return backend->experiments->list[i];
    return NULL;
}

void curves_begin(Curves *curves, const Device *device, const Experiment *only) {
    const Experiments alone = {&only, 1}, *all = only ? &alone : device->backend->experiments;
    *curves = (Curves){.device = device};
    for (; all && curves->count < all->count; curves->count++)
        curves->curves[curves->count].experiment = all->list[curves->count];
}

bool curve_complete(const Curve *curve) {
    return curve->measured == experiment_points(curve->experiment) * experiment_series(curve->experiment);
}

static Curve *next_curve(Curves *curves) {
    for (size_t i = 0; i < curves->count; i++)
        if (!curve_complete(&curves->curves[i]))
            return &curves->curves[i];
    return NULL;
}

bool curves_complete(const Curves *curves) {
    bool complete = true;
    for (size_t i = 0; i < curves->count; i++)
        complete &= curve_complete(&curves->curves[i]);
    return complete;
}

Status curves_measure(Curves *curves, Queue *queue) {
    Curve *curve = next_curve(curves);
    if (!curve)
        return STATUS_OK;
    const size_t series = curve->measured % experiment_series(curve->experiment);
    const size_t point = curve->measured / experiment_series(curve->experiment);
    double y = NAN;
    cache_begin(queue);
    const Status status = curve->experiment->measure(queue, curve->experiment->points[point], series, &y);
    cache_end(queue);
    if (status == STATUS_INTERRUPTED)
        return status;
    curve->y[series][point] = status == STATUS_OK ? y : NAN;
    curve->measured++;
    return status;
}

bool curve_has(const Curve *curve, size_t series, size_t point) {
    const size_t count = experiment_series(curve->experiment);
    return series < count && point * count + series < curve->measured && !isnan(curve->y[series][point]);
}

double curve_at(const Curve *curve, size_t series, double x) {
    for (size_t i = 0; i < experiment_points(curve->experiment); i++)
        if (curve->experiment->points[i] <= x && curve->experiment->points[i] >= x)
            return curve_has(curve, series, i) ? curve->y[series][i] : NAN;
    return NAN;
}

/* ---- words ---- */

/* Three digits, without those behind the point that whole figures do not have. */
static void format_number(double value, char *text, size_t size) {
    const double places = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    const bool whole = fabs(value - round(value)) < 1e-9;
    snprintf(text, size, "%.*f", whole ? 0 : (int)places, value);
}

const char *axis_format(Axis axis, double value, char *text, size_t size) {
    static const char *const prefixes[] = {"", "Ki", "Mi", "Gi"};
    char number[32];
    size_t prefix = 0, length = strlen(axis.unit);
    const bool bytes = strcmp(axis.unit, "B") == 0;
    for (; bytes && value >= 1024 && prefix + 1 < sizeof prefixes / sizeof prefixes[0]; prefix++)
        value /= 1024;
    format_number(value, number, sizeof number);
    length -= length > 3 && axis.unit[length - 1] == 's' && value >= 1 && value <= 1; /* not of ns and µs */
    if (isnan(value))
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%s %s%.*s", number, prefixes[prefix], (int)length, axis.unit);
    return text;
}

/* The first and the last point of a series that are to be had; false if there are not two. */
static bool find_ends(const Curve *curve, size_t series, size_t *first, size_t *last) {
    const size_t count = experiment_points(curve->experiment);
    for (*first = 0; *first < count && !curve_has(curve, series, *first); ++*first)
        continue;
    for (*last = count; *last > *first && !curve_has(curve, series, *last - 1); --*last)
        continue;
    *last -= *last > *first;
    return *last > *first;
}

/* How far the ends of a series lie apart, as a factor of 1 or more. */
static double span_of(const Curve *curve, size_t series) {
    size_t first, last;
    if (!find_ends(curve, series, &first, &last))
        return 0;
    const double factor = curve->y[series][last] / curve->y[series][first];
    return fmax(factor, 1 / factor);
}

void curve_tell_ends(const Curve *curve, char *text, size_t size) {
    const Experiment *experiment = curve->experiment;
    size_t most = 0, first, last;
    char words[5][48];
    for (size_t i = 1; i < experiment_series(experiment); i++)
        most = span_of(curve, i) > span_of(curve, most) ? i : most;
    if (!find_ends(curve, most, &first, &last)) {
        snprintf(text, size, "not to be had on this device");
        return;
    }
    const double factor = curve->y[most][last] / curve->y[most][first];
    format_number(fmax(factor, 1 / factor), words[4], sizeof words[4]);
    snprintf(text, size, "%s%sfrom %s at %s to %s at %s, a factor of %s",
             experiment_series(experiment) > 1 ? experiment->series[most] : "",
             experiment_series(experiment) > 1 ? ": " : "",
             axis_format(experiment->y, curve->y[most][first], words[0], sizeof words[0]),
             axis_format(experiment->x, experiment->points[first], words[1], sizeof words[1]),
             axis_format(experiment->y, curve->y[most][last], words[2], sizeof words[2]),
             axis_format(experiment->x, experiment->points[last], words[3], sizeof words[3]), words[4]);
}

void curve_tell_at(const Curve *curve, size_t series, const double *points, size_t count, char *text, size_t size) {
    size_t length = 0;
    char y[48], x[48];
    text[0] = '\0';
    for (size_t i = 0; i < count && length < size; i++)
        if (!isnan(curve_at(curve, series, points[i])))
            length +=
                (size_t)snprintf(text + length, size - length, "%s%s at %s", length > 0 ? ", " : "",
                                 axis_format(curve->experiment->y, curve_at(curve, series, points[i]), y, sizeof y),
                                 axis_format(curve->experiment->x, points[i], x, sizeof x));
}

void curve_tell(const Curve *curve, char *text, size_t size) {
    text[0] = '\0';
    if (!curve_complete(curve))
        return;
    if (curve->experiment->tell)
        curve->experiment->tell(curve, text, size);
    else
        curve_tell_ends(curve, text, size);
}
