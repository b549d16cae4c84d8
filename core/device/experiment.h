/* experiment.h: a machine's costs, each a small curve: so much of this for so much of that.
 * Owns how a point is timed, and the curves as they are measured, point by point. A backend has a table of experiments,
 * each a descriptor in BACKEND/course/machine/NAME.c; a program that shows them needs to know no one of them. */
#ifndef GLINT_CORE_DEVICE_EXPERIMENT_H
#define GLINT_CORE_DEVICE_EXPERIMENT_H

#include "core/device/backend.h"

enum { EXPERIMENTS_MAX = 16, EXPERIMENT_POINTS = 20, EXPERIMENT_SERIES = 4 };

/* The quantity along an axis: "working set" in "bytes". */
typedef struct Axis {
    const char *what, *unit; /* a word as a unit is in the plural, and loses an s for 1 */
    bool linear;             /* else figures grow by factors */
} Axis;

typedef struct Curve Curve;

typedef struct Experiment {
    const char *name;   /* of the command line and of JSON: "stride" */
    const char *title;  /* three words or so */
    const char *idea;   /* one sentence: the thing done */
    const char *advice; /* one sentence: a programmer's remedy */
    Axis x, y;
    bool more_is_better;                   /* of y: a rate; else a time */
    const char *series[EXPERIMENT_SERIES]; /* names of the series, from the first on; at least one */
    double points[EXPERIMENT_POINTS];      /* of x, rising, above 0 */
    /* Measures y for this x, above 0; NAN where this device has no such point. The caller is in a call of the queue
     * (core/device/cache.h). STATUS_INTERRUPTED once the queue is asked to stop. */
    Status (*measure)(Queue *queue, double x, size_t series, double *y);
    /* One sentence with the findings, in numbers; NULL: curve_tell_ends. */
    void (*tell)(const Curve *curve, char *text, size_t size);
} Experiment;

/* A backend's experiments: Backend.experiments. */
typedef struct Experiments {
    const Experiment *const *list;
    size_t count; /* EXPERIMENTS_MAX at most */
} Experiments;

/* An experiment as far as it was measured: point by point, of each all series. */
struct Curve {
    const Experiment *experiment;
    size_t measured; /* figures so far */
    double y[EXPERIMENT_SERIES][EXPERIMENT_POINTS];
};

/* All that a backend has, measured one figure at a time. */
typedef struct Curves {
    const Device *device; /* the measured one; NULL: not begun */
    size_t count;
    Curve curves[EXPERIMENTS_MAX];
} Curves;

size_t experiment_points(const Experiment *experiment);
size_t experiment_series(const Experiment *experiment);
const Experiment *experiment_by_name(const Backend *backend, const char *name); /* NULL if there is none */

/* Begins with all that the queue's backend has, or with one experiment alone. */
void curves_begin(Curves *curves, const Device *device, const Experiment *only);
bool curves_complete(const Curves *curves);
/* The next figure; one that fails is not to be had, and one that is interrupted is due again. Nothing to do is no
 * failure. */
Status curves_measure(Curves *curves, Queue *queue);
/* Whether this point was measured and is to be had. */
bool curve_has(const Curve *curve, size_t series, size_t point);
bool curve_complete(const Curve *curve);
/* The figure for this x; NAN if there is none. */
double curve_at(const Curve *curve, size_t series, double x);
/* "from 0.25 ns at 1 word to 4.1 ns at 32 words, a factor of 16" of the series that changes most. */
void curve_tell_ends(const Curve *curve, char *text, size_t size);
/* "1.1 ns at 16 KiB, 4.0 ns at 512 KiB" of these points, as far as they are to be had. */
void curve_tell_at(const Curve *curve, size_t series, const double *points, size_t count, char *text, size_t size);
/* One sentence with the findings; "" while the curve is not complete. */
void curve_tell(const Curve *curve, char *text, size_t size);
/* Figures with their units, as axes have them: "256 KiB", "1.25 ns", "1 word". Returns `text`. */
const char *axis_format(Axis axis, double value, char *text, size_t size);

/* The work that is timed: enqueued, or done at once; `job` is the experiment's own. */
typedef Status ExperimentRun(Queue *queue, void *job);
/* The shortest of several runs after one that warms up, ms by the device's clock: a time reached undisturbed.
 * STATUS_INTERRUPTED once the queue is asked to stop. */
Status experiment_time(Queue *queue, ExperimentRun *run, void *job, double *ms);
/* The shortest of several runs, as experiment_time, by the host's clock until the queue's work is done: a caller waits
 * so long. */
Status experiment_time_host(Queue *queue, ExperimentRun *run, void *job, double *ms);

/* The element of a chain behind element i of `count`, a power of two. The chain goes through all of them, in an order
 * that no prefetcher foresees. A linear congruential generator of full period makes it (Knuth, TAOCP 2, 3.2.1.2,
 * theorem A). */
#define CHAIN_NEXT(i, count) (((i)*UINT32_C(1664525) + UINT32_C(1013904223)) & ((count)-1))

#endif
