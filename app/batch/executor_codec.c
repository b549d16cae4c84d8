/* executor_codec.c: the threads that open pictures, decode them, and encode the results. */
#include "app/batch/executor_kept.h"
#include "app/batch/executor_threads.h"

#include "core/base/interrupt.h"
#include "core/run/gain_map_move.h"
#include "core/run/rendering.h"

#include <stdio.h>
#include <stdlib.h>

/* Whether the first work that waits for memory may be decoded now; if so, it has its share of the budget. Each codec
 * thread may be at one work, besides the works that wait for a device. Encoded pictures are small, and may go far
 * ahead: the host then works while the device's codec begins, which takes about a second. */
static bool admit(Executor *executor, Work *work) {
    enum { BATCHES_AHEAD = 4 };
    const size_t bytes = work_picture_bytes(work);
    const ExecutorOptions *options = &executor->options;
    const int decoders = work->wishes & WISH_DEVICE_DECODE
                             ? options->device_count * (int)executor->batch * BATCHES_AHEAD
                             : options->codecs;
    const bool crowded =
        work->road != ROAD_WHOLE /* its file stays open until a worker has it */
            ? executor->ahead >= (size_t)executor->workers
            : executor_is_crowded(executor->ahead, executor->ahead_bytes + bytes, executor->workers + decoders);
    if (!executor->dropped &&
        (crowded || !budget_try(&executor->budget, &work->share, need_to_decode(&work->need, executor->budget.total))))
        return false;
    executor->ahead++;
    executor->ahead_bytes += bytes;
    return true;
}

/* Whether devices refuse most pictures that they are given to decode. */
static bool refuses(Executor *executor) {
    pthread_mutex_lock(&executor->lock);
    const bool most = executor->device_refused > executor->device_decoded;
    pthread_mutex_unlock(&executor->lock);
    return most;
}

static Status decode(Executor *executor, Work *work) {
    TRY(executor_check_dropped(executor));
    executor_make_room(executor);
    const double start = meter_enter(executor, RESOURCE_DECODE);
    if (refuses(executor))
        work->wishes &= ~(unsigned)WISH_DEVICE_DECODE;
    const size_t max = work->share > work->need.frames ? work->share - work->need.frames : 0;
    const Status status = executor->options.tasks->decode(executor->options.context, work, max);
    spans_add(&work->spans, "decode", start, meter_leave(executor, RESOURCE_DECODE, start));
    return status;
}

static void decode_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    const size_t bytes = work_picture_bytes(work);
    work_move(work, WORK_DECODING);
    const Status status = work->road == ROAD_WHOLE ? decode(executor, work) : executor_check_dropped(executor);
    if (status == STATUS_OK) {
        const size_t carried = image_carried_bytes(work->image);
        work->need.carried = carried < work->need.carried ? carried : work->need.carried;
        executor_shrink(executor, work, need_to_filter(&work->need));
    }
    pthread_mutex_lock(&executor->lock);
    if (status == STATUS_OK) {
        const bool packed = work->encoded.bytes.data != NULL;
        work_move(work, packed ? WORK_PACKED : WORK_READY);
        if (work->road == ROAD_WHOLE)
            work->shape = work->image->view.shape; /* a header may say less */
        executor->ahead_bytes += work_picture_bytes(work) - bytes;
        work_queue_push(packed ? &executor->packed : &executor->decoded, work);
        pthread_cond_broadcast(packed ? &executor->decoder : &executor->device);
    } else {
        executor->ahead--;
        executor->ahead_bytes -= bytes;
    }
    pthread_mutex_unlock(&executor->lock);
    if (status != STATUS_OK)
        executor_finish(executor, work, status);
}

/* Decodes a picture that a device has refused. */
static void unpack_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    Status status = executor_check_dropped(executor);
    if (status == STATUS_OK) {
        const double start = meter_enter(executor, RESOURCE_DECODE);
        status = executor_unpack(executor, work);
        spans_add(&work->spans, "decode", start, meter_leave(executor, RESOURCE_DECODE, start));
    }
    if (status != STATUS_OK) {
        executor_finish(executor, work, status);
        return;
    }
    pthread_mutex_lock(&executor->lock);
    work_move(work, WORK_READY);
    executor->ahead++;
    executor->ahead_bytes += work_picture_bytes(work);
    work_queue_push(&executor->decoded, work);
    pthread_cond_signal(&executor->device);
    pthread_mutex_unlock(&executor->lock);
}

static void encode_work(Executor *executor, Thread *thread, Work *work) {
    (void)thread;
    work_move(work, WORK_ENCODING);
    Status status = executor_check_dropped(executor);
    if (status == STATUS_OK) {
        const double start = meter_enter(executor, RESOURCE_ENCODE);
        status = executor->options.tasks->encode(executor->options.context, work);
        spans_add(&work->spans, "encode", start, meter_leave(executor, RESOURCE_ENCODE, start));
    }
    if (status != STATUS_OK) {
        executor_finish(executor, work, status);
        return;
    }
    image_destroy(&work->image);
    bytes_free(&work->encoded.bytes);
    executor_send_to_disk(executor, work);
}

static Status lacks_also_in_strips(size_t bytes, size_t total) {
    char said[512];
    (void)memory_lacks(bytes, total, "filtering it, also in strips,");
    snprintf(said, sizeof said, "%s", status_message());
    return fail(STATUS_INPUT, "%s; --spill FOLDER takes a disk for it", said);
}

