/* naive.c: every pixel against every sphere, one thread. */
#include "core/stop.h"
#include "cpu/trace/accepts.h"
#include "cpu/trace/brute_force.h"

static Status run(Queue *queue, const Stage *stage) {
    const World world = {trace_job(stage)->scene};
    const Part part = trace_part(stage);
    ShadingContext context;
    TRY(shading_context_create(trace_job(stage)->scene, &context));
    for (size_t y = 0; y < part_rows(part) && !queue_stops(queue); y++)
        trace_row(stage, &world, &context, part, y);
    shading_context_free(&context);
    return STATUS_OK;
}

const Level cpu_trace_naive = {
    .op = &op_trace,
    .name = "naive",
    .idea = "one thread, every pixel against every sphere in single precision",
    .accepts = accepts_flat,
    .run = run,
};
