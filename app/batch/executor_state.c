/* executor_state.c: the executor's queues and meters, and the end of a work. */
#include "app/batch/executor_state.h"

#include "core/base/interrupt.h"

#include <stdlib.h>

enum {
    QUEUE_BYTES = 256 << 20, /* of pictures that wait for a device, and of results that wait for a codec */
    QUEUE_EACH = 4,          /* pictures in a queue for each thread that takes them */
    COMMITS_MAX = 256        /* drafts that wait for the disk: each has two descriptors */
};

/* ---- queues ---- */

static size_t image_bytes(const Work *work) {
    size_t bytes = work->encoded.bytes.size;
    if (work->encoded.bytes.data)
        return bytes;
    for (const Image *image = work->image; image; image = image->next)
        bytes += shape_bytes(image->view.shape);
    return bytes;
}

void work_queue_init(WorkQueue *queue) {
    *queue = (WorkQueue){.last = &queue->first};
}

void work_queue_push(WorkQueue *queue, Work *work) {
    work->next = NULL;
    *queue->last = work;
    queue->last = &work->next;
    queue->count++;
    queue->bytes += image_bytes(work);
}

Work *work_queue_pop(WorkQueue *queue) {
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

Work *executor_take_ahead(Executor *executor, WorkQueue *queue) {
    Work *work = work_queue_pop(queue);
    if (work) {
        executor->ahead--;
        executor->ahead_bytes -= work_picture_bytes(work);
        pthread_cond_signal(&executor->codec);
    }
    return work;
}

bool executor_is_crowded(size_t count, size_t bytes, int takers) {
    return count >= (size_t)takers && (bytes > QUEUE_BYTES || count >= QUEUE_EACH * (size_t)takers);
}

bool executor_is_over(const Executor *executor) {
    return executor->ended && executor->opening == 0 && executor->in_flight == 0;
}

void executor_wake_all(Executor *executor) {
    pthread_cond_t *const conditions[] = {EXECUTOR_CONDITIONS(executor)};
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++)
        pthread_cond_broadcast(conditions[i]);
}

/* ---- meters ---- */

static void begin(Meter *meter, double now) {
    if (meter->active++ == 0)
        meter->since = now;
}

static void end(Meter *meter, double start, double now) {
    meter->sum += now - start;
    if (--meter->active == 0)
        meter->total += now - meter->since;
}

double meter_enter(Executor *executor, int resource) {
    pthread_mutex_lock(&executor->lock);
    const double now = clock_ms();
    begin(&executor->meters[resource], now);
    pthread_mutex_unlock(&executor->lock);
    return now;
}

double meter_leave(Executor *executor, int resource, double start) {
    pthread_mutex_lock(&executor->lock);
    const double now = clock_ms();
    end(&executor->meters[resource], start, now);
    pthread_mutex_unlock(&executor->lock);
    return now;
}

double meter_turn(Executor *executor, int from, double start, int to) {
    pthread_mutex_lock(&executor->lock);
    const double now = clock_ms();
    end(&executor->meters[from], start, now);
    begin(&executor->meters[to], now);
    pthread_mutex_unlock(&executor->lock);
    return now;
}

/* ---- the end of a work ---- */

void executor_finish(Executor *executor, Work *work, Status status) {
    work_move(work, WORK_DONE);
    executor->options.tasks->done(executor->options.context, work, status);
    image_destroy(&work->image);
    bytes_free(&work->encoded.bytes);
    budget_return(&executor->budget, &work->share);
    free(work);
    pthread_mutex_lock(&executor->lock);
    executor->in_flight--;
    pthread_cond_signal(&executor->codec); /* its memory is free */
    if (executor_is_over(executor))
        executor_wake_all(executor);
    pthread_mutex_unlock(&executor->lock);
}

Status executor_check_dropped(Executor *executor) {
    pthread_mutex_lock(&executor->lock);
    const bool dropped = executor->dropped;
    pthread_mutex_unlock(&executor->lock);
    return dropped || interrupted() ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

Status executor_unpack(Executor *executor, Work *work) {
    const Status status = executor->options.tasks->unpack(executor->options.context, work);
    bytes_free(&work->encoded.bytes);
    return status;
}

void executor_shrink(Executor *executor, Work *work, size_t bytes) {
    if (bytes >= work->share)
        return;
    (void)budget_try(&executor->budget, &work->share, bytes);
    pthread_mutex_lock(&executor->lock);
    pthread_cond_signal(&executor->codec);
    pthread_mutex_unlock(&executor->lock);
}

void executor_send_to_disk(Executor *executor, Work *work) {
    work_move(work, WORK_WRITTEN);
    executor_shrink(executor, work, 0);
    pthread_mutex_lock(&executor->lock);
    while (executor->encoded.count >= COMMITS_MAX)
        pthread_cond_wait(&executor->space, &executor->lock);
    work_queue_push(&executor->encoded, work);
    pthread_cond_signal(&executor->disk);
    pthread_mutex_unlock(&executor->lock);
}
