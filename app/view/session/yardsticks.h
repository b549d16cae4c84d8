/* yardsticks.h: the figures that a run's time is compared with. Owns the times of levels and the counts of rays, each
 * measured in bounded time. For a job that would take too long, as large a part is measured as the time allows, and
 * scaled up. */
#ifndef GLINT_APP_VIEW_SESSION_YARDSTICKS_H
#define GLINT_APP_VIEW_SESSION_YARDSTICKS_H

#include "app/view/session/plan_view.h"
#include "core/device/ceiling.h"
#include "core/plan/pipeline.h"
#include "core/scene/camera.h"
#include "core/scene/gathering.h"
#include "core/scene/scene.h"
#include "core/tracer/trace_stats.h"

enum { LEVEL_RACE_MAX = 24 };

typedef struct Timing {
    bool known, estimated; /* estimated: scaled up from a part of the pixels */
    double ms;             /* all stages */
    bool unsteady;         /* no two of its runs agree within RUNS_AGREE */
} Timing;

typedef struct Yardsticks {
    const Level *lowest_level; /* the lowest rung that can do the job, besides the reference */
    Ceiling copies;            /* of frames like the result */
    bool unmeasurable;         /* no lowest rung, or it failed: do not try again */
} Yardsticks;

/* Times of one thing, each a median of some runs. */
typedef struct Trials {
    unsigned count;
    double sum, squares; /* ms */
} Trials;

typedef struct LevelRaceLane {
    const Level *level;
    const char *why_not; /* NULL if it can do the job */
    Trials trials;       /* of the whole job; none where its time is an estimate */
    unsigned estimates;  /* of which the smallest counts: scaling up a part enlarges its disturbances */
    bool compared;
    double error; /* then: the largest difference of a part of the result from the reference's; below 0: not known */
} LevelRaceLane;

/* Lanes are run in rounds, until their times are known well. */
typedef struct LevelRace {
    size_t count, next; /* lanes; the one to run next, count: all done */
    unsigned round;
    LevelRaceLane lanes[LEVEL_RACE_MAX];
} LevelRace;

/* A pipeline of its own for that, of a picture with the middle part uploaded. Fails as view_plan and
 * pipeline_create. */
Status measurement_open(const Measurement *job, const char *level, Shape shape, Pipeline **pipeline);
/* Times a level (a name, or "best") within `limit_ms`, the preparations included, behind a run of a few pixels that
 * does not count. It begins on these pixels, and goes on with ever larger parts of the picture while the next is sure
 * to fit. The result is the median of three runs where the whole job fits so often. Ends early with an estimate below
 * `enough_ms`; 0: never. Fails as pipeline_create and pipeline_run do. */
Status measurement_time(const Measurement *job, const char *level, double limit_ms, double enough_ms, Timing *timing);
/* The pixels of a job that the reference computes for sure within `limit_ms`; 0 where that cannot be known. */
double measurement_reference_pixels(const Measurement *job, double limit_ms);
void trials_add(Trials *trials, double ms);
double trials_mean(const Trials *trials);
/* Half the width of the mean's interval of 95 % (Student, The Probable Error of a Mean, 1908); INFINITY below two. */
double trials_interval(const Trials *trials);

/* Counts the rays of a job with a scene, a sample a pixel, within `limit_ms` and a run's `run_ms`. *estimated: only a
 * part of the pixels was counted. A BVH that takes longer to build is not built for that. */
Status measurement_count_rays(const Measurement *job, double limit_ms, double run_ms, TraceStats *stats,
                              bool *estimated);

/* The exposure, in half stops within +-12, that suits the light which a job with a scene shows. The pixels' mean on a
 * logarithmic scale becomes a middle grey (Reinhard et al., Photographic Tone Reproduction for Digital Images, 2002).
 * The mean is by a few samples of a coarse picture, the same in every run. 0 where that is within a stop, or all is
 * dark. */
Status measurement_exposure(const Measurement *job, double *stops);

/* Why a level cannot do all stages of its operation, as pipeline_set_level decides; NULL if it can. */
const char *level_why_not(const Device *device, const Pipeline *pipeline, const Level *level);
/* The lowest rung of the main stage's ladder that accepts it, besides the reference; NULL if there is none. */
const Level *lowest_level(const Device *device, const Pipeline *pipeline);

#endif
