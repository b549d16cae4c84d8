/* simd.c: the bilateral filter by vectors, tile by tile. */
#include "cpu/bilateral/tile.h"
#include "cpu/scratch.h"

enum { ROWS = 32 };

static size_t tap_bytes(const Stage *stage) {
    const size_t side = 2 * (size_t)bilateral_job(stage)->radius + 1;
    return (side * side * sizeof(BilateralTap) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    BilateralWork work = {.stage = stage};
    return tap_bytes(stage) + (size_t)device->threads * bilateral_cut(&work, BILATERAL_COLUMNS, ROWS, false);
}

static Status run(Queue *queue, const Stage *stage) {
    BilateralWork work = {.stage = stage};
    const size_t own = bilateral_cut(&work, BILATERAL_COLUMNS, ROWS, false);
    char *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&scratch));
    work.taps = (const BilateralTap *)(const void *)scratch;
    work.count = bilateral_taps(bilateral_job(stage), (void *)scratch);
    bilateral_run_tiles(queue, &work, BILATERAL_SIMD, scratch + tap_bytes(stage), own);
    return STATUS_OK;
}

const Level cpu_bilateral_simd = {
    .op = &op_bilateral,
    .name = "simd",
    .idea = "tiles taken apart into planes, a vector of pixels at a time through all neighbours with its sums in "
            "registers, the exponential by a polynomial",
    .workspace = workspace,
    .run = run,
};
