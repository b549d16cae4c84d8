/* executor.c: the queues between codecs, devices and the disk, and the threads that serve them. */
#include "app/batch/executor.h"

#include "core/base/interrupt.h"
#include "core/base/memory.h"
#include "core/device/pixel_pool.h"
#include "core/image/icc.h"

#include <execinfo.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum {
    QUEUE_BYTES = 256 << 20,     /* of pictures that wait for a device, and of results that wait for a codec */
    QUEUE_EACH = 4,              /* of them for each who takes them */
    COMMITS_MAX = 256,           /* drafts that wait for the disk: each has two descriptors */
    KEPT_MAX = 64,               /* pipelines that nobody uses */
    KEPT_EACH = 4,               /* for each worker */
    BATCH_MAX = 64,              /* pictures that a device decodes at once */
    DECODERS = 2,                /* threads that take turns at a device's decoder */
    DECODE_SHARES = DECODERS + 1 /* of a device's room for decoded pictures: a batch of each, and what is ready */
};

/* Works that wait, in order. */
typedef struct WorkQueue {
    Work *first, **last;
    size_t count, bytes; /* of their images */
} WorkQueue;

/* How long a resource was busy. */
typedef struct Meter {
    double sum;   /* ms, of all that went on */
    double total; /* in which anything went on */
    double since; /* that it goes on now */
    size_t active;
} Meter;

/* A pipeline that serves again. */
typedef struct Kept {
    Pipeline *pipeline;
    Strips strips;
    ToneCurve tone; /* of the pictures that it is for */
    uint64_t used;  /* when, in uses */
} Kept;

/* The last three are one for each device. */
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
    int device;         /* whose worker it is */
    DeviceCoder *coder; /* of a worker that encodes; NULL: there is none */
    bool asked;         /* for it */
} Thread;

/* What a device decodes, and has decoded. */
typedef struct OnDevice {
    WorkQueue decoded;
    size_t count, bytes;           /* of works with frames there: of these, and of those that workers have */
    size_t max;                    /* bytes that they may have */
    size_t passing, passing_bytes; /* works in strips that workers have, and their frames */
    pthread_mutex_t turn;          /* of its decoders, guards what follows: while one decodes, the other makes frames */
    DeviceCoder *decoder;          /* theirs, the same while any of them is there; NULL: there is none */
    int decoders;                  /* threads that came here, and have not left */
    bool asked;                    /* for the decoder */
} OnDevice;

struct Executor {
    ExecutorOptions options;
    int workers;                /* of all devices */
    size_t batch;               /* pictures that a device decodes at once */
    StripRoom room, strip_room; /* of a pipeline; of one for a picture in strips */
    Needs needs;
    Budget budget;
    PixelPool pixels;
    pthread_mutex_t lock;               /* guards what follows */
    pthread_cond_t codec, device, disk; /* there may be something to do for one of these, */
    pthread_cond_t decoder;             /* or that a device may decode, */
    pthread_cond_t space;               /* or room in a queue, */
    pthread_cond_t spared;              /* or that threads which were to be spared have to work */
    WorkQueue pending;                  /* opened; they wait for memory */
    WorkQueue plain, refused;           /* to be decoded by devices; by the host after all */
    WorkQueue decoded, filtered, encoded;
    OnDevice on_device[EXECUTOR_DEVICES];
    size_t opened, opening, in_flight; /* opening: calls under way; in_flight: works that are not done */
    size_t ahead, ahead_bytes;         /* admitted, and not with a device yet */
    bool ended, dropped, starved;      /* starved: for want of memory */
    bool all_codecs;                   /* no thread is spared any more */
    Kept kept[KEPT_MAX];
    size_t kept_count, kept_bytes, kept_limit;
    uint64_t uses;
    size_t device_decoded, device_refused; /* pictures that devices decoded, and could not decode */
    Status failed;                         /* of a codec that must be there, */
    char why[512];                         /* and what was said */
    Meter meters[RESOURCES];
};

/* ---- queues and meters, all under the lock ---- */

static size_t image_bytes(const Work *work) {
    size_t bytes = work->encoded.bytes.size;
    if (work->encoded.bytes.data)
        return bytes;
    for (const Image *image = work->image; image; image = image->next)
        bytes += shape_bytes(image->view.shape);
    return bytes;
}

/* Of a picture in memory, before and behind its decoding. */
static size_t picture_bytes(const Work *work) {
    return work->in_strips || work->may_stay ? 0 : shape_bytes(work->shape);
}

static void queue_init(WorkQueue *queue) {
    *queue = (WorkQueue){.last = &queue->first};
}

static void push(WorkQueue *queue, Work *work) {
    work->next = NULL;
    *queue->last = work;
    queue->last = &work->next;
    queue->count++;
    queue->bytes += image_bytes(work);
}

static Work *pop(WorkQueue *queue) {
    Work *work = queue->first;
    if (!work)
        return NULL;
    queue->first = work->next;
    if (!queue->first)
        queue->last = &queue->first;
    queue->count--;
    queue->bytes -= image_bytes(work);
    return work;
}

static bool is_over(const Executor *executor) {
    return executor->ended && executor->opening == 0 && executor->in_flight == 0;
}

#define CONDITIONS(of) &(of)->codec, &(of)->device, &(of)->disk, &(of)->decoder, &(of)->space, &(of)->spared

static void wake_all(Executor *executor) {
    pthread_cond_t *const conditions[] = {CONDITIONS(executor)};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        pthread_cond_broadcast(conditions[i]);
}

static void begin(Meter *meter, double now) {
    if (meter->active++ == 0)
        meter->since = now;
}

static void end(Meter *meter, double start, double now) {
    meter->sum += now - start;
    if (--meter->active == 0)
        meter->total += now - meter->since;
}

static double enter(Executor *executor, int resource) {
    pthread_mutex_lock(&executor->lock);
    const double now = clock_ms();
    begin(&executor->meters[resource], now);
    pthread_mutex_unlock(&executor->lock);
    return now;
}

static double leave(Executor *executor, int resource, double start) {
    pthread_mutex_lock(&executor->lock);
    const double now = clock_ms();
    end(&executor->meters[resource], start, now);
    pthread_mutex_unlock(&executor->lock);
    return now;
}

/* From one that this thread was at since `start`. */
static double turn_to(Executor *executor, int from, double start, int to) {
    pthread_mutex_lock(&executor->lock);
    const double now = clock_ms();
    end(&executor->meters[from], start, now);
    begin(&executor->meters[to], now);
    pthread_mutex_unlock(&executor->lock);
    return now;
}

