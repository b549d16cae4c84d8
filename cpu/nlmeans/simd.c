/* simd.c: non-local means by vectors, tile by tile. */
#include "core/backend.h"
#include "cpu/isa.h"
#include "cpu/nlmeans/tile.h"
#include "cpu/scratch.h"

#include <omp.h>

/* A tile's planes and what it works with (tile_real.h): 10 planes of sums, and squared differences. */
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

static Status run(Queue *queue, const Stage *stage) {
    static NlmeansTile *const *const tiles[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &nlmeans_tile_portable,
        [ISA_LEVEL_AVX2] = &nlmeans_tile_avx2,
        [ISA_LEVEL_AVX512] = &nlmeans_tile_avx512,
    };
    NlmeansTile *const tile = *tiles[isa_detect()];
    const Shape shape = stage->out.shape;
    const size_t bytes = tile_bytes(stage);
    const size_t across = (shape.width + NLMEANS_COLUMNS - 1) / NLMEANS_COLUMNS;
    const size_t down = (shape.height + NLMEANS_ROWS - 1) / NLMEANS_ROWS;
    const long count = (long)(across * down);
    char *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&scratch));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long i = 0; i < count; i++)
        tile(stage, (size_t)i % across * NLMEANS_COLUMNS, (size_t)i / across * NLMEANS_ROWS,
             scratch + (size_t)omp_get_thread_num() * bytes);
    return STATUS_OK;
}

const Level cpu_nlmeans_simd = {
    .op = &op_nlmeans,
    .name = "simd",
    .idea = "offset by offset over a tile: squared differences once, summed up down columns and along rows by vectors",
    .workspace = workspace,
    .run = run,
};
