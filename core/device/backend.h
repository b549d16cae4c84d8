/* backend.h: levels, which carry out stages, devices and the frames they hold.
 * Owns the interface that a backend fills in and the registry of backends (backend.c). device.c opens, lends and closes
 * devices and queues; ladder.c finds and runs levels. */
#ifndef GLINT_CORE_DEVICE_BACKEND_H
#define GLINT_CORE_DEVICE_BACKEND_H

#include "core/stage/stage.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { BACKEND_MARKS = 64, BACKENDS_MAX = 8 }; /* time marks a queue keeps; backends that can be registered */
enum { LEVELS_ADDED = 64 };                    /* by ladder_add */

/* Named only: every kernel includes this header, and is compiled again when a header that it includes changes. */
typedef struct Backend Backend;
typedef struct Device Device;
typedef struct Queue Queue;
typedef struct Scene Scene;             /* core/scene/scene.h */
typedef struct Spans Spans;             /* core/base/timing.h */
typedef struct RayCounters RayCounters; /* core/math/ray_counters.h */
typedef struct Tuned Tuned;             /* core/device/tuned.h */
typedef struct Stop Stop;               /* core/base/stop.h */
typedef struct BlockPool BlockPool;     /* core/base/block_pool.h */
typedef struct Partial Partial;         /* core/device/partial.h */
typedef struct Experiments Experiments; /* core/device/experiment.h */
typedef struct Guests Guests;           /* core/device/guests.h */
typedef struct DeviceCodec DeviceCodec; /* core/device/device_codec.h */
typedef struct CacheEntry CacheEntry;   /* core/device/cache.c */
typedef struct Level Level;

/* The entries of levels on a device, from run to run (core/device/cache.h). */
typedef struct Cache {
    pthread_mutex_t lock; /* recursive: entries made of a scene ask for others */
    CacheEntry *newest;   /* a list, from the one that was used last */
    size_t bytes, budget; /* taken by entries and scratch, and how many they should take at most; 0: any */
    uint64_t call;        /* the number of the last that began */
} Cache;

/* An opened device: its memory, and its cache there. A backend's own struct begins with this, and its `open` calls
 * device_init.
 * Threads: a queue serves one thread at a time, and so does a frame. Queues of one device may serve several threads at
 * once. They share the cache, which has a lock (core/device/cache.h); all may call frame_create and frame_destroy. A
 * scene's spheres move, and its BVH is rebuilt, while no other queue traces it. */
struct Device {
    const Backend *backend;
    char name[128];  /* for people: "Intel Xeon, 2 threads, AVX-512" */
    int threads;     /* cpu: threads that a level may use */
    char id[128];    /* unique to the device, the same tomorrow: a serial number, or all that counts for times */
    char driver[64]; /* the version of its driver, or "" */
    Tuned *tuned;    /* times measured here; NULL: none. Freed by device_close */
    Cache cache;     /* entries of levels from run to run; its lock guards the two lists of queues as well */
    Queue *queues;   /* open ones */
    Queue *idle;     /* closed ones, which serve again: making one takes longer than a small picture */
    BlockPool *pool; /* source of frames, once device_keep_frames was called; or NULL */
};

/* Times that levels told themselves (queue_tell): of how many runs, their own, and how long they kept the queue. */
typedef struct Told {
    unsigned runs, told; /* all that the queue had, and those */
    double own, wall;    /* ms */
} Told;

/* A device does a queue's work in order: the work enqueued, data to and from the host, workspace, time marks. A
 * backend's own struct begins with this. */
struct Queue {
    Device *device;
    Queue *next;                       /* in one of the device's lists */
    uint64_t call;                     /* the one under way (core/device/cache.h); 0: none */
    size_t workspace;                  /* bytes of it that the last level run asked for */
    const Level *level;                /* the one that runs, or ran last */
    Told told, told_at[BACKEND_MARKS]; /* so far, and at each mark */
    const Stop *stop;                  /* asks its work to end early; borrowed, or NULL: nobody does */
    Partial *partial;                  /* shows the result while it is made; borrowed, or NULL: nobody looks */
};

/* The times of levels on one device, as measured there: data next to the levels. */
typedef struct Predictor {
    const char *device; /* where it was measured, for people */
    /* The level's cost for a stage that it accepts: ms, or another measure that all levels share that predict the
     * stage. Negative or infinite where the measurements say nothing. */
    double (*predict)(const Level *level, const Stage *stage);
} Predictor;

/* One way to carry out an operation on one backend: a descriptor in BACKEND/OPERATION/NAME.c, the order of all in the
 * backend's levels.def. */
