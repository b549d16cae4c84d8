/* measure.h: what a run's time is compared with.
 * Owns the plain copy, the lowest rung and the race of all rungs, each measured in bounded time: a job that would take
 * too long is measured on a part of its pixels and marked as estimated. */
#ifndef GLINT_APP_VIEW_MEASURE_H
#define GLINT_APP_VIEW_MEASURE_H

#include "core/chain.h"
#include "core/pipeline.h"

enum { RACE_MOST = 24 };

typedef struct Timing {
    bool known, estimated; /* estimated: scaled up from a part of the pixels */
    double ms;             /* all stages */
} Timing;

typedef struct Yardsticks {
    const Level *lowest_level; /* the lowest rung that can do the job, beside the reference */
    Timing lowest;
    double copy_ms;    /* what the stages' bytes take as plain copies; 0: not known yet */
    bool unmeasurable; /* tried and failed: do not try again */
} Yardsticks;

typedef struct RaceLane {
    const Level *level;
    const char *why_not; /* NULL if it can do the job */
    Timing timing;
} RaceLane;

typedef struct Race {
    size_t count, next; /* lanes; the one to run next, count: all done */
    RaceLane lanes[RACE_MOST];
} Race;

/* What a pipeline is made for; light is gathered by one sample a run. */
typedef struct Job {
    Device *device;
    const Chain *chain; /* of a picture */
    PlanOptions options;
    ImageView picture;
    const Scene *scene; /* or of a scene */
    Camera camera;
    Look look;
    float exposure; /* of light */
    Shape shape;
} Job;

/* Plans the job for 1/reduction of the width and height. */
Status job_plan(const Job *job, size_t reduction, Plan **plan);
/* Times a level (a name, or "best") within about `limit_ms`; the smallest part always runs. */
Status job_time(const Job *job, const char *level, double limit_ms, Timing *timing);
/* Times plain copies of as many bytes as the pipeline's stages have to move. */
Status copy_time(Device *device, const Pipeline *pipeline, double *ms);

/* Why a level cannot do all stages of its operation, as pipeline_set_level decides; NULL if it can. */
const char *level_why_not(const Device *device, const Pipeline *pipeline, const Level *level);
/* The lowest rung of the main stage's ladder that accepts it, beside the reference; NULL if there is none. */
const Level *lowest_level(const Device *device, const Pipeline *pipeline);

#endif
