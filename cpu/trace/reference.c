/* reference.c: the definition of the trace operation in double precision.
 * The nearest primitive on a ray, the first of equals. Never optimized. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/exact.h"

#include "cpu/trace/tile_rows.h"

static Status run(Queue *queue, const Stage *stage) {
    const World world = {trace_job(stage)->scene};
    return trace_tiles(queue, stage, &world);
}

const Level cpu_trace_reference = {
    .op = &op_trace,
    .name = "reference",
    .idea =
        "every pixel against every sphere in double precision: slow, readable; every other level is checked against it",
    .accepts = accepts_flat,
    .run = run,
};
