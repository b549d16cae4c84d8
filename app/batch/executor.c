/* executor.c: the executor's workers and committers, and the run of all its threads. */
#include "app/batch/executor.h"

#include "app/batch/executor_kept.h"
#include "app/batch/executor_threads.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- workers of devices ---- */

/* Whether the device has room for the frames of a picture in strips; one alone may need more. */
static bool fits(const Executor *executor, const OnDevice *there, const Work *work) {
    const size_t max = memory_product(executor->room.max, (size_t)executor->options.shares);
    return work->road == ROAD_WHOLE || there->passing == 0 || there->passing_bytes + work->need.on_device <= max;
}

static Work *take_decoded(Executor *executor, const Thread *thread) {
    OnDevice *there = &executor->on_device[thread->device];
    Work *work = work_queue_pop(&there->decoded);
    if (work || !executor->decoded.first || !fits(executor, there, executor->decoded.first))
        return work;
    work = executor_take_ahead(executor, &executor->decoded);
    if (work->road != ROAD_WHOLE) {
        there->passing++;
        there->passing_bytes += work->need.on_device;
    }
    return work;
}

/* Where the worker gets no encoder, the host encodes. */
static void open_encoder(Executor *executor, Thread *thread, const Work *work) {
    const DeviceCodec *codec = executor->options.codec;
    if (!codec || thread->asked || !(work->wishes & WISH_DEVICE_ENCODE))
        return;
    thread->asked = true;
    if (codec->open(executor->options.devices[thread->device], executor->options.codec_or_none, &thread->coder) !=
        STATUS_OK)
        thread->coder = NULL;
}

static void work_on(Executor *executor, Thread *thread, Work *work) {
    open_encoder(executor, thread, work);
    executor_pass(executor, thread, work);
}

/* Takes works from a queue, and carries out the step for each, until the run is over. */
static void serve(Thread *thread, WorkQueue *queue, pthread_cond_t *filled, Step *step) {
    Executor *executor = thread->executor;
    pthread_mutex_lock(&executor->lock);
    while (!executor_is_over(executor)) {
        Work *work = queue == &executor->decoded ? take_decoded(executor, thread) : work_queue_pop(queue);
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

static void *worker_thread(void *argument) {
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
    const double start = meter_enter(executor, RESOURCE_DISK);
    const Status status = executor->options.tasks->commit(executor->options.context, work);
    spans_add(&work->spans, "commit", start, meter_leave(executor, RESOURCE_DISK, start));
    executor_finish(executor, work, status);
}

static void *committer_thread(void *argument) {
    Thread *thread = argument;
    serve(thread, &thread->executor->encoded, &thread->executor->disk, commit_work);
    return NULL;
}

/* ---- the run ---- */

/* Loads libgcc (backtrace(3), Notes). Otherwise libc loads it when a thread ends, and aborts the process if memory is
 * short by then. */
static bool load_unwinder(void) {
    void *address;
    return backtrace(&address, 1) > 0;
}

/* Starts as many threads of a role as the system gives, up to `count`; returns how many. */
static int start(Executor *executor, Thread *threads, int count, Role *role, const char *name, int track) {
    int started = 0;
    for (; started < count; started++) {
        Thread *thread = &threads[started];
        char text[64];
        *thread = (Thread){.executor = executor, .track = track + started};
        thread->device = started % executor->options.device_count;
        if (role == worker_thread)
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
    } roles[ROLES] = {
        {options->committers, committer_thread, "disk", TRACK_COMMITTERS},
        {executor->workers, worker_thread, "", TRACK_WORKERS},
        {options->codec ? DECODERS * options->device_count : 0, executor_decoder_thread, "decoder", TRACK_DECODERS},
        {options->codecs, executor_codec_thread, "codec", TRACK_CODECS}};
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
        executor_wake_all(executor);
        pthread_mutex_unlock(&executor->lock);
    }
    for (int i = 0; i < ROLES; i++) {
        for (int k = 0; k < started[i]; k++)
            pthread_join(threads[i][k].thread, NULL);
        free(threads[i]);
    }
    return complete ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the threads of a batch");
}

/* Finds the room that every device has for each of its queues. Frames of pictures in strips come from the host's budget
 * where the host's memory holds frames. */
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
    pthread_cond_t *const conditions[] = {EXECUTOR_CONDITIONS(executor)};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        pthread_cond_init(conditions[i], NULL);
    WorkQueue *const queues[] = {&executor->pending, &executor->packed,   &executor->refused,
                                 &executor->decoded, &executor->filtered, &executor->encoded};
    for (size_t i = 0; i < sizeof queues / sizeof *queues; i++)
        work_queue_init(queues[i]);
    for (int i = 0; i < options->device_count; i++) {
        work_queue_init(&executor->on_device[i].decoded);
        pthread_mutex_init(&executor->on_device[i].turn, NULL);
    }
    executor->kept_limit = options->devices[0]->backend->host_frames
                               ? options->memory / 3
                               : room.max / 4 * (size_t)(options->shares * options->device_count);
}

static void free_all(Executor *executor) {
    kept_shrink(executor, 0, 0);
    pixel_pool_free(&executor->pixels);
    budget_destroy(&executor->budget);
    needs_free(&executor->needs);
    pthread_mutex_destroy(&executor->lock);
    for (int i = 0; i < executor->options.device_count; i++)
        pthread_mutex_destroy(&executor->on_device[i].turn);
    pthread_cond_t *const conditions[] = {EXECUTOR_CONDITIONS(executor)};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        pthread_cond_destroy(conditions[i]);
}

/* Lets devices keep idle frames in an eighth of their memory; decoded pictures may take another eighth. */
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

void executor_stop(Work *work, bool drop) {
    Executor *executor = work->executor;
    pthread_mutex_lock(&executor->lock);
    executor->ended = true;
    executor->dropped |= drop;
    executor_wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
}