/* ---- the end of a work ---- */

void executor_stop(Work *work, bool drop) {
    Executor *executor = work->executor;
    pthread_mutex_lock(&executor->lock);
    executor->ended = true;
    executor->dropped |= drop;
    wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
}

static void finish(Executor *executor, Work *work, Status status) {
    executor->options.tasks->done(executor->options.context, work, status);
    image_destroy(&work->image);
    bytes_free(&work->encoded.bytes);
    budget_return(&executor->budget, &work->share);
    free(work);
    pthread_mutex_lock(&executor->lock);
    executor->in_flight--;
    pthread_cond_signal(&executor->codec); /* there is memory */
    if (is_over(executor))
        wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
}

/* Whether works that are not written yet are given up: STATUS_INTERRUPTED. */
static Status check_dropped(Executor *executor) {
    pthread_mutex_lock(&executor->lock);
    const bool dropped = executor->dropped;
    pthread_mutex_unlock(&executor->lock);
    return dropped || interrupted() ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* Later steps take less. */
static void shrink(Executor *executor, Work *work, size_t bytes) {
    if (bytes >= work->share)
        return;
    (void)budget_try(&executor->budget, &work->share, bytes);
    pthread_mutex_lock(&executor->lock);
    pthread_cond_signal(&executor->codec);
    pthread_mutex_unlock(&executor->lock);
}

/* ---- pipelines that serve again ---- */

/* Takes the one out that was used longest ago; under the lock. */
static Pipeline *drop_oldest(Executor *executor) {
    size_t oldest = 0;
    for (size_t i = 1; i < executor->kept_count; i++)
        if (executor->kept[i].used < executor->kept[oldest].used)
            oldest = i;
    Pipeline *pipeline = executor->kept[oldest].pipeline;
    executor->kept[oldest] = executor->kept[--executor->kept_count];
    executor->kept_bytes -= pipeline_bytes(pipeline);
    return pipeline;
}

/* Destroys what is too much. */
static void limit_kept(Executor *executor, size_t bytes, size_t count) {
    for (;;) {
        pthread_mutex_lock(&executor->lock);
        Pipeline *pipeline =
            executor->kept_bytes > bytes || executor->kept_count > count ? drop_oldest(executor) : NULL;
        pthread_mutex_unlock(&executor->lock);
        if (!pipeline)
            return;
        pipeline_destroy(&pipeline);
    }
}

static void keep(Executor *executor, Pipeline *pipeline, const Strips *strips, const ToneCurve *tone) {
    const size_t wanted = KEPT_EACH * (size_t)executor->workers, most = wanted < KEPT_MAX ? wanted : KEPT_MAX;
    Pipeline *dropped = NULL;
    pthread_mutex_lock(&executor->lock);
    if (executor->kept_count == most)
        dropped = drop_oldest(executor);
    executor->kept[executor->kept_count++] = (Kept){pipeline, *strips, *tone, executor->uses++};
    executor->kept_bytes += pipeline_bytes(pipeline);
    const size_t limit = executor->kept_limit;
    pthread_mutex_unlock(&executor->lock);
    pipeline_destroy(&dropped);
    limit_kept(executor, limit, most);
}

static bool take_kept(Executor *executor, const Device *device, Shape shape, const ToneCurve *tone, Pipeline **pipeline,
                      Strips *strips) {
    *pipeline = NULL;
    pthread_mutex_lock(&executor->lock);
    for (size_t i = 0; i < executor->kept_count && !*pipeline; i++) {
        const Kept *kept = &executor->kept[i];
        if (pipeline_device(kept->pipeline) != device || !shape_equal(kept->strips.picture, shape) ||
            !tone_equal(&kept->tone, tone))
            continue;
        *pipeline = kept->pipeline;
        *strips = kept->strips;
        executor->kept[i] = executor->kept[--executor->kept_count];
        executor->kept_bytes -= pipeline_bytes(*pipeline);
    }
    pthread_mutex_unlock(&executor->lock);
    return *pipeline != NULL;
}

/* What is idle takes no more than what works leave of the budget: a third each for pipelines, frames and pixels. */
static void make_room(Executor *executor) {
    pthread_mutex_lock(&executor->budget.lock);
    const size_t third = (executor->budget.total - executor->budget.taken) / 3;
    pthread_mutex_unlock(&executor->budget.lock);
    block_pool_limit(&executor->pixels.blocks, third);
    if (!executor->options.devices[0]->backend->host_frames)
        return;
    pthread_mutex_lock(&executor->lock);
    executor->kept_limit = third;
    pthread_mutex_unlock(&executor->lock);
    limit_kept(executor, third, KEPT_MAX);
    for (int i = 0; i < executor->options.device_count; i++)
        (void)device_keep_frames(executor->options.devices[i], third / (size_t)executor->options.device_count);
}

/* ---- codec threads ---- */

/* Whether a queue holds more than those who take from it will miss. */
static bool is_crowded(size_t count, size_t bytes, int takers) {
    return count >= (size_t)takers && (bytes > QUEUE_BYTES || count >= QUEUE_EACH * (size_t)takers);
}

/* Whether the first that waits for memory may be decoded now: it then has its share. Each codec thread may be at one,
 * besides those that wait for a device. What stays encoded is small, and may go far ahead, so that the host works while
 * the codec begins, which takes about a second. */
static bool admit(Executor *executor, Work *work) {
    enum { BATCHES_AHEAD = 4 };
    const size_t bytes = picture_bytes(work);
    const ExecutorOptions *options = &executor->options;
    const int decoders =
        work->may_stay ? options->device_count * (int)executor->batch * BATCHES_AHEAD : options->codecs;
    const bool crowded = work->in_strips /* their files stay open, and nothing is done before a worker has them */
                             ? executor->ahead >= (size_t)executor->workers
                             : is_crowded(executor->ahead, executor->ahead_bytes + bytes, executor->workers + decoders);
    if (!executor->dropped &&
        (crowded || !budget_try(&executor->budget, &work->share, need_to_decode(&work->need, executor->budget.total))))
        return false;
    executor->ahead++;
    executor->ahead_bytes += bytes;
    return true;
}

/* Whether devices do not decode what they are given. */
static bool refuses(Executor *executor) {
    pthread_mutex_lock(&executor->lock);
    const bool most = executor->device_refused > executor->device_decoded;
    pthread_mutex_unlock(&executor->lock);
    return most;
}

static Status decode(Executor *executor, Work *work) {
    TRY(check_dropped(executor));
    make_room(executor);
    const double start = enter(executor, RESOURCE_DECODE);
    work->may_stay &= !refuses(executor);
    const size_t max = work->share > work->need.frames ? work->share - work->need.frames : 0;
    const Status status = executor->options.tasks->decode(executor->options.context, work, max);
    spans_add(&work->spans, "decode", start, leave(executor, RESOURCE_DECODE, start));
    return status;
}

static void decode_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    const size_t bytes = picture_bytes(work);
    const Status status = work->in_strips ? check_dropped(executor) : decode(executor, work);
    if (status == STATUS_OK) {
        const size_t carried = image_carried_bytes(work->image);
        work->need.carried = carried < work->need.carried ? carried : work->need.carried;
        shrink(executor, work, need_to_filter(&work->need));
    }
    pthread_mutex_lock(&executor->lock);
    if (status == STATUS_OK) {
        work->may_stay = work->encoded.bytes.data != NULL;
        if (!work->in_strips)
            work->shape = work->image->view.shape; /* which a header may have hidden */
        executor->ahead_bytes += picture_bytes(work) - bytes;
        push(work->may_stay ? &executor->plain : &executor->decoded, work);
        pthread_cond_broadcast(work->may_stay ? &executor->decoder : &executor->device);
    } else {
        executor->ahead--;
        executor->ahead_bytes -= bytes;
    }
    pthread_mutex_unlock(&executor->lock);
    if (status != STATUS_OK)
        finish(executor, work, status);
}

