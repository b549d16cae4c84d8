/* simd.c: the bilateral filter by vectors, tile by tile. */
#include "core/backend.h"
#include "cpu/bilateral/tile.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"

#include <omp.h>

static int pitch_of(const BilateralJob *job) {
    return (BILATERAL_COLUMNS + 2 * job->radius + BILATERAL_PAD) / 16 * 16;
}

/* The planes of one thread. */
static size_t tile_bytes(const Stage *stage) {
    const BilateralJob *job = bilateral_job(stage);
    const size_t planes = (size_t)stage->in[0].shape.channels + (job->joint ? (size_t)stage->in[1].shape.channels : 0);
    const size_t values = planes * (size_t)pitch_of(job) * (BILATERAL_ROWS + 2 * (size_t)job->radius) + BILATERAL_PAD;
    return values * (stage->in[0].shape.type == PIXEL_U16 ? sizeof(double) : sizeof(float));
}

static size_t tap_bytes(const Stage *stage) {
    const size_t side = 2 * (size_t)bilateral_job(stage)->radius + 1;
    return (side * side * sizeof(BilateralTap) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return tap_bytes(stage) + (size_t)device->threads * tile_bytes(stage);
}

static Status run(Queue *queue, const Stage *stage) {
    static BilateralTile *const *const tiles[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &bilateral_tile_portable,
        [ISA_LEVEL_AVX2] = &bilateral_tile_avx2,
        [ISA_LEVEL_AVX512] = &bilateral_tile_avx512,
    };
    BilateralTile *const tile = *tiles[isa_detect()];
    const Shape shape = stage->out.shape;
    const size_t bytes = tile_bytes(stage);
    char *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), (void **)&scratch));
    const BilateralTap *taps = (const BilateralTap *)(void *)scratch;
    const BilateralWork work = {stage, taps, bilateral_taps(bilateral_job(stage), (void *)scratch),
                                pitch_of(bilateral_job(stage))};
    const size_t across = (shape.width + BILATERAL_COLUMNS - 1) / BILATERAL_COLUMNS;
    const size_t down = (shape.height + BILATERAL_ROWS - 1) / BILATERAL_ROWS;
    const long count = (long)(across * down);
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long i = 0; i < count; i++)
        tile(&work, (size_t)i % across * BILATERAL_COLUMNS, (size_t)i / across * BILATERAL_ROWS,
             scratch + tap_bytes(stage) + (size_t)omp_get_thread_num() * bytes);
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
