/* reference.c: the definition of the trace operation in double precision.
 * The nearest sphere or triangle on a ray, the first of equals. Never optimized. */
#include "cpu/trace/accepts.h"
#include "cpu/trace/exact.h"

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

const Level cpu_trace_reference = {
    .op = &op_trace,
    .name = "reference",
    .idea = "every pixel against every sphere in double precision: slow, readable, what every other level is checked "
            "against",
    .accepts = accepts_flat,
    .run = run,
};