/* What a device has not decoded after all. */
static void unpack_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    Status status = check_dropped(executor);
    if (status == STATUS_OK) {
        const double start = enter(executor, RESOURCE_DECODE);
        status = executor->options.tasks->unpack(executor->options.context, work);
        spans_add(&work->spans, "decode", start, leave(executor, RESOURCE_DECODE, start));
    }
    if (status != STATUS_OK) {
        finish(executor, work, status);
        return;
    }
    pthread_mutex_lock(&executor->lock);
    work->may_stay = false;
    executor->ahead++;
    executor->ahead_bytes += picture_bytes(work);
    push(&executor->decoded, work);
    pthread_cond_signal(&executor->device);
    pthread_mutex_unlock(&executor->lock);
}

/* What is left to do takes no memory. */
static void send_to_disk(Executor *executor, Work *work) {
    shrink(executor, work, 0);
    pthread_mutex_lock(&executor->lock);
    while (executor->encoded.count >= COMMITS_MAX)
        pthread_cond_wait(&executor->space, &executor->lock);
    push(&executor->encoded, work);
    pthread_cond_signal(&executor->disk);
    pthread_mutex_unlock(&executor->lock);
}

static void encode_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    Status status = check_dropped(executor);
    if (status == STATUS_OK) {
        const double start = enter(executor, RESOURCE_ENCODE);
        status = executor->options.tasks->encode(executor->options.context, work);
        spans_add(&work->spans, "encode", start, leave(executor, RESOURCE_ENCODE, start));
    }
    if (status != STATUS_OK) {
        finish(executor, work, status);
        return;
    }
    image_destroy(&work->image);
    bytes_free(&work->encoded.bytes);
    send_to_disk(executor, work);
}

static Status lacks_also_in_strips(size_t bytes, size_t total) {
    char said[512];
    (void)memory_lacks(bytes, total, "filtering it, also in strips,");
    snprintf(said, sizeof said, "%s", status_message());
    return fail(STATUS_INPUT, "%s; --spill FOLDER takes a disk for it", said);
}

/* Row by row it takes strips on their way, and what they are decoded and encoded by. */
static Status measure_strips(Executor *executor, Work *work) {
    const size_t total = executor->budget.total;
    Need *need = &work->need;
    TRY(need_of_strips(&executor->needs, work->shape, executor->strip_room, need));
    need->decode = need->filter = memory_sum(need->filter, work->by_rows);
    work->in_strips = true;
    const size_t bytes = need_to_decode(need, total);
    const bool rows_fit = work->by_rows <= total;
    work->spills = bytes > total && rows_fit && executor->options.spill;
    if (work->spills) {
        need->frames = 0;
        need->decode = need->filter = work->by_rows;
    }
    return bytes <= total || work->spills ? STATUS_OK
           : rows_fit                     ? lacks_also_in_strips(bytes, total)
                                          : memory_lacks(work->by_rows, total, "decoding and encoding it row by row");
}

/* What it takes, if the budget ever has as much. */
static Status measure(Executor *executor, Work *work) {
    const size_t total = executor->budget.total;
    if (work->straight && work->by_rows > 0)
        return measure_strips(executor, work);
    TRY(needs_estimate(&executor->needs, work->shape, &work->need));
    need_to_encode_as(&work->need, work->as, work->further + 1);
    work->need.filter = memory_product(work->need.filter, work->further + 1);
    work->need.decode = work->decoding;
    work->need.carried = work->carried;
    const size_t bytes = need_to_decode(&work->need, total);
    if (bytes <= total || work->by_rows > 0)
        return bytes <= total ? STATUS_OK : measure_strips(executor, work);
    work->need.encode = 0;
    const bool encodes = need_to_decode(&work->need, total) <= total; /* but for that, it would fit */
    return memory_lacks(bytes, total, encodes ? "encoding it" : "filtering it");
}

/* The next one, if there is one. */
static Status open_next(Executor *executor, const Thread *thread, size_t number, Work **work, Opened *opened) {
    const ExecutorTasks *tasks = executor->options.tasks;
    *opened = OPENED_END;
    *work = calloc(1, tasks->work_bytes);
    if (!*work)
        return fail(STATUS_DEVICE, "no memory for another picture");
    (*work)->executor = executor;
    (*work)->number = number;
    (*work)->spans = (Spans){.profile_trace = executor->options.profile_trace, .track = thread->track};
    TRY(tasks->open(executor->options.context, *work, opened));
    const Status status = *opened == OPENED_WORK ? measure(executor, *work) : STATUS_OK;
    return status == STATUS_OK ? status : fail_within(status, "%s: ", (*work)->name);
}

