/* traced_rows.h: a scene's picture as rows that come one after the other: those that are larger than memory.
 * Owns the bands in which it is traced: each, with all its samples, by a pipeline whose frames hold no more. */
#ifndef GLINT_CORE_RUN_TRACED_ROWS_H
#define GLINT_CORE_RUN_TRACED_ROWS_H

#include "core/image/rows.h"
#include "core/run/strips.h"
#include "core/tracer/progressive.h"

typedef struct TracedRows {
    RowSource source; /* first, so that a RowSource is ours; its close is traced_rows_close */
    Pipeline *pipeline;
    Progressive progressive; /* of the band under way, or of the last one */
    Spans *spans;            /* borrowed; to be set before rows are read */
    Image *band;             /* rows `begin` to before `end` of the picture */
    size_t begin, end, next; /* next: the row that is read next */
    size_t traced;           /* rows in all, every time that the source was rewound included */
    /* Told after each step, to show how far it is; or NULL. */
    void (*step)(void *context, const struct TracedRows *rows);
    void *context;
} TracedRows;

/* Opens a source of the picture that plan_trace makes of this job: the same, bit for bit. Its frames take about
 * `wanted` bytes. No noise is removed: that looks at all of the picture. Reads end with STATUS_INTERRUPTED once a
 * signal was caught. Fails as plan_trace and pipeline_create do. */
Status traced_rows_open(Device *device, TraceJob job, float exposure, Shape shape, PlanOptions options,
                        const char *level, StripRoom room, TracedRows *rows);
/* The host's memory that it takes. */
size_t traced_rows_memory(const TracedRows *rows);
/* Accepts a zeroed one. */
void traced_rows_close(TracedRows *rows);

#endif