struct Level {
    const Op *op;
    const char *name;
    const char *idea; /* one sentence that a student reads in the overlay */
    /* Whether this level can do the job (shapes and job, not pixels) on this device. If not, *why_not is a static
     * phrase that goes on "level X cannot do gaussian: ...". NULL: it can do every job. Ask level_accepts. */
    bool (*accepts)(const Device *device, const Stage *stage, const char **why_not);
    /* The maximum of bytes that a run takes on this device beyond `in`, `out` and its entries in the cache. It may
     * leave out less than 4 KiB. NULL: none. Ask level_workspace. */
    size_t (*workspace)(const Device *device, const Stage *stage);
    const Predictor *predictor; /* NULL: nothing is known but the level's place in the ladder */
    /* How many ms longer the level takes if it carries out these Stage.points, too, as measured where its predictor
     * was. It accepts the stage without them. Negative: it cannot carry them out. NULL: it carries out none. */
    double (*points_ms)(const Stage *stage);
    /* How far its results may be off by rounding, where the operation allows less: a sum of f32 values in f32, say.
     * NULL: they are as the operation wants them. */
    double (*allows)(const Stage *stage);
    /* The level runs another program, which others are compared with: best never takes it. */
    bool raced;
    /* Enqueues the work; validated before, so it does not re-check. Asynchronous where the backend is. Call level_run.
     */
    Status (*run)(Queue *queue, const Stage *stage);
};

/* The kernel that does a level's work, as a student looks at it; of several passes the largest. */
typedef struct LaunchFacts {
    int registers;       /* per thread */
    size_t shared_bytes; /* per block */
    int threads;         /* per block; 0: nothing was launched yet */
    int blocks;          /* resident on a multiprocessor at once */
    double occupancy;    /* resident threads by the maximum that fits, 0 to 1 */
    int major, minor;    /* the device's compute capability */
    const char *limit;   /* keeps another block away (core/device/occupancy.h); NULL: nothing, occupancy is 1 */
} LaunchFacts;

/* A device's power and energy; negative: not to be had. */
typedef struct Power {
    double watts;  /* now */
    double joules; /* since some moment, the same for the life of the program */
} Power;

/* The target of a route. It is a 2D texture of the frame's shape (core/math/texel.h), or a buffer with its packed rows,
 * from which a texture is updated. */
typedef enum RouteTarget { ROUTE_TEXTURE, ROUTE_BUFFER } RouteTarget;

typedef struct Port Port; /* an OpenGL object that a device may write to */

/* One way of a frame into the window's texture without the host. OpenGL's objects are passed by their numbers; its
 * context is current in every call. */
typedef struct Route {
    const char *name;
    const char *idea; /* one sentence that a student reads in the overlay */
    RouteTarget target;
    /* STATUS_DEVICE with why if OpenGL does not draw on this device; both can go on. */
    Status (*open)(Device *device, unsigned object, Shape shape, Port **port);
    /* Does the first part of write ahead of it, while the frame is made, in the thread of OpenGL's context. OpenGL must
     * not use the object until write or release. A second call does nothing. NULL: nothing is done ahead. */
    Status (*map)(Port *port);
    void (*release)(Port *port);                            /* if no write has followed */
    Status (*write)(Queue *queue, Port *port, Frame frame); /* enqueued, before OpenGL's commands from then on */
    Status (*wait)(Port *port, Spans *spans);   /* for the last write, before the frame changes; spans get its parts */
    void (*close)(Device *device, Port **port); /* accepts NULL; before the object is deleted or reshaped */
} Route;

/* The parts of a backend that only tracing needs. */
typedef struct TraceTools {
    /* Rebuilds the BVH over a scene's spheres. *bytes counts the bytes that tracing reads of it: nodes, and the spheres
     * in their order. */
    Status (*build)(Queue *queue, const Scene *scene, size_t *bytes);
    /* Refits the BVH's boxes to the spheres' current positions, also if they have not moved; the tree's topology is
     * unchanged. Builds the BVH if there is none. */
    Status (*refit)(Queue *queue, const Scene *scene);
    /* Puts the scene's spheres at the places, times `scale`, of a state of bodies (core/ops/nbody.h) in a frame of the
     * device. It stops at the end of either. Their own positions do not count: the caller has raised scene->moves for
     * that. Refitted when it is traced next. Enqueued. NULL: frames are the host's, and so are spheres. */
    Status (*follow)(Queue *queue, const Scene *scene, Frame state, float scale);
    /* Traces again, by the plainest traversal, and counts rays, nodes and tests. */
    Status (*count_rays)(Queue *queue, const Stage *stage, RayCounters *counters);
} TraceTools;

enum { STAGING_PIECES = 2 };

