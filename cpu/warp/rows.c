/* rows.c: a warp in tiles, row by row, by the widest instruction set. */
#include "cpu/warp/rows.h"

#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/team.h"

static Status run(Queue *queue, const Stage *stage) {
    static TeamTile *const *const tiles[ISA_LEVELS] = {&warp_tile_portable, &warp_tile_avx2, &warp_tile_avx512};
    const Shape out = stage->out.shape;
    cpu_share_tiles(queue, &(TeamTiles){out.width, out.height, WARP_COLUMNS, WARP_ROWS, NULL, 0}, *tiles[isa_detect()],
                    stage);
    return STATUS_OK;
}

const Level cpu_warp_rows = {
    .op = &op_warp,
    .name = "rows",
    .idea = "places of a run of pixels found by vectors, then a pixel's channels weighed together; only pixels near "
            "edges ask for a place; cores share tiles, whose pixels stay in the cache",
    .run = run,
};