/* Measures a picture that passes row by row: strips on their way, and the working memory of both codecs. */
static Status measure_strips(Executor *executor, Work *work) {
    const size_t total = executor->budget.total;
    Need *need = &work->need;
    TRY(need_of_strips(&executor->needs, work->shape, executor->strip_room, need));
    need->decode = need->filter = memory_sum(need->filter, work->by_rows);
    work->road = ROAD_ROWS;
    const size_t bytes = need_to_decode(need, total);
    const bool rows_fit = work->by_rows <= total;
    if (bytes > total && rows_fit && executor->options.spill) {
        work->road = ROAD_SPILLED;
        need->frames = 0;
        need->decode = need->filter = work->by_rows;
    }
    return bytes <= total || work->road == ROAD_SPILLED ? STATUS_OK
           : rows_fit                                   ? lacks_also_in_strips(bytes, total)
                      : memory_lacks(work->by_rows, total, "decoding and encoding it row by row");
}

/* The memory of a gain map as it is moved, and of pictures that are made by it. */
static Status measure_gain_map(const Executor *executor, Work *work) {
    Need *need = &work->need;
    Shape moved;
    if (work->gain_map.channels == 0)
        return STATUS_OK;
    TRY(gain_map_moved_shape(executor->options.chain, work->shape, executor->options.plan, work->gain_map, &moved));
    const size_t rendering = shape_bytes(rendering_shape(need->made, work->gain_map)), copies = 3;
    need->filter = memory_sum(need->filter, shape_bytes(moved));
    need->encode = memory_sum(need->encode, memory_product(copies, shape_bytes(moved)));
    if (work->wishes & WISH_RENDERING)
        need->encode = memory_sum(need->encode, memory_product(copies, rendering));
    return STATUS_OK;
}

/* Measures a picture. STATUS_INPUT if the whole budget is too small for it. */
static Status measure(Executor *executor, Work *work) {
    const size_t total = executor->budget.total;
    if (work->wishes & WISH_ROWS && work->by_rows > 0)
        return measure_strips(executor, work);
    TRY(needs_estimate(&executor->needs, work->shape, &work->need));
    need_to_encode_as(&work->need, work->as, work->further + 1);
    work->need.filter = memory_product(work->need.filter, work->further + 1);
    work->need.decode = work->decoding;
    work->need.carried = memory_sum(work->carried, shape_bytes(work->gain_map));
    TRY(measure_gain_map(executor, work));
    const size_t bytes = need_to_decode(&work->need, total);
    if (bytes <= total || work->by_rows > 0)
        return bytes <= total ? STATUS_OK : measure_strips(executor, work);
    work->need.encode = 0;
    const bool encodes = need_to_decode(&work->need, total) <= total;
    return memory_lacks(bytes, total, encodes ? "encoding it" : "filtering it");
}

/* Opens the next work, if there is one, and measures it. */
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
    (*work)->too_large = status == STATUS_INPUT;
    return status == STATUS_OK ? status : fail_within(status, "%s: ", (*work)->name);
}

/* The caller holds the lock, which this gives back. */
static void open_work(Executor *executor, Thread *thread, Work *work) {
    Opened opened;
    const size_t number = executor->opened++;
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
    if (waits) {
        work_move(work, WORK_PENDING);
        work_queue_push(&executor->pending, work);
    }
    pthread_cond_signal(&executor->codec); /* opening may go on */
    if (executor_is_over(executor))
        executor_wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
    if (ends)
        free(work);
    else if (!waits)
        executor_finish(executor, work, status);
}

static bool may_open(const Executor *executor) {
    const ExecutorOptions *options = &executor->options;
    return !executor->ended && (!options->serial || executor->opening == 0) &&
           (options->in_flight == 0 || executor->in_flight + executor->opening < options->in_flight);
}

/* A codec thread's next step, under the lock; NULL: there is none now. Results come first: they hold most memory, and
 * are nearly done. */
static Step *next_step(Executor *executor, Work **work) {
    *work = work_queue_pop(&executor->filtered);
    if (*work) {
        pthread_cond_broadcast(&executor->space);
        return encode_work;
    }
    *work = work_queue_pop(&executor->refused);
    if (*work)
        return unpack_work;
    if (executor->pending.first) {
        *work = admit(executor, executor->pending.first) ? work_queue_pop(&executor->pending) : NULL;
        return *work ? decode_work : NULL;
    }
    return may_open(executor) ? open_work : NULL;
}

static bool is_spared(const Executor *executor, const Thread *thread) {
    const ExecutorOptions *options = &executor->options;
    return !executor->all_codecs && thread->track - TRACK_CODECS >= options->codecs - options->spared;
}

void *executor_codec_thread(void *argument) {
    Thread *thread = argument;
    Executor *executor = thread->executor;
    image_source_set(&executor->pixels.source);
    pthread_mutex_lock(&executor->lock);
    while (is_spared(executor, thread) && !executor_is_over(executor))
        pthread_cond_wait(&executor->spared, &executor->lock);
    while (!executor_is_over(executor)) {
        Work *work;
        if (interrupted() && !executor->ended) {
            executor->ended = true;
            executor_wake_all(executor);
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
