/* simd.c: a row's pixels in the lanes of a vector, and per tile only the spheres that can touch it. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/row_simd.h"

static Status run(Queue *queue, const Stage *stage) {
    return row_simd_trace(queue, stage, false);
}

const Level cpu_trace_simd = {
    .op = &op_trace,
    .name = "simd",
    .idea = "a row's pixels in the lanes of a vector, tested all at once against the spheres that can touch their "
            "tile",
    .accepts = accepts_sightlines,
    .workspace = row_simd_workspace,
    .run = run,
};
