/* backend.c: the registry of backends, and ladders looked up by name. */
#include "core/device/backend.h"

#include "core/base/block_pool.h"
#include "core/base/memory.h"
#include "core/base/stop.h"
#include "core/device/tuned.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The backends that the program registers when it starts; nothing changes them afterwards. */
static const Backend *registered[BACKENDS_MAX];
static size_t registered_count;
static struct { const char *name, *why; } absent[BACKENDS_MAX];
static size_t absent_count;

size_t backend_count(void) {
    return registered_count;
}
const Backend *backend_at(size_t index) {
    return registered[index];
}

const Backend *backend_by_name(const char *name) {
    for (size_t i = 0; i < registered_count; i++)
        if (strcmp(registered[i]->name, name) == 0)
            return registered[i];
    return NULL;
}

Status backend_register(const Backend *backend) {
    if (backend_by_name(backend->name) || strcmp(backend->name, "auto") == 0)
        return fail(STATUS_USAGE, "backend %s: there is one of that name", backend->name);
    if (registered_count == BACKENDS_MAX)
        return fail(STATUS_USAGE, "backend %s: no more than %d can be registered", backend->name, BACKENDS_MAX);
    registered[registered_count++] = backend;
    return STATUS_OK;
}

void backend_note_absent(const char *name, const char *why) {
    if (absent_count == BACKENDS_MAX)
        return;
    absent[absent_count].name = name;
    absent[absent_count++].why = why;
}

size_t backend_names(char *buffer, size_t size) {
    size_t length = (size_t)snprintf(buffer, size, "auto");
    const size_t count = registered_count + absent_count;
    for (size_t i = 0; i < count; i++) {
        const size_t at = length < size ? length : size;
        length += (size_t)snprintf(buffer + at, size - at, "%s%s", i + 1 < count ? ", " : " or ",
                                   i < registered_count ? registered[i]->name : absent[i - registered_count].name);
    }
    return length;
}

const Telemetry *backend_telemetry(const Backend *backend) {
    static const Telemetry none;
    return backend->telemetry ? backend->telemetry : &none;
}

/* A line of the list of those that "auto" passed over. */
static void pass_over(char *lines, size_t size, const char *name, const char *why) {
    const size_t length = strlen(lines);
    snprintf(lines + length, size - length, "%s%s: %s", length > 0 ? "\n" : "", name, why);
}

static Status open_best(int index, int threads, Device **device, char *lines, size_t size) {
    for (size_t i = absent_count; i-- > 0;)
        pass_over(lines, size, absent[i].name, absent[i].why);
    for (size_t i = registered_count; i-- > 0;) {
        const Backend *backend = registered[i];
        const Status status = backend->open(backend->host_frames ? 0 : index, threads, device);
        if (status != STATUS_DEVICE)
            return status;
        pass_over(lines, size, backend->name, status_message());
    }
    return fail(STATUS_DEVICE, "no backend works here: %s", lines[0] ? lines : "none is registered");
}

void backends_prepare(int connections) {
    for (size_t i = 0; i < registered_count; i++)
        if (registered[i]->prepare)
            registered[i]->prepare(connections);
}

Status backend_open(const char *name, int index, int threads, Device **device, const char **passed_over) {
    static _Thread_local char lines[1024];
    char names[256];
    *device = NULL;
    *passed_over = NULL;
    lines[0] = '\0';
    if (strcmp(name, "auto") == 0) {
        TRY(open_best(index, threads, device, lines, sizeof lines));
        *passed_over = lines[0] ? lines : NULL;
        return STATUS_OK;
    }
    const Backend *backend = backend_by_name(name);
    if (backend)
        return backend->open(index, threads, device);
    for (size_t i = 0; i < absent_count; i++)
        if (strcmp(absent[i].name, name) == 0)
            return fail(STATUS_DEVICE, "backend %s: %s", name, absent[i].why);
    backend_names(names, sizeof names);
    return fail(STATUS_USAGE, "backend \"%s\": want %s", name, names);
}

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

const Level *ladder_level(const Backend *backend, const Op *op, size_t index) {
    for (size_t i = 0; i < backend->level_count; i++)
        if (backend->levels[i]->op == op && index-- == 0)
            return backend->levels[i];
    return NULL;
}

size_t ladder_count(const Backend *backend, const Op *op) {
    size_t count = 0;
    while (ladder_level(backend, op, count))
        count++;
    return count;
}

const Level *level_by_name(const Backend *backend, const Op *op, const char *name) {
    const Level *level;
    for (size_t i = 0; (level = ladder_level(backend, op, i)); i++)
        if (strcmp(level->name, name) == 0)
            return level;
    return NULL;
}

bool level_accepts(const Level *level, const Device *device, const Stage *stage, const char **why_not) {
    const Stage alone = stage_alone(stage);
    *why_not = NULL;
    return !level->accepts || level->accepts(device, &alone, why_not);
}

size_t level_workspace(const Level *level, const Device *device, const Stage *stage) {
    return level->workspace ? level->workspace(device, stage) : 0;
}

bool queue_stops(const Queue *queue) {
    return queue->stop && atomic_load_explicit(&queue->stop->asked, memory_order_relaxed);
}

Status level_run(const Level *level, Queue *queue, const Stage *stage) {
    queue->workspace = 0;
    cache_begin(queue);
    const Status status = level->run(queue, stage);
    cache_end(queue);
    return status;
}

/* Whether best may take it. */
static bool is_candidate(const Level *level, const Device *device, const Stage *stage) {
    const char *why_not;
    return !level->raced && level_accepts(level, device, stage, &why_not);
}

/* By what was measured on the device, or by what levels predict; NULL where that says nothing. */
static const Level *level_fastest(const Device *device, const Stage *stage, const Tuned *tuned) {
    const Level *fastest = NULL, *level;
    double least = INFINITY;
    const Features features = tuned ? stage_features(stage) : (Features){.kind = ""};
    for (size_t i = 0; (level = ladder_level(device->backend, stage->op, i)); i++) {
        const double time = tuned              ? tuned_estimate(tuned, level, &features)
                            : level->predictor ? level->predictor->predict(level, stage)
                                               : INFINITY;
        /* of equals, the higher rung */
        if (time >= 0 && time < INFINITY && time <= least && is_candidate(level, device, stage)) {
            fastest = level;
            least = time;
        }
    }
    return fastest;
}

const Level *level_best(const Device *device, const Stage *stage) {
    const Stage alone = stage_alone(stage);
    const Level *best = device->tuned ? level_fastest(device, &alone, device->tuned) : NULL, *level;
    best = best ? best : level_fastest(device, &alone, NULL);
    for (size_t i = ladder_count(device->backend, stage->op); !best && i-- > 0;) {
        level = ladder_level(device->backend, stage->op, i);
        best = is_candidate(level, device, stage) ? level : NULL;
    }
    return best;
}

const Backend *backend_of_reference(const Op *op) {
    for (size_t i = 0; i < registered_count; i++)
        if (level_by_name(registered[i], op, "reference"))
            return registered[i];
    return NULL;
}

const Level *level_reference(const Op *op) {
    const Backend *backend = backend_of_reference(op);
    return backend ? level_by_name(backend, op, "reference") : NULL;
}
