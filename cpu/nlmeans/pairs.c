/* pairs.c: non-local means by pairs of pixels, tile by tile. */
#include "cpu/nlmeans/pairs.h"

#include "core/device/backend.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it compares patches of 7 x 7 in f32, which holds the sums of bytes and f32";
    return nlmeans_job(stage)->patch == PAIRS_PATCH && stage->in[0].shape.type != PIXEL_U16;
}

static size_t tile_bytes(const Stage *stage) {
    return (pairs_scratch(nlmeans_job(stage)->search, stage->in[0].shape.channels) * sizeof(float) + 63) / 64 * 64;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return (size_t)device->threads * tile_bytes(stage);
}

typedef struct Shared {
    const Stage *stage;
    PairsTile *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->stage, x, y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    static PairsTile *const *const tiles[ISA_LEVELS] = {&pairs_tile_portable, &pairs_tile_avx2, &pairs_tile_avx512};
    const Shared shared = {stage, *tiles[isa_detect()]};
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    cpu_share_tiles(queue,
                    &(TeamTiles){shape.width, shape.height, PAIRS_COLUMNS, PAIRS_ROWS, scratch, tile_bytes(stage)},
                    run_tile, &shared);
    return STATUS_OK;
}

const Level cpu_nlmeans_pairs = {
    .op = &op_nlmeans,
    .name = "pairs",
    .idea = "each pair of pixels is compared once: its weight goes into the sums of both",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