static void open_work(Executor *executor, Thread *thread, Work *work) {
    Opened opened;
    const size_t number = executor->opened++; /* the lock is held on entry, and given back */
    executor->opening++;
    pthread_mutex_unlock(&executor->lock);
    const Status status = open_next(executor, thread, number, &work, &opened);
    const bool ends = !work || (status == STATUS_OK && opened == OPENED_END);
    const bool waits = status == STATUS_OK && opened == OPENED_WORK;
    pthread_mutex_lock(&executor->lock);
    executor->opening--;
    executor->in_flight += !ends;
    executor->ended |= ends;
    executor->starved |= !work;
    if (waits)
        push(&executor->pending, work);
    pthread_cond_signal(&executor->codec); /* opening may go on */
    if (is_over(executor))
        wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
    if (ends)
        free(work);
    else if (!waits)
        finish(executor, work, status);
}

static bool may_open(const Executor *executor) {
    const ExecutorOptions *options = &executor->options;
    return !executor->ended && (!options->serial || executor->opening == 0) &&
           (options->in_flight == 0 || executor->in_flight + executor->opening < options->in_flight);
}

typedef void Step(Executor *executor, Thread *thread, Work *work);

/* What a codec thread does next, under the lock; NULL: nothing now. Results come first: they hold most, and are nearly
 * done. */
static Step *next_step(Executor *executor, Work **work) {
    *work = pop(&executor->filtered);
    if (*work) {
        pthread_cond_broadcast(&executor->space);
        return encode_work;
    }
    *work = pop(&executor->refused);
    if (*work)
        return unpack_work;
    if (executor->pending.first)
        return admit(executor, executor->pending.first) ? (*work = pop(&executor->pending), decode_work) : NULL;
    return may_open(executor) ? open_work : NULL;
}

static bool is_spared(const Executor *executor, const Thread *thread) {
    const ExecutorOptions *options = &executor->options;
    return !executor->all_codecs && thread->track - TRACK_CODECS >= options->codecs - options->spared;
}

static void *run_codec(void *argument) {
    Thread *thread = argument;
    Executor *executor = thread->executor;
    image_source_set(&executor->pixels.source);
    pthread_mutex_lock(&executor->lock);
    while (is_spared(executor, thread) && !is_over(executor))
        pthread_cond_wait(&executor->spared, &executor->lock);
    while (!is_over(executor)) {
        Work *work;
        if (interrupted() && !executor->ended) {
            executor->ended = true;
            wake_all(executor);
            continue;
        }
        Step *const step = next_step(executor, &work);
        if (!step) {
            pthread_cond_wait(&executor->codec, &executor->lock);
            continue;
        }
        if (work)
            work->spans.track = thread->track;
        if (step != open_work)
            pthread_mutex_unlock(&executor->lock);
        step(executor, thread, work);
        pthread_mutex_lock(&executor->lock);
    }
    pthread_mutex_unlock(&executor->lock);
    return NULL;
}

/* ---- devices ---- */

/* A device that has no memory has it again without what is kept. */
static Status open_pipeline(Executor *executor, Device *device, Shape shape, const ToneCurve *tone, StripRoom room,
                            Pipeline **pipeline, Strips *strips) {
    const ExecutorOptions *options = &executor->options;
    PlanOptions how = options->plan;
    Status status = STATUS_OK;
    how.tone = *tone;
    for (int tries = 0; tries < 2; tries++) {
        status = strips_open(options->chain, shape, how, device, options->level, room, strips, pipeline);
        if (status != STATUS_DEVICE || device->backend->host_frames)
            break;
        limit_kept(executor, 0, 0);
    }
    TRY(status);
    pipeline_queue(*pipeline)->stop = interrupt_stop(); /* check_dropped would give up what it makes */
    return options->tasks->planned ? options->tasks->planned(options->context, *pipeline, strips) : STATUS_OK;
}

static Status fit_pipeline(Executor *executor, Device *device, Shape shape, const ToneCurve *tone, Pipeline **pipeline,
                           Strips *strips) {
    return take_kept(executor, device, shape, tone, pipeline, strips)
               ? STATUS_OK
               : open_pipeline(executor, device, shape, tone, executor->room, pipeline, strips);
}

/* A picture that a device has decoded, or that it will encode, passes as a whole. */
static Status pass_whole(Work *work, Pipeline *pipeline, bool decoded, Image *result) {
    const double start = clock_ms();
    if (decoded) {
        TRY(pipeline_take(pipeline, PIPELINE_PICTURE, work->frame, work->encoded.orientation));
    } else {
        TRY(pipeline_upload(pipeline, PIPELINE_PICTURE, work->image->view));
        spans_add(&work->spans, "upload", start, clock_ms());
    }
    TRY(pipeline_run(pipeline, &work->spans));
    if (!result->view.pixels)
        return STATUS_OK;
    const double done = clock_ms();
    TRY(pipeline_download(pipeline, result->view));
    spans_add(&work->spans, "download", done, clock_ms());
    return STATUS_OK;
}

/* The device's part but for codecs: makes *result, without pixels if the device encodes it. */
static Status pass(Executor *executor, const Thread *thread, Work *work, const ToneCurve *tone, Image **image,
                   Pipeline **pipeline, Strips *strips, Image **result) {
    const DeviceCodec *codec = executor->options.codec;
    TRY(fit_pipeline(executor, executor->options.devices[thread->device], (*image)->view.shape, tone, pipeline,
                     strips));
    const Shape made = strips_result(strips, pipeline_result_shape(*pipeline));
    const bool cut = strips_are_cut(strips);
    const bool encodes = thread->coder && work->may_be && !cut && !work->image->next && device_codec_takes(codec, made);
    const bool decoded = work->frame.pixels && !cut;
    if (work->frame.pixels && cut)
        TRY(executor->options.tasks->unpack(executor->options.context, work));
    TRY(encodes ? image_create_about(made, result) : image_create_unfilled(made, result));
    return decoded || encodes ? pass_whole(work, *pipeline, decoded, *result)
                              : strips_process(strips, *pipeline, (*image)->view, (*result)->view, &work->spans);
}

