/* simd.c: dense masks with vectors. */
#include "core/device/backend.h"
#include "cpu/convolve/measured.h"
#include "cpu/convolve/tile.h"

static size_t workspace(const Device *device, const Stage *stage) {
    return tile_workspace(device, stage);
}

static Status run(Queue *queue, const Stage *stage) {
    return tile_run_all(queue, stage);
}

const Level cpu_convolve_simd = {
    .op = &op_convolve,
    .name = "simd",
    .idea = "tiles in the cache, border filled in once, and sums for six rows of several vectors kept in registers",
    .workspace = workspace,
    .points_ms = tile_points_ms,
    .predictor = &cpu_convolve_measured,
    .run = run,
};
