/* threads.c: the same, the rows shared out among the cores. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/brute_force.h"

static Status run(Queue *queue, const Stage *stage) {
    const World world = {trace_job(stage)->scene};
    const Part part = trace_part(stage);
    ShadingContext context;
    TRY(shading_context_create(trace_job(stage)->scene, &context));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long y = 0; y < (long)part_rows(part); y++)
        trace_row(stage, &world, &context, part, (size_t)y);
    shading_context_free(&context);
    return STATUS_OK;
}

const Level cpu_trace_threads = {
    .op = &op_trace,
    .name = "threads",
    .idea = "the same, the rows shared out among the cores",
    .accepts = accepts_flat,
    .run = run,
};
