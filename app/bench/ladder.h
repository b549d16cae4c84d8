/* ladder.h: bench's figures of a ladder: a row for each level.
 * Owns the figures; bench.c, timing.c and trace_stats.c fill them in, report.c tells them. */
#ifndef GLINT_APP_BENCH_LADDER_H
#define GLINT_APP_BENCH_LADDER_H

#include "app/progress.h"
#include "core/base/timing.h"
#include "core/device/ceiling.h"
#include "core/stage/op.h"
#include "core/tracer/trace_stats.h"

#include <jansson.h>
#include <stdio.h>

enum { LADDER_MAX = 32, RUNS_MAX = 1000, GOALS = 3 };
#define SLOW_MS 20000.0 /* a level that takes longer is not run but estimated, unless it is asked for by name */

extern const uint32_t sample_goals[GOALS]; /* 1, 16, 256 */

/* One level's figures. */
typedef struct LevelResult {
    const Level *level;
    const char *why_not; /* it cannot do this job */
    Verdict verdict;
    double check_ms; /* that it took on a small job, with all around it */
    bool estimated;  /* it was not run on the whole job: smaller ones let the median expect */
    LaunchFacts facts;
    size_t runs;
    double ms[RUNS_MAX], total, median, p95;
    double cpu_ms[RUNS_MAX], cpu_median; /* that all threads computed */
    double hot, cold;                    /* ms right after itself, and with other data in the caches; 0: not measured */
    double watts, joules;                /* mean, and a run; negative: not to be had */
    double whole;        /* of a trace, ms: the spheres' upload, the run and the picture's download; 0: not measured */
    double goals[GOALS]; /* ms until every pixel has so many samples of light; 0: not measured */
} LevelResult;

typedef struct Ladder {
    Queue *queue;
    ProfileTrace *profile_trace; /* gets every run; or NULL */
    Progress *progress;          /* the terminal that shows progress; or NULL */
    bool times;                  /* and nothing that takes longer: caches, energy, many samples of light */
    const Stage *stage;          /* frames bound on the device */
    Scene *scene;                /* of a trace */
    Cost cost;
    size_t count;
    LevelResult *results; /* LADDER_MAX, slowest first */
    Ceiling copies, peak; /* plain copies of a result; f32 arithmetic */
    TraceStats trace_stats;
} Ladder;

/* The picture that a job is about: its result, or, where that is counts or sums, its input. */
static inline Shape stage_picture(const Stage *stage) {
    return stage->out.shape.type == PIXEL_U32 && stage->in[0].shape.width ? stage->in[0].shape : stage->out.shape;
}

/* The frames of one stage on a device, kept from job to job. */
typedef struct Frames {
    const Op *op; /* that they were last for; NULL: there are none */
    Frame in[STAGE_INPUTS], out;
} Frames;

/* Gives the stage frames, the inputs full of noise: those that are there if their shapes fit, else new ones. The
 * caller frees them, also on failure. */
Status frames_bind(Queue *queue, Frames *frames, Stage *stage);
void frames_free(Device *device, Frames *frames);

/* Shows progress on a terminal: "convolve: TEXT  0:12". `at_once` even if something was told just now. */
__attribute__((format(printf, 3, 4))) void ladder_tell(const Ladder *ladder, bool at_once, const char *format, ...);

/* Runs the level once; `ms` by the device's clock. */
Status ladder_run(const Ladder *ladder, const Level *level, double *ms);
/* The second of two runs, since the first also loads the level's kernels and tables; the first, if it took long
 * itself. */
Status ladder_try(const Ladder *ladder, const Level *level, double *ms);
/* Estimates the levels that would take minutes on the whole job, from the same job in two smaller sizes. One is
 * `sample`, which they were checked on; the other is smaller still. */
Status ladder_estimate_slow(Ladder *ladder, const Stage *sample, const Stage *smaller);
/* Times them in turns, `runs` times each at most, in place of their times before. A level whose runs took `max_ms`
 * together gets no more of them, and one that was estimated none. */
Status ladder_time(Ladder *ladder, int runs, double max_ms);
/* Measures caches, energy and the device's ceilings, in addition to times. */
Status ladder_measure(Ladder *ladder);
/* Measures a trace: its rays, the BVH, the time of samples. */
Status ladder_count_rays(Ladder *ladder);

/* A small part of such a picture, for predictions. */
Shape sample_shape(Shape shape);
/* Times levels that accept the job, but for those that `sample`, the job on a picture of sample_shape(), shows to be
 * hopeless. Writes a line to `to` and an entry to `list` for each. STATUS_PARTIAL if a level is more than 10 % faster
 * than the one that best takes. */
Status ladder_check_best(Ladder *ladder, const Stage *sample, int runs, FILE *to, json_t *list, const char *job);

void ladder_print(FILE *to, const Ladder *ladder, const char *job);
void ladder_print_checks(FILE *to, const Ladder *ladder, const char *job); /* on a device without a clock */
/* Google Benchmark's JSON schema, with our figures as counters. Times of a device without a clock are null. */
void ladder_add_json(json_t *list, const Ladder *ladder, const char *job);

#endif
