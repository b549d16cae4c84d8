/* sorted.c: as simd, the spheres sorted front to back. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/measured.h"
#include "cpu/trace/row_simd.h"

static Status run(Queue *queue, const Stage *stage) {
    return row_simd_trace(queue, stage, true);
}

const Level cpu_trace_sorted = {
    .op = &op_trace,
    .name = "sorted",
    .idea = "the spheres sorted front to back: pixels stop when all spheres that are left lie behind their hit",
    .accepts = accepts_sightlines,
    .predictor = &cpu_trace_measured,
    .workspace = row_simd_workspace,
    .run = run,
};