/* What the device does not encode after all, the host does. */
static Status encode_there(Executor *executor, const Thread *thread, Work *work, Pipeline *pipeline, Image **result) {
    const ExecutorOptions *options = &executor->options;
    const int resource = RESOURCE_DEVICE_ENCODE + thread->device;
    const Frame frame = pipeline_result(pipeline);
    EncodedPicture encoded = {.shape = frame.shape};
    const double start = enter(executor, resource);
    const Status status = options->codec->encode(thread->coder, frame, options->save, &encoded.bytes);
    spans_add(&work->spans, "device encode", start, leave(executor, resource, start));
    if (status == STATUS_OK)
        work->encoded = encoded;
    if (status != STATUS_INPUT)
        return status;
    image_destroy(result);
    TRY(image_create_unfilled(frame.shape, result));
    return pipeline_download(pipeline, (*result)->view);
}

static Status filter_one(Executor *executor, const Thread *thread, Work *work, const ToneCurve *tone, Image **image) {
    const int resource = RESOURCE_DEVICE + thread->device;
    Pipeline *pipeline = NULL;
    Image *result = NULL;
    Strips strips;
    TRY(check_dropped(executor));
    const double start = enter(executor, resource);
    Status status = pass(executor, thread, work, tone, image, &pipeline, &strips, &result);
    leave(executor, resource, start);
    bytes_free(&work->encoded.bytes);
    if (status == STATUS_OK && !result->view.pixels)
        status = encode_there(executor, thread, work, pipeline, &result);
    if (status != STATUS_OK) {
        pipeline_destroy(&pipeline);
        image_destroy(&result);
        return status;
    }
    keep(executor, pipeline, &strips, tone);
    image_replace(image, result);
    return STATUS_OK;
}

/* Frames of an animation have the first one's profile. */
static Status filter(Executor *executor, const Thread *thread, Work *work) {
    const bool linear = executor->options.plan.linear;
    ToneCurve tone = {0};
    for (Image **image = &work->image; *image; image = &(*image)->next) {
        const Image *first = work->image, *from = (*image)->profile || (*image)->seconds <= 0 ? *image : first;
        if (linear)
            TRY(icc_tone(from->profile, from->profile_size, &tone));
        tone.premultiplied = (*image)->premultiplied;
        TRY(filter_one(executor, thread, work, &tone, image));
    }
    return STATUS_OK;
}

typedef struct Passage Passage;

/* The ends of its way, which say what the worker is at. */
typedef struct PassageSource {
    RowSource source; /* first, so that a RowSource is ours */
    Passage *passage;
} PassageSource;

typedef struct PassageSink {
    RowSink sink; /* likewise */
    Passage *passage;
} PassageSink;

/* A picture on its way from its file to its file. */
struct Passage {
    Executor *executor;
    int resource; /* the device's, which the worker is at while it neither reads nor writes, */
    double since; /* since then */
    PassageSource source;
    PassageSink sink;
    RowSource *from;
    RowSink *to;
    bool sink_failed;
    Pipeline *pipeline;
    Strips strips;
    ToneCurve tone;
};

static Status note(Passage *passage, Status status) {
    passage->sink_failed |= status != STATUS_OK;
    return status;
}

static Status read_there(RowSource *source, ImageView rows) {
    Passage *passage = ((PassageSource *)source)->passage;
    const double start = turn_to(passage->executor, passage->resource, passage->since, RESOURCE_DECODE);
    const Status status = passage->from->read(passage->from, rows);
    passage->since = turn_to(passage->executor, RESOURCE_DECODE, start, passage->resource);
    return status;
}

static Status rewind_there(RowSource *source) {
    const Passage *passage = ((PassageSource *)source)->passage;
    return passage->from->rewind(passage->from);
}

static Status write_there(RowSink *sink, ImageView rows) {
    Passage *passage = ((PassageSink *)sink)->passage;
    const double start = turn_to(passage->executor, passage->resource, passage->since, RESOURCE_ENCODE);
    const Status status = note(passage, passage->to->write(passage->to, rows));
    passage->since = turn_to(passage->executor, RESOURCE_ENCODE, start, passage->resource);
    return status;
}

static Status pass_rows(Executor *executor, Device *device, Work *work, Passage *passage) {
    const ExecutorOptions *options = &executor->options;
    const bool host = device->backend->host_frames; /* where pictures are cut that would fit as a whole */
    Pipeline **pipeline = &passage->pipeline;
    Strips *strips = &passage->strips;
    make_room(executor);
    TRY(check_dropped(executor));
    TRY(options->tasks->open_source(options->context, work, &passage->from));
    if (options->plan.linear)
        TRY(icc_tone(work->image->profile, work->image->profile_size, &passage->tone));
    passage->tone.premultiplied = work->image->premultiplied;
    TRY(host ? open_pipeline(executor, device, work->shape, &passage->tone, executor->strip_room, pipeline, strips)
             : fit_pipeline(executor, device, work->shape, &passage->tone, pipeline, strips));
    work->image->view.shape = strips_result(strips, pipeline_result_shape(*pipeline));
    TRY(note(passage, options->tasks->open_sink(options->context, work, &passage->to)));
    passage->source = (PassageSource){
        {.shape = passage->from->shape, .timed = passage->from->timed, .read = read_there, .rewind = rewind_there},
        passage};
    passage->sink = (PassageSink){{.shape = passage->to->shape, .write = write_there}, passage};
    TRY(strips_run(strips, *pipeline, &passage->source.source, &passage->sink.sink, &work->spans));
    TRY(note(passage, passage->to->finish ? passage->to->finish(passage->to) : STATUS_OK));
    if (!host) {
        keep(executor, *pipeline, strips, &passage->tone);
        *pipeline = NULL;
    }
    return STATUS_OK;
}

/* The same with all that is large on a disk, which nobody else gets. */
static Status pass_spilled(Executor *executor, Device *device, Work *work, Passage *passage) {
    PixelSource *const pool = image_source_set(&pixel_pages);
    memory_spill(executor->options.spill);
    const Status status = pass_rows(executor, device, work, passage);
    memory_spill(NULL);
    image_source_set(pool);
    pipeline_destroy(&passage->pipeline);
    (void)device_keep_frames(device, 0);
    return status;
}