/* A queue's own memory of the host, in pieces that take turns: the device copies one while the other is filled or
 * emptied. Small enough for the processor's caches. Uploads, downloads and levels use them, too: the memory that `take`
 * gave is the caller's until something else is enqueued. */
typedef struct Staging {
    size_t bytes; /* of a piece */
    /* Waits until the work enqueued with this piece is done; then *memory is the piece. */
    Status (*take)(Queue *queue, int piece, void **memory);
    /* Enqueue the copy of a frame's rows, which lie one behind the other in the piece. */
    Status (*send)(Queue *queue, int piece, Frame to);
    Status (*receive)(Queue *queue, Frame from, int piece);
} Staging;

/* The questions that a device answers about itself; each may be NULL. */
typedef struct Telemetry {
    Status (*facts)(Queue *queue, LaunchFacts *facts); /* of the launches since they were asked for */
    /* Measures f32 arithmetic on this device, a multiply-add counted as two, per second. */
    Status (*peak)(Queue *queue, double *flops);
    Power (*power)(Device *device); /* may take a millisecond; the device's counter moves in steps of up to 100 */
} Telemetry;

/* Results that go into OpenGL's textures without the host. */
typedef struct GlInterop {
    const Route *routes; /* slowest first; results can always go through the host */
    size_t route_count;
} GlInterop;

enum {
    FEW_CONNECTIONS = 2
}; /* for commands with one queue that is busy, or many that read and
      write */

/* The members before the groups belong to every backend; a group is NULL where a backend has none. */
struct Backend {
    const char *name, *help;
    const Level *const *levels; /* slowest first within an operation */
    size_t level_count;
    bool timeless;    /* its devices have no clock: an emulator's. Times are NaN, and "auto" never takes it */
    bool host_frames; /* frames lie in the host's memory, and count for its budget; the host is one device */
    void (*prepare)(int connections);   /* call backends_prepare; NULL: this backend's devices have none */
    Status (*device_count)(int *count); /* STATUS_DEVICE with why there is none */
    /* Opens device `index` for `threads` threads (0: all). STATUS_DEVICE with a reason that a user understands. */
    Status (*open)(int index, int threads, Device **device);
    void (*close)(Device **device);                                     /* call device_close */
    Status (*memory)(Device *device, size_t *available, size_t *total); /* bytes */
    /* Call queue_open and queue_close. Several threads make queues at once. */
    Status (*queue_create)(Device *device, Queue **queue);
    void (*queue_destroy)(Queue **queue);                              /* idle */
    Status (*frame_create)(Device *device, Shape shape, Frame *frame); /* all 0; fails like image_create */
    void (*frame_destroy)(Device *device, Frame *frame);               /* accepts a zeroed frame; no queue uses it */
    /* Frames in memory that had others, for pools; both or none. The bytes from row to row of a frame, and zeros for
     * all of one, padding included. */
    size_t (*frame_stride)(Shape shape);
    Status (*frame_clear)(Device *device, Frame frame);
    /* Memory of the host from which this backend's devices copy fastest, all 0; NULL: any will do. STATUS_DEVICE. */
    Status (*host_create)(size_t bytes, void **memory);
    void (*host_destroy)(void *memory, size_t bytes);
    /* From now on threads that wait for queues sleep, and leave their cores to others; NULL: they do so anyway. For
     * staging they go on spinning: that is over sooner than a thread falls asleep and wakes. */
    Status (*wait_asleep)(Device *device);
    /* These three are whole, or fail: a queue that is asked to stop finishes them. */
    Status (*upload)(Queue *queue, ImageView from, Frame to);
    Status (*download)(Queue *queue, Frame from, ImageView to);
    Status (*copy)(Queue *queue, Frame from, Frame to); /* the plain copy that "copies" are counted in */
    /* Puts a time mark behind the work enqueued so far; the time between two marks, after sync. Call queue_mark and
     * queue_elapsed. */
    Status (*mark)(Queue *queue, int mark);
    Status (*elapsed)(Queue *queue, int from, int to, double *ms);
    Status (*sync)(Queue *queue); /* asynchronous errors surface here; another thread may wait for a queue, too */
    const Staging *staging;       /* NULL: its devices read and write memory of the host as it is */
    const TraceTools *trace;
    const Telemetry *telemetry;
    const GlInterop *gl;
    const Experiments *experiments; /* of the machine's costs */
    const DeviceCodec *codec;       /* decodes and encodes there */
    const Guests *guests;           /* pixels and streams of callers; NULL: this backend takes none */
};

/* The registry. It is filled when a program starts (app/backends.c), before threads are. */

