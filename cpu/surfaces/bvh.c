/* bvh.c: surfaces through the binary BVH (cpu/trace/bvh2_traversal.h). */
#include "cpu/trace/bvh2_traversal.h"

#include "cpu/surfaces/rows.h"

static Status run(Queue *queue, const Stage *stage) {
    World world;
    TRY(world_over(queue, surfaces_job(stage)->scene, &world));
    return surfaces_make(queue, stage, &world);
}

const Level cpu_surfaces_bvh = {
    .op = &op_surfaces,
    .name = "bvh",
    .idea = "a binary tree of boxes: a ray visits only the contents of boxes that it enters",
    .run = run,
};
