/* simd.c: non-local means by vectors, tile by tile. */
#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/nlmeans/tile.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

/* A tile's planes and its workspace (tile_real.h): 10 planes of sums, and squared differences. */
static size_t tile_bytes(const Stage *stage) {
    const size_t planes =
        (size_t)stage->in[0].shape.channels * nlmeans_pitch(nlmeans_job(stage)) * nlmeans_rows(nlmeans_job(stage));
    const size_t width = NLMEANS_COLUMNS + 2 * NLMEANS_PATCH_MAX + 16;
    const size_t work =
        (size_t)10 * NLMEANS_ROWS * NLMEANS_COLUMNS + (NLMEANS_ROWS + 2 * NLMEANS_PATCH_MAX + 1) * width;
    return ((planes + work) * (stage->in[0].shape.type == PIXEL_U16 ? sizeof(double) : sizeof(float)) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * tile_bytes(stage);
}

typedef struct Shared {
    const Stage *job;
    NlmeansTile *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    static NlmeansTile *const *const tiles[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &nlmeans_tile_portable,
        [ISA_LEVEL_AVX2] = &nlmeans_tile_avx2,
        [ISA_LEVEL_AVX512] = &nlmeans_tile_avx512,
    };
    const Shared shared = {stage, *tiles[isa_detect()]};
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue,
                    &(TeamTiles){shape.width, shape.height, NLMEANS_COLUMNS, NLMEANS_ROWS, scratch, tile_bytes(stage)},
                    run_tile, &shared);
    return STATUS_OK;
}

const Level cpu_nlmeans_simd = {
    .op = &op_nlmeans,
    .name = "simd",
    .idea = "offset by offset over a tile: squared differences once, summed up down columns and along rows by vectors",
    .workspace = workspace,
    .run = run,
};
