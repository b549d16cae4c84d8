/* executor_tasks.h: the tasks that an executor's owner brings, and its options. */
#ifndef GLINT_APP_BATCH_EXECUTOR_TASKS_H
#define GLINT_APP_BATCH_EXECUTOR_TASKS_H

#include "app/batch/work.h"
#include "core/plan/pipeline.h"
#include "core/run/strips.h"

enum { EXECUTOR_DEVICES = 64 };

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
    /* For works that pass by rows, instead of `decode` and `encode`. open_source opens the source of rows, and makes
     * work->image one without pixels that has the file's other data. open_sink opens the sink for the rows of a picture
     * like work->image. */
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
    bool timed;              /* the times of stages are looked at in a work's spans */
    const struct Stop *stop; /* ends what devices do, besides a signal; NULL: a signal alone does */
} ExecutorOptions;

#endif