/* Adds a backend: "auto" takes the last one that opens and has a clock. STATUS_USAGE if its name is taken or the list
 * full. */
Status backend_register(const Backend *backend);
/* Notes a backend that this program was built without, and why, for users who ask for it. The texts are borrowed. */
void backend_note_absent(const char *name, const char *why);
size_t backend_count(void);
const Backend *backend_at(size_t index);
const Backend *backend_by_name(const char *name);
/* All names that backend_open knows: "auto, cpu or gpu". Returns the length as snprintf does. */
size_t backend_names(char *buffer, size_t size);
const Telemetry *backend_telemetry(const Backend *backend); /* with no entries where it has none */

/* Limits the connections to each device, through which the work of its queues reaches it. Queues that share a
 * connection wait for each other now and then. A connection takes about 15 ms to make, and some to close. Call it
 * before a device is opened or counted, and before there are threads; only the first call counts. The driver decides if
 * nobody calls it, or where the user has set the number. */
void backends_prepare(int connections);
/* Opens a backend's device by name, or the best that opens by "auto". *passed_over are then those that did not open, a
 * line each ("gpu: no driver is installed"), or NULL; valid until this thread's next call. STATUS_USAGE for an unknown
 * name, STATUS_DEVICE if it does not open. */
Status backend_open(const char *name, int index, int threads, Device **device, const char **passed_over);
void device_init(Device *device, const Backend *backend); /* of a zeroed one; undone by device_close */
void device_close(Device **device);                       /* its queues are closed */

/* From now on the frames of pipelines come from memory that serves again, of which up to `bytes` are kept idle. Nothing
 * if the backend has no way to. STATUS_DEVICE if memory is short. */
Status device_keep_frames(Device *device, size_t bytes);
/* A frame of the pool, or of the backend without one: as its frame_create and frame_destroy. */
Status device_frame_create(Device *device, Shape shape, Frame *frame);
void device_frame_destroy(Device *device, Frame *frame);

/* A queue of the device: one that was closed, or another one. */
Status queue_open(Device *device, Queue **queue);
/* Waits for its work, and leaves it to the next queue_open. */
void queue_close(Queue **queue);

/* Time marks: as the backend's `mark` and `elapsed`. A level that told its time took that, and nothing else of the time
 * that it kept the queue counts. NaN on a device without a clock. */
Status queue_mark(Queue *queue, int mark);
Status queue_elapsed(Queue *queue, int from, int to, double *ms);
/* Says that the run under way takes `own` milliseconds of its device's time, though it keeps the queue for `wall`.
 * Called by a level whose run is over when it returns, in another process, say. */
void queue_tell(Queue *queue, double own, double wall);

/* Appends a rung to the ladder of its operation on this backend, behind those that it was built with. It stays for the
 * life of the program. By one thread; others may look at the ladder. STATUS_USAGE if its name is taken or the list
 * full. */
Status ladder_add(const Backend *backend, const Level *level);
/* The backend's level at this place: those of its table, then those that were added. NULL behind the last. */
const Level *level_at(const Backend *backend, size_t place);
/* The ladder of one operation: its levels on this backend, slowest first, then those that were added. */
size_t ladder_count(const Backend *backend, const Op *op);
const Level *ladder_level(const Backend *backend, const Op *op, size_t index);
const Level *level_by_name(const Backend *backend, const Op *op, const char *name);
bool ladder_knows(const Backend *backend, const char *name); /* whether any operation has a level of that name */
/* Whether the level can do the stage's job on this device; if not, *why_not says why. */
bool level_accepts(const Level *level, const Device *device, const Stage *stage, const char **why_not);
/* Bytes that a run takes beyond the stage's frames; the level accepts the stage. */
size_t level_workspace(const Level *level, const Device *device, const Stage *stage);
/* Carries out the stage: a call of the queue (core/device/cache.h). */
Status level_run(const Level *level, Queue *queue, const Stage *stage);
/* Whether the queue's work shall stop: levels that take long look between rows or pieces, and leave the rest undone.
 * Then pipeline_run is STATUS_INTERRUPTED. */
bool queue_stops(const Queue *queue);
/* The fastest level that accepts the stage: by their predictions, else the last of the ladder. NULL if none does. */
const Level *level_best(const Device *device, const Stage *stage);
/* The least time in ms that a level is predicted to take, whatever was measured since; infinite where no predictor says
 * one. It is a time for operations whose predictors know ms, as those of `point` do. */
double level_best_ms(const Device *device, const Stage *stage);
/* The float64 rung that everything is checked against: the level "reference" of the first backend that has one, and
 * that backend. NULL without one. */
const Level *level_reference(const Op *op);
const Backend *backend_of_reference(const Op *op);

#endif
