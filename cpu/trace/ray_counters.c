/* ray_counters.c: the traversal of bvh, compiled with counting: the costs of a picture's rays. */
#define RAY_COUNTERS
#include "cpu/trace/ray_counters.h"

#include "core/device/cache.h"
#include "cpu/scratch.h"
#include "cpu/trace/bvh2_traversal.h"

#include "cpu/trace/tile_rows.h"

/* A thread's: its counters are no other's. */
typedef struct Counting {
    _Alignas(64) World world;
    RayCounters counters;
} Counting;

static void count_row(const Stage *stage, const World *world, const ShadingContext *context, Part part, size_t row) {
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

static void count_tile(const void *job, size_t x, size_t y, void *scratch) {
    const TraceTiles *tiles = job;
    const Counting *counting = scratch;
    const Part tile = part_tile(tiles->part, x, y);
    for (size_t row = 0; row < part_rows(tile); row++)
        count_row(tiles->stage, &counting->world, &tiles->context, tile, row);
}

static Status count(Queue *queue, const Stage *stage, RayCounters *counters) {
    const size_t threads = (size_t)queue->device->threads;
    TraceTiles tiles = {.stage = stage, .part = trace_part(stage)};
    World world;
    void *memory;
    TRY(world_over(queue, trace_job(stage)->scene, &world));
    TRY(cpu_scratch(queue, threads * sizeof(Counting), &memory));
    TRY(cpu_lighting(queue, trace_job(stage)->scene, &tiles.context));
    Counting *countings = memory;
    for (size_t i = 0; i < threads; i++) {
        countings[i] = (Counting){world, {{0}}};
        countings[i].world.counters = &countings[i].counters;
    }
    TeamTiles cut = part_tiles(tiles.part);
    cut.scratch = memory;
    cut.bytes = sizeof(Counting);
    cpu_share_tiles(queue, &cut, count_tile, &tiles);
    *counters = (RayCounters){{0}};
    for (size_t i = 0; i < threads; i++)
        for (int k = 0; k < COUNTERS; k++)
            counters->counts[k] += countings[i].counters.counts[k];
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
