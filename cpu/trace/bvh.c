/* bvh.c: each ray traverses a binary BVH by itself (cpu/trace/bvh2_traversal.h). */
#include "cpu/trace/bvh2_traversal.h"
#include "cpu/trace/ray_counters.h"

static Status run(Queue *queue, const Stage *stage) {
    const Part part = trace_part(stage);
    World world;
    ShadingContext context;
    if (trace_job(stage)->look == LOOK_NODES)
        return cpu_heat(queue, stage);
    TRY(world_over(queue, trace_job(stage)->scene, &world));
    TRY(shading_context_create(trace_job(stage)->scene, &context));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic, 8)
    for (long y = 0; y < (long)part_rows(part); y++)
        trace_row(stage, &world, &context, part, (size_t)y);
    shading_context_free(&context);
    return STATUS_OK;
}

const Level cpu_trace_bvh = {
    .op = &op_trace,
    .name = "bvh",
    .idea = "a binary tree of boxes: a ray visits only what lies in boxes that it enters, the nearer of two children "
            "first",
    .run = run,
};
