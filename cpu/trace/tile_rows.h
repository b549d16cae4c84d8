/* tile_rows.h: a trace shared out among the cores tile by tile, for levels that define World, world_closest_hit and
 * world_any_hit. */
#ifndef GLINT_CPU_TRACE_TILE_ROWS_H
#define GLINT_CPU_TRACE_TILE_ROWS_H

#include "core/device/backend.h"
#include "cpu/team.h"
#include "cpu/trace/lighting.h"
#include "cpu/trace/shade_pixel.h"

enum { TRACE_COLUMNS = 64, TRACE_ROWS = 16 }; /* blocks of a tile */

/* The tile of a part whose upper left block is (x, y). */
static inline Part part_tile(Part part, size_t x, size_t y) {
    const size_t left = x * part.coarseness, top = y * part.coarseness;
    const size_t width = TRACE_COLUMNS * part.coarseness, height = TRACE_ROWS * part.coarseness;
    return (Part){part.left + left, part.top + top, part.width - left < width ? part.width - left : width,
                  part.height - top < height ? part.height - top : height, part.coarseness};
}

/* The tiles of a part for cpu_share_tiles. */
static inline TeamTiles part_tiles(Part part) {
    return (TeamTiles){
        (part.width + part.coarseness - 1) / part.coarseness, part_rows(part), TRACE_COLUMNS, TRACE_ROWS, NULL, 0};
}

typedef struct TraceTiles {
    const Queue *queue;
    const Stage *stage;
    const World *world;
    ShadingContext context;
    Part part;
} TraceTiles;

/* A row may take long: each looks whether to stop. */
static inline void trace_tile_rows(const void *job, size_t x, size_t y, void *scratch) {
    const TraceTiles *tiles = job;
    const Part tile = part_tile(tiles->part, x, y);
    (void)scratch;
    for (size_t row = 0; row < part_rows(tile) && !queue_stops(tiles->queue); row++)
        trace_row(tiles->stage, tiles->world, &tiles->context, tile, row);
}

/* The whole trace. */
static inline Status trace_tiles(Queue *queue, const Stage *stage, const World *world) {
    TraceTiles tiles = {.queue = queue, .stage = stage, .world = world, .part = trace_part(stage)};
    const TeamTiles cut = part_tiles(tiles.part);
    TRY(cpu_lighting(queue, trace_job(stage)->scene, &tiles.context));
    cpu_share_tiles(queue, &cut, trace_tile_rows, &tiles);
    return STATUS_OK;
}

#endif
