/* session.h: the pipeline of a request, its result, and all that was measured.
 * Owns the device and the pipeline, the result, and every figure that panels show. A run needs nothing but this: a
 * worker takes the session, while the window shows a snapshot (snapshot.h). */
#ifndef GLINT_APP_VIEW_SESSION_SESSION_H
#define GLINT_APP_VIEW_SESSION_SESSION_H

#include "app/view/data/card.h"
#include "app/view/data/motion.h"
#include "app/view/data/placed.h"
#include "app/view/session/judge.h"
#include "app/view/session/kept.h"
#include "app/view/session/request.h"
#include "app/view/session/results.h"
#include "app/view/session/runs.h"
#include "app/view/session/wishes.h"
#include "app/view/session/yardsticks.h"
#include "core/base/timing.h"
#include "core/image/difference.h"
#include "core/plan/pipeline.h"
#include "core/run/likeness.h"
#include "core/run/simulation.h"
#include "core/scene/noise.h"
#include "core/tracer/crew.h"
#include "core/tracer/progressive.h"
#include "core/tracer/trace_stats.h"
#include "cpu/flip/flip.h"

typedef struct Listing Listing;       /* app/listing/listing.h */
typedef struct FigureView FigureView; /* app/view/session/figure_view.h */

#define REST_MS      200.0 /* without a change, or a key, before measurements begin */
#define YARDSTICK_MS 50.0  /* for a measurement: the user waits no longer */
#define SLOW_MS      700.0 /* runs that take longer are not repeated for the sake of medians */

enum { LEVELS_MAX = 256, PACE_MAX = 16, PACES = 8, RUNGS_MAX = 24 };

/* A named span's last values. */
typedef struct SpanHistory {
    const char *name;
    History history;
    bool stage; /* counts as work of the pipeline */
    double at;  /* clock_ms of the latest; 0: it was before the last change */
} SpanHistory;

/* A backend's last time for the job that is shown. */
typedef struct BackendTime {
    const Level *level; /* NULL: it was not asked yet */
    double ms;
} BackendTime;

/* The time of the last run with these levels, all stages together. */
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

/* A figure as people read it. */
typedef enum StructureFigure {
    FIGURE_INSTRUCTIONS, /* of threads, a pixel */
    FIGURE_LANES,        /* that are active, percent */
    FIGURE_SECTORS,      /* a request of global memory */
    FIGURE_CONFLICTS,    /* of banks, a request of shared memory */
    FIGURE_ATOMICS,      /* conflicts of atomics, a pixel */
    FIGURE_BARRIERS,     /* that warps come to, a thousand pixels */
    STRUCTURE_FIGURES
} StructureFigure;

/* A level on a part of the job, on a device without a clock (structure.h). */
typedef struct Structure {
    const Level *level; /* NULL: none */
    bool judged;        /* by the reference, with this: */
    Verdict verdict;
    size_t width, height;              /* of the part */
    bool tried, counted;               /* tried: to count */
    double figures[STRUCTURE_FIGURES]; /* negative: of nothing, as conflicts of a kernel without shared memory */
    int lines[STRUCTURE_FIGURES];      /* of the kernel's file, which has most of it; 0: not known */
} Structure;

/* The measurements of one job; another one begins with none of them. */
typedef struct Measured {
    Runs runs; /* ms of all stages, also across changes of the level */
    Yardsticks yardsticks;
    LevelRace race;
    Judgement judgement;                           /* of the level that was compared last */
    Timing level_times[LEVELS_MAX];                /* by the level's place in its backend's table */
    BackendTime sides[BACKENDS_MAX];               /* by the backend's place in the list */
    TraceStats trace_stats;                        /* if it is a trace */
    bool trace_stats_tried, trace_stats_estimated; /* estimated: from a part of the pixels */
    Structure structures[RUNGS_MAX];               /* the first so many that were judged */
    double pixel_ms; /* of this machine, on a device without a clock; 0: not known, below: not to be had */
} Measured;

