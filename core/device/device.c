/* device.c: devices and their queues, from the first use to the last, and frames that serve again. */
#include "core/base/block_pool.h"
#include "core/base/memory.h"
#include "core/device/backend.h"
#include "core/device/cache.h"
#include "core/device/tuned.h"

#include <math.h>
#include <stdlib.h>

void device_init(Device *device, const Backend *backend) {
    device->backend = backend;
    cache_init(&device->cache);
}

/* ---- frames that serve again ---- */

/* As a frame of rows of 4 KiB, which every backend has at this size. */
static Frame plain_frame(void *memory, size_t bytes) {
    enum { ROW = 4096 };
    return (Frame){{ROW, bytes / ROW + (bytes % ROW > 0), 1, PIXEL_U8}, ROW, memory};
}

static Status make_frame(void *context, size_t bytes, void **memory) {
    Device *device = context;
    Frame frame;
    TRY(device->backend->frame_create(device, plain_frame(NULL, bytes).shape, &frame));
    *memory = frame.pixels;
    return STATUS_OK;
}

static void drop_frame(void *context, void *memory, size_t bytes) {
    Device *device = context;
    Frame frame = plain_frame(memory, bytes);
    device->backend->frame_destroy(device, &frame);
}

Status device_keep_frames(Device *device, size_t bytes) {
    if (!device->backend->frame_stride || !device->backend->frame_clear)
        return STATUS_OK;
    if (!device->pool) {
        device->pool = calloc(1, sizeof *device->pool);
        if (!device->pool)
            return fail(STATUS_DEVICE, "no memory for a pool of frames");
        *device->pool = (BlockPool){.make = make_frame, .drop = drop_frame, .context = device};
        block_pool_init(device->pool, bytes);
    }
    block_pool_limit(device->pool, bytes);
    return STATUS_OK;
}

static void drop_pool(Device *device) {
    if (device->pool)
        block_pool_free(device->pool);
    free(device->pool);
    device->pool = NULL;
}

Status device_frame_create(Device *device, Shape shape, Frame *frame) {
    const Backend *backend = device->backend;
    bool fresh;
    if (!device->pool)
        return backend->frame_create(device, shape, frame);
    *frame = (Frame){0};
    TRY(shape_check(shape));
    Frame made = {shape, backend->frame_stride(shape), NULL};
    TRY(block_pool_take(device->pool, memory_product(made.stride, shape.height), &made.pixels, &fresh));
    const Status status = fresh ? STATUS_OK : backend->frame_clear(device, made);
    if (status == STATUS_OK)
        *frame = made;
    else
        block_pool_give(device->pool, made.pixels);
    return status;
}

void device_frame_destroy(Device *device, Frame *frame) {
    if (!device->pool) {
        device->backend->frame_destroy(device, frame);
        return;
    }
    block_pool_give(device->pool, frame->pixels);
    *frame = (Frame){0};
}

void device_close(Device **device) {
    Device *old = *device;
    if (!old)
        return;
    while (old->idle) {
        Queue *queue = old->idle;
        old->idle = queue->next;
        old->backend->queue_destroy(&queue);
    }
    tuned_destroy(&old->tuned);
    cache_free(old);
    drop_pool(old);
    old->backend->close(device);
}

/* Making one takes milliseconds: many threads do that at once. */
Status queue_open(Device *device, Queue **queue) {
    cache_lock(&device->cache);
    *queue = device->idle;
    if (*queue)
        device->idle = (*queue)->next;
    cache_unlock(&device->cache);
    if (!*queue)
        TRY(device->backend->queue_create(device, queue));
    cache_lock(&device->cache);
    (*queue)->device = device;
    (*queue)->stop = NULL;
    (*queue)->next = device->queues;
    device->queues = *queue;
    cache_unlock(&device->cache);
    return STATUS_OK;
}

void queue_close(Queue **queue) {
    Queue *old = *queue;
    *queue = NULL;
    if (!old)
        return;
    Device *device = old->device;
    (void)device->backend->sync(old); /* a failure there is nobody's any more */
    cache_lock(&device->cache);
    cache_leave(old);
    for (Queue **at = &device->queues; *at; at = &(*at)->next)
        if (*at == old) {
            *at = old->next;
            break;
        }
    old->next = device->idle;
    device->idle = old;
    cache_unlock(&device->cache);
}

/* ---- time ---- */

Status queue_mark(Queue *queue, int mark) {
    queue->told_at[mark] = queue->told;
    return queue->device->backend->mark(queue, mark);
}

Status queue_elapsed(Queue *queue, int from, int to, double *ms) {
    const Told *begin = &queue->told_at[from], *end = &queue->told_at[to];
    const double own = end->own - begin->own, wall = end->wall - begin->wall;
    TRY(queue->device->backend->elapsed(queue, from, to, ms));
    if (queue->device->backend->timeless)
        *ms = (double)NAN;
    if (end->told == begin->told)
        return STATUS_OK;
    *ms = end->told - begin->told == end->runs - begin->runs ? own : fmax(*ms - wall, 0) + own;
    return STATUS_OK;
}

void queue_tell(Queue *queue, double own, double wall) {
    queue->told.told++;
    queue->told.own += own;
    queue->told.wall += wall;
}
