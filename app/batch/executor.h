/* executor.h: pictures on their way through codecs and devices: opened, decoded, filtered, encoded and committed, each
 * by threads of its own, with queues between them that are bounded in bytes.
 * Codec threads decode and encode; a result is encoded before more is decoded. Each device has as many workers as it
 * has queues in flight, so that uploads, kernels and downloads of neighbours overlap; where devices decode, each has
 * two more threads for that. Committers wait for the disk. Pixels and frames come from pools: after a while nothing is
 * allocated. */
#ifndef GLINT_APP_BATCH_EXECUTOR_H
#define GLINT_APP_BATCH_EXECUTOR_H

#include "app/batch/work.h"
#include "core/plan/pipeline.h"
#include "core/run/strips.h"

typedef enum Opened { OPENED_WORK, OPENED_SETTLED /* `done` is all that is left to do */, OPENED_END } Opened;

/* The owner's part; called by several threads at once, but not for the same work. A work that fails goes to `done` with
 * its status, while status_message() still says why. */
typedef struct ExecutorTasks {
    size_t work_bytes; /* of the owner's struct, which begins with a Work, all 0 */
    /* Opens the next one, and fills `name` to `wishes`. Works are numbered in the order of these calls. */
    Status (*open)(void *context, Work *work, Opened *opened);
    Status (*decode)(void *context, Work *work, size_t max); /* in no more than `max` bytes */
    Status (*unpack)(void *context, Work *work); /* decodes, and turns, a picture that `decode` has left encoded */
    Status (*encode)(void *context, Work *work);
    /* For works that pass by rows, instead of `decode` and `encode`: opens the source of rows, and makes work->image
     * one without pixels that has the file's other data; opens the sink for the rows of a picture like work->image. */
    Status (*open_source)(void *context, Work *work, RowSource **from);
    Status (*open_sink)(void *context, Work *work, RowSink **to);
    void (*passed)(void *context, Work *work);   /* all rows have passed: their source is not needed any more */
    Status (*commit)(void *context, Work *work); /* waits for the disk */
    void (*done)(void *context, Work *work, Status status); /* once for each that was opened, the last call for it */
    /* NULL, or told about each pipeline that is made. */
    Status (*planned)(void *context, const Pipeline *pipeline, const Strips *strips);
} ExecutorTasks;

typedef struct ExecutorOptions {
    const ExecutorTasks *tasks;
    void *context;
    const Chain *chain;
    PlanOptions plan;
    const char *level;
    Device *const *devices;   /* of one backend */
    const char *const *names; /* theirs, as for people: "cuda:0" */
    int device_count, queues; /* in flight a device */
    int shares;               /* of its memory, of which a pipeline has one */
    const DeviceCodec *codec; /* the devices': decodes and encodes pictures that it may; or NULL */
    bool codec_or_none;       /* if it cannot be opened, or no hardware decodes, the host does it: else the run fails */
    SaveOptions save;         /* how these encode */
    int codecs, committers;   /* threads */
    int spared;               /* of these codec threads, those that begin only if a device's codec cannot be opened */
    size_t in_flight;         /* works at once at most; 0: as many as memory holds */
    bool serial;              /* one call of `open` at a time */
    size_t memory;            /* the budget */
    const char *spill; /* folder for pictures that the budget does not hold in strips either; NULL: they are refused */
    ProfileTrace *profile_trace;
} ExecutorOptions;

enum { EXECUTOR_DEVICES = 64 };

/* How busy threads, devices and the disk were, as shares of the time that the run took. */
typedef struct Busy {
    double decode, encode;                  /* of all codec threads' time: their sum is 1 at most */
    double devices[EXECUTOR_DEVICES], disk; /* of the time in which there was work for them */
    double device_decode[EXECUTOR_DEVICES], device_encode[EXECUTOR_DEVICES]; /* its codec's parts of that time */
    size_t frames, blocks; /* that were allocated on devices, and of the host for pixels */
} Busy;

/* Runs until `open` says that this is the end, and all works are done. STATUS_DEVICE if memory or threads are short; a
 * work's failure is its owner's concern. */
Status executor_run(const ExecutorOptions *options, Busy *busy);
/* From within a task: nothing more is opened. With `drop`, nothing is done either but for works that are being
 * committed: `done` then gets STATUS_INTERRUPTED. */
void executor_stop(Work *work, bool drop);

#endif
