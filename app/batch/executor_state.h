/* executor_state.h: the state that the executor's threads share: queues, meters, and works on their way. */
#ifndef GLINT_APP_BATCH_EXECUTOR_STATE_H
#define GLINT_APP_BATCH_EXECUTOR_STATE_H

#include "app/batch/executor_tasks.h"
#include "core/base/memory.h"
#include "core/device/pixel_pool.h"

#include <stdint.h>

enum {
    KEPT_MAX = 64,  /* pipelines that no worker uses */
    BATCH_MAX = 64, /* pictures that a device decodes at once */
    DECODERS = 2    /* threads that take turns at a device's decoder */
};

/* Works that wait, in order. */
typedef struct WorkQueue {
    Work *first, **last;
    size_t count, bytes; /* of their images */
} WorkQueue;

/* How long a resource was busy. */
typedef struct Meter {
    double sum;    /* ms, each use counted by itself */
    double total;  /* ms in which the resource was used at all */
    double since;  /* when the first of the uses under way began */
    size_t active; /* uses under way */
} Meter;

/* A pipeline that serves again. */
typedef struct Kept {
    Pipeline *pipeline;
    size_t bytes; /* as they were when it was kept */
    Strips strips;
    PlanOptions how; /* with what its pictures' files tell */
    uint64_t used;   /* number of its last use */
} Kept;

/* RESOURCE_DEVICE and the two behind it are the first of a range, with one resource for each device. */
typedef enum Resource {
    RESOURCE_DECODE,
    RESOURCE_ENCODE,
    RESOURCE_DISK,
    RESOURCE_DEVICE,
    RESOURCE_DEVICE_DECODE = RESOURCE_DEVICE + EXECUTOR_DEVICES,
    RESOURCE_DEVICE_ENCODE = RESOURCE_DEVICE_DECODE + EXECUTOR_DEVICES,
    RESOURCES = RESOURCE_DEVICE_ENCODE + EXECUTOR_DEVICES
} Resource;

enum { TRACK_CODECS = 1, TRACK_WORKERS = 300, TRACK_DECODERS = 600, TRACK_COMMITTERS = 800 };

typedef struct Thread {
    Executor *executor;
    pthread_t thread;
    int track;
    int device;         /* number of the one that it serves */
    DeviceCoder *coder; /* encoder of a worker; or NULL */
    bool asked;         /* whether the worker has asked for an encoder */
} Thread;

/* Pictures that a device decodes, or has decoded. */
typedef struct OnDevice {
    WorkQueue decoded;
    size_t count, bytes;           /* works with frames there, in `decoded` or with workers, and these frames */
    size_t max;                    /* bytes that such frames may have */
    size_t passing, passing_bytes; /* works in strips that workers have, and their frames */
    pthread_mutex_t turn;          /* guards the rest: while one thread decodes, the other makes frames */
    DeviceCoder *decoder;          /* shared by the decoder threads; NULL: there is none */
    int decoders;                  /* threads that have come here, and not left */
    bool asked;                    /* whether a thread has asked for the decoder */
} OnDevice;

struct Executor {
    ExecutorOptions options;
    int workers;                /* of all devices */
    size_t batch;               /* pictures that a device decodes at once */
    StripRoom room, strip_room; /* of a pipeline; of one for a picture in strips */
    Needs needs;
    Budget budget;
    PixelPool pixels;
    pthread_mutex_t lock;               /* guards all members behind it */
    pthread_cond_t codec, device, disk; /* signalled when a thread of that kind may have something to do, */
    pthread_cond_t decoder;             /* when a device may decode, */
    pthread_cond_t space;               /* when a queue has room, */
    pthread_cond_t spared;              /* when spared codec threads have to work after all */
    WorkQueue pending;                  /* opened; they wait for memory */
    WorkQueue packed;                   /* still encoded, for devices to decode */
    WorkQueue refused;                  /* still encoded, for the host to decode after all */
    WorkQueue decoded, filtered, encoded;
    OnDevice on_device[EXECUTOR_DEVICES];
    size_t opened;             /* calls of `open` so far, */
    size_t opening;            /* and those under way */
    size_t in_flight;          /* works that are opened, and not done */
    size_t ahead, ahead_bytes; /* works that are admitted, and not with a device yet, and their pixels */
    bool ended, dropped;       /* nothing more is opened; nothing more is done */
    bool starved;              /* the run ended for want of memory */
    bool all_codecs;           /* no thread is spared any more */
    Kept kept[KEPT_MAX];
    size_t kept_count, kept_bytes, kept_limit;
    uint64_t uses;                         /* of kept pipelines so far */
    size_t device_decoded, device_refused; /* pictures that devices have decoded, and have refused */
    Status failed;                         /* of a device's codec that must be there, */
    char why[512];                         /* and its message */
    Meter meters[RESOURCES];
};

/* All but the meters and the functions that say so want the lock held. */

void work_queue_init(WorkQueue *queue);
void work_queue_push(WorkQueue *queue, Work *work);
Work *work_queue_pop(WorkQueue *queue); /* NULL if it is empty */
/* Takes a work that waits for a device: it is no longer ahead. */
Work *executor_take_ahead(Executor *executor, WorkQueue *queue);
/* Whether a queue holds more than `takers` threads will miss. */
bool executor_is_crowded(size_t count, size_t bytes, int takers);
bool executor_is_over(const Executor *executor);
void executor_wake_all(Executor *executor);

/* Begins and ends a use of a resource, or ends one and begins another; takes the lock. Returns the time. */
double meter_enter(Executor *executor, int resource);
double meter_leave(Executor *executor, int resource, double start);
double meter_turn(Executor *executor, int from, double start, int to);

/* Ends a work; takes the lock. */
void executor_finish(Executor *executor, Work *work, Status status);
/* STATUS_INTERRUPTED if works that are not written yet are given up; takes the lock. */
Status executor_check_dropped(Executor *executor);
/* Decodes on the host a picture that no device has decoded. */
Status executor_unpack(Executor *executor, Work *work);
/* Gives back all but `bytes` of the work's share of the budget; takes the lock. */
void executor_shrink(Executor *executor, Work *work, size_t bytes);
/* Lets a work wait for the disk, behind the encoder or the last row; takes the lock. */
void executor_send_to_disk(Executor *executor, Work *work);

#define EXECUTOR_CONDITIONS(of) &(of)->codec, &(of)->device, &(of)->disk, &(of)->decoder, &(of)->space, &(of)->spared

#endif
