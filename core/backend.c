/* backend.c: the list of backends, and ladders looked up by name. */
#include "core/backend.h"

#include "core/tuned.h"

#include <math.h>
#include <string.h>

extern const Backend cpu_backend;
#ifdef GLINT_HAS_CUDA
extern const Backend cuda_backend;
#endif

const Backend *const backends[] = {
    &cpu_backend,
#ifdef GLINT_HAS_CUDA
    &cuda_backend,
#endif
};
const size_t backend_count = sizeof backends / sizeof backends[0];

const Backend *backend_by_name(const char *name) {
    for (size_t i = 0; i < backend_count; i++)
        if (strcmp(backends[i]->name, name) == 0)
            return backends[i];
    return NULL;
}

Status backend_open(const char *name, int index, int threads, Device **device, const char **why_not_cuda) {
    static _Thread_local char reason[512];
    *device = NULL;
    *why_not_cuda = NULL;
    if (strcmp(name, "auto") == 0) {
        const Backend *cuda = backend_by_name("cuda");
        if (cuda && cuda->open(index, threads, device) == STATUS_OK)
            return STATUS_OK;
        strncpy(reason, cuda ? status_message() : "this glint was built without CUDA", sizeof reason - 1);
        *why_not_cuda = reason;
        return backends[0]->open(0, threads, device);
    }
    const Backend *backend = backend_by_name(name);
    if (backend)
        return backend->open(index, threads, device);
    if (strcmp(name, "cuda") == 0)
        return fail(STATUS_DEVICE, "backend cuda: this glint was built without CUDA; build it where nvcc is on PATH");
    return fail(STATUS_USAGE, "backend \"%s\": want auto, cpu or cuda", name);
}

void device_init(Device *device, const Backend *backend) {
    device->backend = backend;
    cache_init(&device->cache);
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
    old->backend->close(device);
}

Status queue_open(Device *device, Queue **queue) {
    Status status = STATUS_OK;
    cache_lock(&device->cache);
    *queue = device->idle;
    if (*queue)
        device->idle = (*queue)->next;
    else
        status = device->backend->queue_create(device, queue);
    if (status == STATUS_OK) {
        (*queue)->device = device;
        (*queue)->next = device->queues;
        device->queues = *queue;
    }
    cache_unlock(&device->cache);
    return status;
}

void queue_close(Queue **queue) {
    Queue *old = *queue;
    *queue = NULL;
    if (!old)
        return;
    Device *device = old->device;
    (void)device->backend->sync(old); /* what failed there is nobody's any more */
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
    *why_not = NULL;
    return !level->accepts || level->accepts(device, stage, why_not);
}

Status level_run(const Level *level, Queue *queue, const Stage *stage) {
    cache_begin(queue);
    const Status status = level->run(queue, stage);
    cache_end(queue);
    return status;
}

/* By what was measured on the device, or by what levels predict; NULL where that says nothing. */
static const Level *level_fastest(const Device *device, const Stage *stage, const Tuned *tuned) {
    const Level *fastest = NULL, *level;
    const char *why_not;
    double least = INFINITY;
    const Features features = tuned ? stage_features(stage) : (Features){.kind = ""};
    for (size_t i = 0; (level = ladder_level(device->backend, stage->op, i)); i++) {
        const double time = tuned              ? tuned_estimate(tuned, level, &features)
                            : level->predictor ? level->predictor->predict(level, stage)
                                               : INFINITY;
        /* of equals, the higher rung */
        if (time >= 0 && time < INFINITY && time <= least && level_accepts(level, device, stage, &why_not)) {
            fastest = level;
            least = time;
        }
    }
    return fastest;
}

const Level *level_best(const Device *device, const Stage *stage) {
    const Level *best = device->tuned ? level_fastest(device, stage, device->tuned) : NULL, *level;
    const char *why_not;
    best = best ? best : level_fastest(device, stage, NULL);
    for (size_t i = ladder_count(device->backend, stage->op); !best && i-- > 0;) {
        level = ladder_level(device->backend, stage->op, i);
        best = level_accepts(level, device, stage, &why_not) ? level : NULL;
    }
    return best;
}

const Level *level_reference(const Op *op) {
    return level_by_name(&cpu_backend, op, "reference");
}