/* The worker is also what decodes and encodes. */
static void strip_work(Executor *executor, const Thread *thread, Work *work) {
    const int resource = RESOURCE_DEVICE + thread->device;
    OnDevice *there = &executor->on_device[thread->device];
    Passage passage = {.executor = executor, .resource = resource, .since = enter(executor, resource)};
    Device *device = executor->options.devices[thread->device];
    const Status status =
        work->spills ? pass_spilled(executor, device, work, &passage) : pass_rows(executor, device, work, &passage);
    row_source_close(&passage.from);
    row_sink_close(&passage.to);
    pipeline_destroy(&passage.pipeline);
    image_destroy(&work->image);
    leave(executor, resource, passage.since);
    pthread_mutex_lock(&executor->lock);
    there->passing--;
    there->passing_bytes -= work->need.on_device;
    pthread_cond_broadcast(&executor->device);
    pthread_mutex_unlock(&executor->lock);
    if (status == STATUS_OK) {
        executor->options.tasks->passed(executor->options.context, work);
        send_to_disk(executor, work);
    } else { /* what cannot be written is named already */
        const bool named = status == STATUS_DEVICE && passage.sink_failed;
        finish(executor, work, named ? status : fail_within(status, "%s: ", work->name));
    }
}

static void drop_frame(Executor *executor, int device, Work *work) {
    OnDevice *there = &executor->on_device[device];
    const size_t bytes = shape_bytes(work->frame.shape);
    if (!work->frame.pixels)
        return;
    device_frame_destroy(executor->options.devices[device], &work->frame);
    pthread_mutex_lock(&executor->lock);
    there->count--;
    there->bytes -= bytes;
    pthread_cond_broadcast(&executor->decoder);
    pthread_mutex_unlock(&executor->lock);
}

static void filter_work(Executor *executor, const Thread *thread, Work *work) {
    const Status status = filter(executor, thread, work);
    drop_frame(executor, thread->device, work);
    if (status != STATUS_OK) {
        finish(executor, work, fail_within(status, "%s: ", work->name));
        return;
    }
    shrink(executor, work, need_to_encode(&work->need));
    pthread_mutex_lock(&executor->lock);
    while (is_crowded(executor->filtered.count, executor->filtered.bytes, executor->options.codecs))
        pthread_cond_wait(&executor->space, &executor->lock);
    push(&executor->filtered, work);
    pthread_cond_signal(&executor->codec);
    pthread_mutex_unlock(&executor->lock);
}

/* Without one, the host encodes. */
static void open_encoder(Executor *executor, Thread *thread, const Work *work) {
    const DeviceCodec *codec = executor->options.codec;
    if (!codec || thread->asked || !work->may_be)
        return;
    thread->asked = true;
    if (codec->open(executor->options.devices[thread->device], executor->options.codec_or_none, &thread->coder) !=
        STATUS_OK)
        thread->coder = NULL;
}

static void work_on(Executor *executor, Thread *thread, Work *work) {
    open_encoder(executor, thread, work);
    if (work->in_strips)
        strip_work(executor, thread, work);
    else
        filter_work(executor, thread, work);
}

/* ---- devices' decoders ---- */

/* Works that wait for devices, and go to one of them, are no longer ahead; under the lock. */
static Work *take_ahead(Executor *executor, WorkQueue *queue) {
    Work *work = pop(queue);
    if (work) {
        executor->ahead--;
        executor->ahead_bytes -= picture_bytes(work);
        pthread_cond_signal(&executor->codec);
    }
    return work;
}

/* Frames of pictures in strips: as many at once as there is memory for, or one that needs more. */
static bool fits(const Executor *executor, const OnDevice *there, const Work *work) {
    const size_t max = memory_product(executor->room.max, (size_t)executor->options.shares);
    return !work->in_strips || there->passing == 0 || there->passing_bytes + work->need.on_device <= max;
}

static Work *take_decoded(Executor *executor, const Thread *thread) {
    OnDevice *there = &executor->on_device[thread->device];
    Work *work = pop(&there->decoded);
    if (work || !executor->decoded.first || !fits(executor, there, executor->decoded.first))
        return work;
    work = take_ahead(executor, &executor->decoded);
    there->passing += work->in_strips;
    there->passing_bytes += work->in_strips ? work->need.on_device : 0;
    return work;
}

/* As many as the device decodes at once and has room for: a share of it, so that others are decoded, and wait for the
 * filter, meanwhile. */
static size_t take_plain(Executor *executor, const Thread *thread, Work **works) {
    OnDevice *there = &executor->on_device[thread->device];
    size_t count = 0, bytes = 0;
    if (there->decoder && (there->count > DECODERS * executor->batch || there->bytes > there->max / DECODE_SHARES))
        return 0;
    while (count < executor->batch && executor->plain.first) {
        bytes += shape_bytes(executor->plain.first->encoded.shape);
        if (count > 0 && bytes > there->max / DECODE_SHARES)
            break;
        works[count] = take_ahead(executor, &executor->plain);
        works[count++]->spans.track = thread->track;
    }
    return count;
}

/* decoded[i] is false for what is left to the host. */
static Status decode_there(Executor *executor, const Thread *thread, Work **works, bool *decoded, size_t count) {
    const DeviceCodec *codec = executor->options.codec;
    const int resource = RESOURCE_DEVICE_DECODE + thread->device;
    OnDevice *there = &executor->on_device[thread->device];
    EncodedPicture pictures[BATCH_MAX];
    Frame frames[BATCH_MAX];
    size_t made = 0;
    TRY(check_dropped(executor));
    while (made < count && there->decoder && device_codec_takes(codec, works[made]->encoded.shape) &&
           device_frame_create(executor->options.devices[thread->device], works[made]->encoded.shape, &frames[made]) ==
               STATUS_OK) {
        pictures[made] = works[made]->encoded;
        works[made]->frame = frames[made];
        made++;
    }
    if (made == 0)
        return STATUS_OK;
    pthread_mutex_lock(&there->turn);
    const double start = enter(executor, resource);
    const Status status = codec->decode(there->decoder, pictures, frames, decoded, made);
    const double each = (leave(executor, resource, start) - start) / (double)made;
    pthread_mutex_unlock(&there->turn);
    for (size_t i = 0; i < made; i++)
        spans_add(&works[i]->spans, "device decode", start + each * (double)i, start + each * (double)(i + 1));
    return status;
}

/* To the workers of this device, or to the host. A refusal is remembered: where most are refused, the host decodes at
 * once. */
static void hand_on(Executor *executor, const Thread *thread, Work *work, bool decoded) {
    Device *device = executor->options.devices[thread->device];
    OnDevice *there = &executor->on_device[thread->device];
    if (!decoded && work->frame.pixels)
        device_frame_destroy(device, &work->frame);
    pthread_mutex_lock(&executor->lock);
    decoded ? executor->device_decoded++ : executor->device_refused++;
    if (decoded) {
        there->count++;
        there->bytes += shape_bytes(work->frame.shape);
        push(&there->decoded, work);
        pthread_cond_broadcast(&executor->device);
    } else {
        push(&executor->refused, work);
        pthread_cond_signal(&executor->codec);
    }
    pthread_mutex_unlock(&executor->lock);
}

