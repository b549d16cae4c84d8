/* rays.c: building again and again, and counting once. */
#include "core/rays.h"

#include "core/ops/trace.h"
#include "core/timing.h"

static Status measure_hierarchy(Queue *queue, const Scene *scene, int runs, Rays *rays) {
    double build[RAYS_RUNS_MAX], refit[RAYS_RUNS_MAX];
    const Backend *backend = queue->device->backend;
    for (int i = -1; i < runs; i++) { /* run -1 makes room */
        TRY(backend->mark(queue, 0));
        TRY(backend->build(queue, scene, &rays->build_bytes));
        TRY(backend->mark(queue, 1));
        TRY(backend->refit(queue, scene));
        TRY(backend->mark(queue, 2));
        TRY(backend->sync(queue));
        if (i < 0)
            continue;
        TRY(backend->elapsed(queue, 0, 1, &build[i]));
        TRY(backend->elapsed(queue, 1, 2, &refit[i]));
    }
    rays->build_ms = quantile(build, (size_t)runs, 0.5);
    rays->refit_ms = quantile(refit, (size_t)runs, 0.5);
    return STATUS_OK;
}

Status rays_measure(Queue *queue, const Stage *stage, int runs, Rays *rays) {
    const Backend *backend = queue->device->backend;
    *rays = (Rays){0};
    if (backend->build)
        TRY(measure_hierarchy(queue, trace_job(stage)->scene, runs, rays));
    return backend->count_rays ? backend->count_rays(queue, stage, &rays->counters) : STATUS_OK;
}
