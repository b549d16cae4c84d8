/* bvh.c: each ray traverses a binary BVH by itself (cpu/trace/bvh2_traversal.h). */
#include "cpu/trace/bvh2_traversal.h"
#include "cpu/trace/ray_counters.h"
#include "cpu/trace/tile_rows.h"

static Status run(Queue *queue, const Stage *stage) {
    World world;
    if (trace_job(stage)->look == LOOK_NODES)
        return cpu_heat(queue, stage);
    TRY(world_over(queue, trace_job(stage)->scene, &world));
    return trace_tiles(queue, stage, &world);
}

const Level cpu_trace_bvh = {
    .op = &op_trace,
    .name = "bvh",
    .idea = "a binary tree of boxes: a ray visits only the contents of boxes that it enters, the nearer of two "
            "children first",
    .run = run,
};