static void decode_batch(Executor *executor, const Thread *thread, Work **works, size_t count) {
    bool decoded[BATCH_MAX] = {false};
    const Status status = decode_there(executor, thread, works, decoded, count);
    char said[512];
    snprintf(said, sizeof said, "%s", status == STATUS_OK ? "" : status_message());
    for (size_t i = 0; i < count; i++) {
        if (status == STATUS_OK) {
            hand_on(executor, thread, works[i], decoded[i]);
            continue;
        }
        if (works[i]->frame.pixels)
            device_frame_destroy(executor->options.devices[thread->device], &works[i]->frame);
        finish(executor, works[i], fail(status, "%s: %s", works[i]->name, said));
    }
}

/* Opening it takes tenths of a second, while files are read. */
static void open_decoder(Executor *executor, const Thread *thread, OnDevice *there) {
    const ExecutorOptions *options = &executor->options;
    const double start = clock_ms();
    const Status status =
        options->codec->open(options->devices[thread->device], options->codec_or_none, &there->decoder);
    profile_trace_add(options->profile_trace, thread->track, "begin", NULL, start, clock_ms() - start);
    if (status == STATUS_OK)
        return;
    there->decoder = NULL;
    pthread_mutex_lock(&executor->lock);
    if (options->codec_or_none) {
        executor->all_codecs = true;
    } else {
        executor->failed = status;
        snprintf(executor->why, sizeof executor->why, "--codec gpu: %s", status_message());
        executor->ended = executor->dropped = true;
    }
    wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
}

/* The first to come opens the device's decoder, */
static void come_to_decode(Executor *executor, const Thread *thread) {
    OnDevice *there = &executor->on_device[thread->device];
    pthread_mutex_lock(&there->turn);
    if (!there->asked)
        open_decoder(executor, thread, there);
    there->asked = true;
    there->decoders++;
    pthread_mutex_unlock(&there->turn);
}

/* and the last to leave closes it. */
static void leave_decoding(Executor *executor, const Thread *thread) {
    OnDevice *there = &executor->on_device[thread->device];
    pthread_mutex_lock(&there->turn);
    if (--there->decoders == 0)
        executor->options.codec->close(&there->decoder);
    pthread_mutex_unlock(&there->turn);
}

static void *run_decoder(void *argument) {
    Thread *thread = argument;
    Executor *executor = thread->executor;
    come_to_decode(executor, thread);
    pthread_mutex_lock(&executor->lock);
    while (!is_over(executor)) {
        Work *works[BATCH_MAX];
        const size_t count = take_plain(executor, thread, works);
        if (count == 0) {
            pthread_cond_wait(&executor->decoder, &executor->lock);
            continue;
        }
        pthread_mutex_unlock(&executor->lock);
        decode_batch(executor, thread, works, count);
        pthread_mutex_lock(&executor->lock);
    }
    pthread_mutex_unlock(&executor->lock);
    leave_decoding(executor, thread);
    return NULL;
}

/* Takes from a queue until the run is over. */
static void serve(Thread *thread, WorkQueue *queue, pthread_cond_t *filled, Step *step) {
    Executor *executor = thread->executor;
    pthread_mutex_lock(&executor->lock);
    while (!is_over(executor)) {
        Work *work = queue == &executor->decoded ? take_decoded(executor, thread) : pop(queue);
        if (!work) {
            pthread_cond_wait(filled, &executor->lock);
            continue;
        }
        if (queue == &executor->encoded)
            pthread_cond_broadcast(&executor->space);
        pthread_mutex_unlock(&executor->lock);
        work->spans.track = thread->track;
        step(executor, thread, work);
        pthread_mutex_lock(&executor->lock);
    }
    pthread_mutex_unlock(&executor->lock);
}

static void *run_worker(void *argument) {
    Thread *thread = argument;
    const DeviceCodec *codec = thread->executor->options.codec;
    image_source_set(&thread->executor->pixels.source);
    serve(thread, &thread->executor->decoded, &thread->executor->device, work_on);
    if (codec)
        codec->close(&thread->coder);
    return NULL;
}

/* ---- the disk ---- */

static void commit_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    const double start = enter(executor, RESOURCE_DISK);
    const Status status = executor->options.tasks->commit(executor->options.context, work);
    spans_add(&work->spans, "commit", start, leave(executor, RESOURCE_DISK, start));
    finish(executor, work, status);
}

static void *run_committer(void *argument) {
    Thread *thread = argument;
    serve(thread, &thread->executor->encoded, &thread->executor->disk, commit_work);
    return NULL;
}

/* ---- the run ---- */

/* A thread that ends unwinds by libgcc, which libc loads then, and aborts the process if memory is short by that time.
 * backtrace loads it now (backtrace(3), Notes). */
static bool load_unwinder(void) {
    void *address;
    return backtrace(&address, 1) > 0;
}

typedef void *Role(void *thread);

/* As many threads of a role as the system gives, `each` for a device or in all; at least one must be there. */
static int start(Executor *executor, Thread *threads, int count, Role *role, const char *name, int track) {
    int started = 0;
    for (; started < count; started++) {
        Thread *thread = &threads[started];
        char text[64];
        *thread = (Thread){.executor = executor, .track = track + started};
        thread->device = started % executor->options.device_count;
        if (role == run_worker)
            snprintf(text, sizeof text, "%s, queue %d", executor->options.names[thread->device],
                     started / executor->options.device_count + 1);
        else
            snprintf(text, sizeof text, "%s %d", name, started + 1);
        profile_trace_name(executor->options.profile_trace, thread->track, text);
        if (pthread_create(&thread->thread, NULL, role, thread) != 0)
            break;
    }
    return started;
}

enum { ROLES = 4 };

