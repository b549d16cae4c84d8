/* trace_stats.h: ray statistics of a trace.
 * Owns rays by kind, nodes visited, primitives tested, and the build and refit times of the BVH. */
#ifndef GLINT_CORE_TRACER_TRACE_STATS_H
#define GLINT_CORE_TRACER_TRACE_STATS_H

#include "core/device/backend.h"
#include "core/math/ray_counters.h"

typedef struct TraceStats {
    RayCounters counters; /* of a run; all 0: not counted */
    double build_ms;      /* of the scene's BVH, the median; 0: there is none */
    double refit_ms;      /* the same, around spheres that have moved */
    size_t build_bytes;   /* of the BVH, as tracing reads it */
} TraceStats;

/* Measures all of it: the BVH by so many runs, 1 to TRACE_STATS_RUNS_MAX. The stage is a trace whose frame is
 * bound; the frame gets its picture. */
enum { TRACE_STATS_RUNS_MAX = 16 };
Status trace_stats_measure(Queue *queue, const Stage *stage, int runs, TraceStats *stats);

#endif
