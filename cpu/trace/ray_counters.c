/* ray_counters.c: the traversal of bvh, compiled with counting: what a picture's rays cost. */
#define RAY_COUNTERS
#include "cpu/trace/ray_counters.h"

#include "cpu/trace/bvh2_traversal.h"

static void count_row(const Stage *stage, World *world, const ShadingContext *context, Part part, size_t row) {
    const int channels = stage->out.shape.channels;
    unsigned char *pixel = (unsigned char *)view_row(stage->out, part.top + row) + part.left * (size_t)channels;
    const Shape shape = stage->out.shape;
    if (trace_job(stage)->look != LOOK_NODES) {
        trace_row(stage, world, context, part, row);
        return;
    }
    for (size_t px = part.left; px < part.left + part.width; px++, pixel += channels) {
        const uint64_t before = world->counters->counts[COUNTER_NODES];
        RAY_COUNT(world, CAMERA_RAYS);
        (void)world_closest_hit(world,
                                camera_ray(trace_job(stage)->camera, px, part.top + row, shape.width, shape.height));
        look_heat(world->counters->counts[COUNTER_NODES] - before, channels, pixel);
    }
}

static Status count(Queue *queue, const Stage *stage, RayCounters *counters) {
    const Part part = trace_part(stage);
    World shared;
    ShadingContext context;
    *counters = (RayCounters){{0}};
    TRY(world_over(queue, trace_job(stage)->scene, &shared));
    TRY(shading_context_create(trace_job(stage)->scene, &context));
#pragma omp parallel num_threads(queue->device->threads)
    {
        RayCounters own = {{0}};
        World world = shared;
        world.counters = &own;
#pragma omp for schedule(dynamic, 8)
        for (long y = 0; y < (long)part_rows(part); y++)
            count_row(stage, &world, &context, part, (size_t)y);
#pragma omp critical
        for (int i = 0; i < COUNTERS; i++)
            counters->counts[i] += own.counts[i];
    }
    shading_context_free(&context);
    return STATUS_OK;
}

Status cpu_heat(Queue *queue, const Stage *stage) {
    RayCounters ignored;
    return count(queue, stage, &ignored);
}

Status cpu_count_rays(Queue *queue, const Stage *stage, RayCounters *counters) {
    cache_begin(queue);
    const Status status = count(queue, stage, counters);
    cache_end(queue);
    return status;
}
