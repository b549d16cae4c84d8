/* session.h: what follows from a request, and what was measured of it.
 * Owns the device and the pipeline, the result, and every figure that panels show. A run changes this part of the
 * viewer alone: a worker runs on a copy of it, while the window shows what was known before. */
#ifndef GLINT_APP_VIEW_SESSION_SESSION_H
#define GLINT_APP_VIEW_SESSION_SESSION_H

#include "app/view/data/card.h"
#include "app/view/data/motion.h"
#include "app/view/session/judge.h"
#include "app/view/session/preview.h"
#include "app/view/session/request.h"
#include "app/view/session/runs.h"
#include "app/view/session/yardsticks.h"
#include "app/view/tools/histogram.h"
#include "app/view/tools/inspector.h"
#include "app/view/tools/machine_page.h"
#include "app/view/tools/mask_editor.h"
#include "core/base/timing.h"
#include "core/image/difference.h"
#include "core/plan/pipeline.h"
#include "core/run/likeness.h"
#include "core/scene/noise.h"
#include "core/tracer/progressive.h"
#include "core/tracer/trace_stats.h"

#include <string.h>

enum { LEVELS_MAX = 256, PACE_MAX = 16, PACES = 8, RUNGS_MAX = 24 };

/* A named span's last values. */
typedef struct SpanHistory {
    const char *name;
    History history;
    bool stage; /* counts as work of the pipeline */
    double at;  /* clock_ms of the latest; 0: it was before the last change */
} SpanHistory;

/* What a backend last took for the job that is shown. */
typedef struct BackendTime {
    const Level *level; /* NULL: it was not asked yet */
    double ms;
} BackendTime;

/* What the stages of the last runs took, each on its level. */
typedef struct Pace {
    const Backend *backend;
    size_t count; /* of levels; 0: not known */
    const Level *levels[PACE_MAX];
    Shape shape; /* of the result */
    double ms, flops;
    bool best; /* these were taken as the best */
} Pace;

/* A rung as the overlay and the keys see it. */
typedef struct LadderRow {
    const Level *level;
    int number;          /* the digit that picks it; the reference is 0 */
    const char *why_not; /* NULL if it can do the job */
    bool current;
} LadderRow;

/* What was measured of one job; another one begins with none of it. */
typedef struct Measured {
    Runs runs; /* ms of all stages, also across changes of the level */
    Yardsticks yardsticks;
    LevelRace race;
    Judgement judgement;                           /* of the level that was compared last */
    Timing level_times[LEVELS_MAX];                /* by the level's place in its backend's table */
    BackendTime sides[BACKENDS_MAX];               /* by the backend's place in the list */
    TraceStats trace_stats;                        /* if it is a trace */
    bool trace_stats_tried, trace_stats_estimated; /* estimated: from a part of the pixels */
} Measured;

/* What the BVH of bodies that move has cost since it was built last, ms. */
typedef struct Refits {
    double build_ms;           /* what that took; 0: not known */
    double sample_ms, samples; /* of the last frame, all pixels */
    bool known;                /* a frame's: */
    double least_ms, lost;     /* of sample_ms; and what samples took beyond that */
} Refits;

/* Bodies that attract each other, as they were shown last. */
typedef struct Simulated {
    bool known;
    unsigned long steps;
    double time;                                 /* in the scene's units, as these are, which were counted: */
    double counted_at;                           /* clock_ms: of many bodies only now and then */
    double energy, kinetic, potential, momentum; /* the last: its length */
    double energy_drift, momentum_drift;         /* core/scene/bodies.h */
} Simulated;

typedef struct Session {
    Request request; /* that all this was made for */
    Device *device;
    Pipeline *pipeline;         /* NULL: nothing is open */
    unsigned job_serial;        /* changes with what the pipeline is for */
    LadderRow rungs[RUNGS_MAX]; /* of the pipeline: that a level refuses may take it a millisecond to find */
    size_t rung_count;
    bool rungs_due;   /* reasons are of the job before */
    Stop *stop;       /* of the pipeline's work: another thread may ask */
    Partial *partial; /* what is made of a result that takes long: the window looks at it */
    bool tells;       /* of the run that comes next */
    bool stale;       /* the pipeline has to run */
    bool runs;        /* it was started, and nobody has waited for it yet (viewer_end_run) */
    bool keeps_light; /* then: behind the light that is gathered, which stays */
    bool uploaded;    /* the pipeline holds the picture */
    double upload_ms;
    bool has_result, on_device; /* there is one; the pipeline's frame holds it */
    unsigned result_serial;     /* changes with the result's pixels */
    Image *result;              /* its pixels, if result_fetched says so; else those of an older one, or NULL */
    unsigned result_fetched;    /* the result_serial that they are of */
    unsigned result_of;         /* the serial of the subject that it was made from */
    unsigned result_job;        /* the job_serial of the last run that gave one */
    Image *unfiltered;          /* of a scene: a result before the chain, if that was wanted; never written to again */
    unsigned unfiltered_of;     /* the result_serial that it is of */
    Preview preview;            /* of a result that is still to come */
    Motion motion;              /* of the scene's spheres */
    Simulated simulated;        /* what that came to, of bodies */
    Refits refits;              /* of these */
    Progressive progressive;    /* of a look of light: what is gathered of it */
    uint32_t samples;           /* a pixel, at which gathering ends */
    Noise noise;                /* of what is gathered */
    bool shown;                 /* all that is gathered has become a picture */
    double shown_at, show_ms;   /* when that was last done, and how long it took */
    Likeness likeness;          /* of the result and its source (viewer_source); NaN: not to be had */
    Difference difference;      /* of the result from its source (viewer_source), as far as it is counted */
    unsigned difference_of_result, difference_of_source; /* their serials */
    bool settled;                                        /* no more runs are due for the sake of medians */
    double measure_at; /* clock_ms: measurements wait until then, so that the user does not wait for them */

    size_t span_count;
    Shape spans_of;     /* the result whose spans they are */
    History totals;     /* ms of all stages, a run each, since the last change */
    unsigned run_count; /* runs so far */
    Pace paces[PACES];  /* also of other jobs, each on other levels; the latest first */
    Ceiling peak;       /* the device's arithmetic */
    MachineCurves machine;
    LaunchFacts facts; /* of the main stage's last run; no threads: not known */
    Partition partition;
    Card card;                 /* of these */
    bool has_card, card_known; /* known: whether there is one */
    Measured measured;
    ReferencePart reference; /* that races compare with */
    Ahead ahead;             /* what the inspector needs besides the picture and the result */
    Counted counted;
    Response response;
    SpanHistory spans[SPANS_MAX]; /* the last member: copies are of as many as there are */
} Session;

static inline void session_copy(Session *to, const Session *from) {
    memcpy(to, from, offsetof(Session, spans) + from->span_count * sizeof from->spans[0]);
}

#endif