/* The costs of the BVH of moving bodies since it was built last, ms. */
typedef struct Refits {
    double build_ms;           /* of building it; 0: not known */
    double sample_ms, samples; /* of the last frame, all pixels */
    bool known;                /* a frame's: */
    double least_ms, lost;     /* the minimum of sample_ms; and the time of samples beyond that */
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

/* The source of a comparison, for the map to it, in a picture as large as the result. */
typedef struct AlignedOf {
    unsigned source; /* its serial */
    Homography map;
    Shape shape; /* that it gets */
} AlignedOf;

/* The picture itself (aligned.h). */
typedef struct Aligned {
    AlignedOf of;
    Image *image; /* NULL: none */
    size_t rows;  /* that are made; nobody writes to it once it has all of them */
    PlacedPart part;
    unsigned serial; /* changes with it */
    bool refused;    /* for want of memory */
} Aligned;

/* The sides of errors: two serials, and the light that a later picture may have more of. */
typedef struct FlipOf {
    unsigned source, result, kept; /* their serials, and that of the snapshot */
    const Request *request;        /* not retained: its address is compared, and nothing else */
    uint32_t samples;
    PlacedPart part; /* of the result, that both sides have */
} FlipOf;

/* Errors by FLIP (flip_errors.h). */
typedef struct FlipErrors {
    FlipOf of, making; /* those that are known, and those that are on their way */
    Image *map;        /* f32x1, as large as the result, 0 beyond the part; nobody writes to it. NULL: none is known */
    unsigned serial;   /* of the map; FLIP_SERIAL is in it */
    FlipFigures figures;             /* of the part, which places count from */
    FlipWork *work;                  /* NULL: nothing is on its way */
    Image *made;                     /* by it */
    double progress, took_ms, ended; /* 0 to 1; of the last ones; clock_ms */
    bool refused;                    /* `making`, for want of memory */
} FlipErrors;
#define FLIP_SERIAL (5u << 29) /* no other kind of pictures has these bits */

typedef struct Session {
    const Request *request; /* that all this was made for */
    Subject *subject;       /* of it, one of the viewer's; NULL: nothing is open */
    Chain *chain;           /* the request's, with the images that its filters name */
    size_t misfit;          /* the first link, from 1, that does not fit the picture; it and those behind it are not
                               carried out; 0: all fit. Only of a chain that another picture had */
    char misfit_words[256]; /* then: why, as one sentence */
    Wishes wishes;          /* the window's, when it last had work done (viewer_session) */
    Device *device;
    Pipeline *pipeline;         /* NULL: nothing is open */
    ResultPlace place;          /* of its result */
    unsigned job_serial;        /* changes with the pipeline's job */
    LadderRow rungs[RUNGS_MAX]; /* of the pipeline: that a level refuses may take it a millisecond to find */
    size_t rung_count;
    bool rungs_due;   /* reasons are of the job before */
    Stop *stop;       /* of the pipeline's work: another thread may ask */
    Partial *partial; /* the parts of a result that takes long: the window looks at them */
    bool tells;       /* of the run that comes next */
    bool stale;       /* the pipeline has to run */
    bool interrupted; /* the run that is due was begun, and stopped */
    bool halted;      /* by a person: it waits until something else makes one due */
    bool runs;        /* it was started, and nobody has waited for it yet (viewer_end_run) */
    bool keeps_light; /* then: behind the light that is gathered, which stays */
    bool uploaded;    /* the pipeline holds the picture */
    double upload_ms;
    bool has_result, on_device;  /* there is one; the pipeline's frame holds it */
    unsigned result_serial;      /* changes with the result's pixels */
    Image *result;               /* its pixels, if result_fetched says so; else those of an older one, or NULL */
    unsigned result_fetched;     /* the result_serial that they are of */
    unsigned result_of;          /* the serial of the subject that it was made from */
    unsigned result_job;         /* the job_serial of the last run that gave one */
    Image *unfiltered;           /* of a scene: a result before the chain, if that was wanted; never written to again */
    unsigned unfiltered_of;      /* the result_serial that it is of */
    Preview preview;             /* of a result that is still to come */
    Near near;                   /* the visible part of it */
    Front front;                 /* the frame in front of the links that are edited */
    Motion motion;               /* of the scene's spheres */
    Simulation *simulation;      /* of the scene's bodies, once they have moved; or NULL */
    Simulated simulated;         /* the bodies' time, energy and momentum */
    Refits refits;               /* of these */
    uint64_t built, built_moves; /* the geometry of which a BVH was built last, and its moves then */
    Progressive progressive;     /* of a look of light: the samples so far */
    uint32_t samples;            /* a pixel, at which gathering ends */
    FigureView *figure;          /* of the look "figure"; or NULL */
    Crew *crew;                  /* further devices that gather light; NULL: there are none */
    const Backend *crew_backend;
    int crew_first;           /* the device of that backend which they help */
    unsigned crew_job;        /* the job_serial that the crew has plans of; 0: none */
    bool crew_joined;         /* the light is the crew's, too */
    Noise noise;              /* of the light so far */
    bool shown;               /* all light so far has become a picture */
    size_t shown_side;        /* of the blocks that this picture has; 1: pixels of their own */
    double shown_at, show_ms; /* when that was last done, and how long it took */
    Likeness likeness;        /* of the result and its source (viewer_source); NaN: not to be had */
    Aligned aligned;          /* the source, where it lies otherwise than the result */
    Difference difference;    /* of a part of the result from that or its source, as far as it is counted */
    PlacedPart compared;      /* that part, which places in `difference` count from */
    unsigned difference_of_result, difference_of_source; /* their serials (aligned_source) */
    FlipErrors flip;
    bool settled;      /* no more runs are due for the sake of medians */
    double measure_at; /* clock_ms: measurements wait until then, so that the user does not wait for them */

    size_t span_count;
    Shape spans_of;         /* the result whose spans they are */
    History totals;         /* ms of all stages, a run each, since the last change */
    unsigned run_count;     /* runs so far */
    Pace paces[PACES];      /* also of other jobs, each on other levels; the latest first */
    Ceiling peak;           /* the device's arithmetic */
    MachineCurves *machine; /* shared (app/view/data/shared.h), as are the spans */
    LaunchFacts facts;      /* of the main stage's last run; no threads: not known */
    Partition partition;
    Card card;                 /* of these */
    bool has_card, card_known; /* known: whether there is one */
    Measured measured;
    ReferencePart reference; /* that races compare with */
    Ahead ahead;             /* values that the inspector needs besides the picture and the result */
    Counted counted;
    Response response;
    SpanHistory *spans;                /* room for SPANS_MAX */
    Listing *listing, *listing_before; /* of an emulated level, and the one that a draw may still have; or NULL */
    const Level *listing_of;           /* then: the level, and the job_serial */
    unsigned listing_job;
    unsigned code_job; /* the job_serial whose machine code was last asked for, */
    char no_code[160]; /* and why there is none; or "" */
} Session;

/* The picture or the scene that is shown; NULL for the one that it is not, or if nothing is open. */
const Image *session_picture(const Session *session);
const Scene *session_scene(const Session *session);
/* The shape of the picture or scene, and of its result; zeroed if nothing is open. */
Shape session_shape(const Session *session);
Shape session_shown_shape(const Session *session);
double session_exposure(const Session *session); /* stops */
bool session_gathers(const Session *session);    /* light, step by step */
bool session_has_clock(const Session *session);  /* else times on its device mean nothing */
bool session_moves(const Session *session);      /* each run shows the scene's spheres somewhere else */
/* The links that are carried out, of the chain: those that fit, without the one that is set aside. A view, which owns
 * nothing. */
Chain session_carried(const Session *session);
/* The job that the pipeline is made for. */
Measurement session_measurement(const Session *session);

/* ---- levels and figures ---- */

const Level *session_level(const Session *session); /* the main stage's, or NULL */
/* Asks each level of the main stage whether it can do the job. */
void session_note_rungs(Session *session);
/* The milliseconds that a level took for this job, if it was timed; the lowest is the one that speedups count from. */
Timing session_level_time(const Session *session, const Level *level);
Timing session_lowest_time(const Session *session);
/* Notes a level's time; an estimate does not replace a measurement. */
void session_note_level_time(Session *session, const Level *level, Timing timing);
/* Notes the medians since the last change: of the level, and of its backend. */
void session_note_times(Session *session);
/* The ms that the due run takes at most, if a run before had the same operations on the same levels, or both the best.
 * Else it is 0. *max: also from other operations on their best levels, by the arithmetic of the latest; 0: not
 * known. */
double session_paced_ms(const Session *session, double *max);
/* The pipeline's figures over the last runs; zeros before the first. */
typedef struct Figures {
    double ms, mpixels, gigabytes, gigaflops; /* ms; per second */
    double bytes, flops;                      /* of the job, whatever the level; flops 0: not known, as of light */
    double bandwidth;                         /* of plain copies, GB/s; 0: not known yet */
    double copies, speedup;                   /* 0: not known yet */
    bool speedup_estimated;
    bool unsteady; /* runs are too far apart for a speed-up to mean anything */
} Figures;
Figures session_figures(const Session *session);

/* ---- spans ---- */

/* Adds to the history of a span; of a `stage`, it is work of the pipeline. `name` is static. */
void session_record_span(Session *session, const char *name, double ms, bool stage);
/* Adds a span that is no stage, and to the profile. */
void session_record(Session *session, const char *name, double ms);
/* Forgets the spans, but for how the picture came here: in the order in which the overlay lists them. */
void session_clear_spans(Session *session);
/* Forgets the spans of stages alone: those of the window's work go on as before, and keep their places. */
void session_clear_stages(Session *session);

/* ---- runs ---- */

Status session_upload(Session *session); /* the picture, unless the pipeline has it */
void session_record_run(Session *session, const Spans *spans);
/* After the first run with these levels: the launches of the main stage. */
void session_note_card(Session *session, Partition partition);
Status session_time_run(Session *session); /* runs the pipeline once, and records its time */
/* Runs the shown job once: the pipeline, a step of light, or the next moment of a motion. */
Status session_run(Session *session);
/* Starts the run that is due, if it is known to be quick; false if it did not. */
bool session_start(Session *session);
/* Waits for the run that was started, if one was. Fails as it did: then there is no result. */
Status session_end_run(Session *session);
/* Brings the result's pixels to session->result. STATUS_USAGE before the first run. */
Status session_fetch(Session *session);
/* Takes the number of samples that the window wants now; light that has more begins again. */
void session_aim(Session *session);
double session_light_ms(const Session *session);           /* as viewer_light_ms */
Status session_gather(Session *session);                   /* a step of light, begun again if need be */
Status session_show_light(Session *session, Spans *spans); /* the result again, of the light that is gathered */
Status session_move_on(Session *session);                  /* spheres or bodies, by a frame */
Status session_settle_bodies(Session *session);            /* bodies come home from their device */
/* Boxes that are only refitted grow while particles go from frame to frame: now and then the BVH is built again. */
Status session_settle_frames(Session *session);

/* ---- the frame before the filters ---- */

/* Whether the frame of a scene before its filters is wanted of each result; is due; and bringing it here. */
bool session_wants_unfiltered(const Session *session);
bool session_unfiltered_due(const Session *session);
Status session_fetch_unfiltered(Session *session);
/* The picture before the filters: the one that was opened, or the frame of a scene; of that NULL where it is not here
 * yet. No other pixels have its *serial. */
Image *session_unfiltered(const Session *session, unsigned *serial);
/* The picture that results are compared with: the kept one, or the unfiltered one, or NULL. No other pixels have its
 * *serial. */
const Image *session_source(const Session *session, unsigned *serial);
/* How the result's pixels lie to those of its source. */
typedef enum SideFit {
    SIDES_ALIKE,  /* each to the one of its own place; both have one size */
    SIDES_PLACED, /* a map leads from one to the other */
    SIDES_APART   /* nobody knows; or there is no source */
} SideFit;
/* *to_source: the map, also where they are alike; its third number is positive on the result. */
SideFit session_fit(const Session *session, Homography *to_source);
/* The place of the result in the source when the two lie next to each other: by the map. Without one, the source is as
 * large as the result, and in its middle. */
Homography session_beside(const Session *session);
/* Why the sides are apart: "the two images differ in size"; returns `buffer`, empty where they are not. */
const char *session_why_apart(const Session *session, char *buffer, size_t size);
/* Notes the place of the pipeline's result. */
void session_note_place(Session *session);
/* How far the result is from its source, as far as that is counted; NULL if nothing is of these two. */
const Difference *session_difference(const Session *session);

/* ---- work ---- */

/* Does one piece of pending work (a run, a measurement); *worked: it did any. Measurements take 50 ms at most, those of
 * a race 200, and wait until nothing was changed for a while. A run that `stop` ends is due again, and no failure. */
Status session_work(Session *session, bool *worked);
/* All pending work except endless measuring and moving; of light, the default number of samples of the look. */
Status session_finish(Session *session);
/* A picture of light with at least the default number of samples of the look. */
Status session_gather_enough(Session *session);
/* Measurements that are due wait so long from now on, or longer. */
void session_delay(Session *session, double ms);
/* The ms until something that waits is due; negative if nothing is. */
double session_waits_ms(const Session *session);
/* See viewer_expected_ms. */
double session_expected_ms(Session *session);

#endif
