/* bvh.c: each ray traverses a binary BVH by itself (cpu/trace/traverse.h). */
#include "cpu/trace/ray_counters.h"
#include "cpu/trace/traverse.h"

static Status run(Device *device, const Stage *stage) {
    const Part part = trace_part(stage);
    World world;
    Setting setting;
    RayCounters ignored;
    if (trace_job(stage)->look == LOOK_NODES)
        return cpu_count_rays(device, stage, &ignored);
    TRY(world_over(device, trace_job(stage)->scene, &world));
    TRY(setting_create(trace_job(stage)->scene, &setting));
#pragma omp parallel for num_threads(device->threads) schedule(dynamic, 8)
    for (long y = 0; y < (long)part_rows(part); y++)
        trace_row(stage, &world, &setting, part, (size_t)y);
    setting_free(&setting);
    return STATUS_OK;
}

const Level cpu_trace_bvh = {
    .op = &op_trace,
    .name = "bvh",
    .idea = "a binary tree of boxes: a ray visits only what lies in boxes that it enters, the nearer of two children "
            "first",
    .run = run,
};