static Status run_threads(Executor *executor) {
    const ExecutorOptions *options = &executor->options;
    const struct {
        int count;
        Role *role;
        const char *name;
        int track;
    } roles[ROLES] = {{options->committers, run_committer, "disk", TRACK_COMMITTERS},
                      {executor->workers, run_worker, "", TRACK_WORKERS},
                      {options->codec ? DECODERS * options->device_count : 0, run_decoder, "decoder", TRACK_DECODERS},
                      {options->codecs, run_codec, "codec", TRACK_CODECS}};
    Thread *threads[ROLES] = {NULL};
    int started[ROLES] = {0};
    bool complete = load_unwinder();
    for (int i = 0; i < ROLES && complete; i++) {
        if (roles[i].count == 0)
            continue;
        threads[i] = calloc((size_t)roles[i].count, sizeof(Thread));
        started[i] =
            threads[i] ? start(executor, threads[i], roles[i].count, roles[i].role, roles[i].name, roles[i].track) : 0;
        complete = started[i] > 0;
    }
    if (!complete) { /* no codec runs: nothing was opened */
        pthread_mutex_lock(&executor->lock);
        executor->ended = true;
        wake_all(executor);
        pthread_mutex_unlock(&executor->lock);
    }
    for (int i = 0; i < ROLES; i++) {
        for (int k = 0; k < started[i]; k++)
            pthread_join(threads[i][k].thread, NULL);
        free(threads[i]);
    }
    return complete ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the threads of a batch");
}

/* What every device has for each of its queues. Frames of pictures in strips are in the host's budget, too, where that
 * is their memory. */
static Status find_rooms(const ExecutorOptions *options, StripRoom *room, StripRoom *strip_room) {
    enum { SHARE = 4 };
    *room = (StripRoom){STRIP_BYTES, SIZE_MAX, options->devices[0]};
    for (int i = 0; i < options->device_count; i++) {
        StripRoom has;
        TRY(strips_room(options->devices[i], (size_t)options->shares, &has));
        *room = has.max < room->max ? has : *room;
    }
    *strip_room = *room;
    if (options->devices[0]->backend->host_frames) {
        strip_room->max = options->memory / SHARE;
        strip_room->wanted = strip_room->max < STRIP_BYTES ? strip_room->max : STRIP_BYTES;
    }
    return STATUS_OK;
}

static void init(Executor *executor, const ExecutorOptions *options, StripRoom room, StripRoom strip_room) {
    *executor = (Executor){.options = *options,
                           .workers = options->device_count * options->queues,
                           .batch = options->codec && options->codec->batch < BATCH_MAX ? options->codec->batch : 1,
                           .room = room,
                           .strip_room = strip_room};
    needs_init(&executor->needs, options->chain, options->plan, executor->room, options->devices[0]->backend);
    budget_init(&executor->budget, options->memory);
    pixel_pool_init(&executor->pixels, options->devices[0]->backend, options->memory / 3);
    pthread_mutex_init(&executor->lock, NULL);
    pthread_cond_t *const conditions[] = {CONDITIONS(executor)};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        pthread_cond_init(conditions[i], NULL);
    WorkQueue *const queues[] = {&executor->pending, &executor->plain,    &executor->refused,
                                 &executor->decoded, &executor->filtered, &executor->encoded};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        queue_init(queues[i]);
    for (int i = 0; i < options->device_count; i++) {
        queue_init(&executor->on_device[i].decoded);
        pthread_mutex_init(&executor->on_device[i].turn, NULL);
    }
    executor->kept_limit = options->devices[0]->backend->host_frames
                               ? options->memory / 3
                               : room.max / 4 * (size_t)(options->shares * options->device_count);
}

static void free_all(Executor *executor) {
    limit_kept(executor, 0, 0);
    pixel_pool_free(&executor->pixels);
    budget_destroy(&executor->budget);
    needs_free(&executor->needs);
    pthread_mutex_destroy(&executor->lock);
    for (int i = 0; i < executor->options.device_count; i++)
        pthread_mutex_destroy(&executor->on_device[i].turn);
    pthread_cond_t *const conditions[] = {CONDITIONS(executor)};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        pthread_cond_destroy(conditions[i]);
}

/* Frames are kept for as long as others have room: of the host's memory a third at first; of a device's own an
 * eighth, which is also what decoded pictures may take there. */
static Status keep_frames(Executor *executor) {
    enum { SHARE = 8 };
    const ExecutorOptions *options = &executor->options;
    for (int i = 0; i < options->device_count; i++) {
        Device *device = options->devices[i];
        size_t available, total = options->memory / (size_t)options->device_count;
        if (!device->backend->host_frames)
            TRY(device->backend->memory(device, &available, &total));
        TRY(device_keep_frames(device, total / SHARE));
        if (device->backend->wait_asleep)
            TRY(device->backend->wait_asleep(device));
        executor->on_device[i].max = total / SHARE;
    }
    return STATUS_OK;
}

static void tell(Executor *executor, double ms, Busy *busy) {
    const Meter *meters = executor->meters;
    const int spared = executor->all_codecs ? 0 : executor->options.spared;
    const double codecs = ms * (executor->options.codecs - spared);
    *busy = (Busy){.decode = meters[RESOURCE_DECODE].sum / codecs,
                   .encode = meters[RESOURCE_ENCODE].sum / codecs,
                   .disk = meters[RESOURCE_DISK].total / ms,
                   .blocks = block_pool_made(&executor->pixels.blocks)};
    for (int i = 0; i < executor->options.device_count; i++) {
        busy->devices[i] = meters[RESOURCE_DEVICE + i].total / ms;
        busy->device_decode[i] = meters[RESOURCE_DEVICE_DECODE + i].total / ms;
        busy->device_encode[i] = meters[RESOURCE_DEVICE_ENCODE + i].total / ms;
        if (executor->options.devices[i]->pool)
            busy->frames += block_pool_made(executor->options.devices[i]->pool);
    }
}

Status executor_run(const ExecutorOptions *options, Busy *busy) {
    const double begun = clock_ms();
    StripRoom room, strip_room;
    *busy = (Busy){0};
    TRY(find_rooms(options, &room, &strip_room));
    Executor *executor = malloc(sizeof *executor);
    if (!executor)
        return fail(STATUS_DEVICE, "no memory for a batch");
    init(executor, options, room, strip_room);
    Status status = keep_frames(executor);
    if (status == STATUS_OK)
        status = run_threads(executor);
    if (status == STATUS_OK && executor->failed != STATUS_OK)
        status = fail(executor->failed, "%s", executor->why);
    if (status == STATUS_OK && executor->starved)
        status = fail(STATUS_DEVICE, "no memory for another picture");
    tell(executor, clock_ms() - begun, busy);
    free_all(executor);
    free(executor);
    return status;
}
