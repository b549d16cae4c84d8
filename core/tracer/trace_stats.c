/* trace_stats.c: building again and again, and counting once. */
#include "core/tracer/trace_stats.h"

#include "core/base/timing.h"
#include "core/tracer/trace.h"

static Status measure_bvh(Queue *queue, const Scene *scene, int runs, TraceStats *stats) {
    double build[TRACE_STATS_RUNS_MAX], refit[TRACE_STATS_RUNS_MAX];
    const Backend *backend = queue->device->backend;
    for (int i = -1; i < runs; i++) { /* run -1 makes room */
        TRY(backend->mark(queue, 0));
        TRY(backend->trace->build(queue, scene, &stats->build_bytes));
        TRY(backend->mark(queue, 1));
        TRY(backend->trace->refit(queue, scene));
        TRY(backend->mark(queue, 2));
        TRY(backend->sync(queue));
        if (i < 0)
            continue;
        TRY(backend->elapsed(queue, 0, 1, &build[i]));
        TRY(backend->elapsed(queue, 1, 2, &refit[i]));
    }
    stats->build_ms = quantile(build, (size_t)runs, 0.5);
    stats->refit_ms = quantile(refit, (size_t)runs, 0.5);
    return STATUS_OK;
}

Status trace_stats_measure(Queue *queue, const Stage *stage, int runs, TraceStats *stats) {
    const Backend *backend = queue->device->backend;
    *stats = (TraceStats){0};
    if (!backend->trace)
        return STATUS_OK;
    TRY(measure_bvh(queue, trace_job(stage)->scene, runs, stats));
    return backend->trace->count_rays(queue, stage, &stats->counters);
}
