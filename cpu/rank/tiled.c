/* tiled.c: any rank in any window of moderate size by networks that are made for it (cpu/rank/tiled_network.c). */
#include "cpu/rank/tiled.h"

#include "core/device/cache.h"
#include "cpu/isa.h"
#include "cpu/rank/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <string.h>

enum {
    ROWS = 64,              /* of a tile: those above its first results are sorted for two tiles */
    TILE_BYTES = 1024,      /* of its row */
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    NETWORKS = 8            /* that the device keeps */
};

typedef struct Kept {
    Mask *window;
    int rank;
    TiledNetwork network;
} Kept;

static void drop(Device *device, void *entry) {
    (void)device;
    Kept *kept = entry;
    mask_destroy(&kept->window);
    tiled_network_free(&kept->network);
}

static Status make(Queue *queue, const void *from, void *entry) {
    const RankJob *job = from;
    Kept *kept = entry;
    drop(queue->device, entry);
    kept->rank = job->rank;
    TRY(mask_create(job->window->width, job->window->height, &kept->window));
    memcpy(kept->window->weights, job->window->weights,
           (size_t)(job->window->width * job->window->height) * sizeof *job->window->weights);
    return tiled_network_create(job->window, job->rank, &kept->network);
}

static bool same(const void *entry, const void *from) {
    const Kept *kept = entry;
    const RankJob *job = from;
    const Mask *a = kept->window, *b = job->window;
    return kept->rank == job->rank && a->width == b->width && a->height == b->height &&
           memcmp(a->weights, b->weights, (size_t)(a->width * a->height) * sizeof *a->weights) == 0;
}

static const CacheKind kind = {.bytes = sizeof(Kept), .max = NETWORKS, .make = make, .same = same, .drop = drop};

static TiledTile cut(const Stage *stage) {
    const Shape shape = stage->out.shape;
    const Mask *window = rank_job(stage)->window;
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    TiledTile tile = {.stage = stage, .rows = ROWS, .stream = shape_bytes(shape) >= STREAM_BYTES};
    tile.width = TILE_BYTES / pixel;
    tile.length = ((tile.width + (size_t)window->width) * pixel + TILED_BYTES + 63) / 64 * 64;
    tile.results = (ROWS + (size_t)window->height + TILED_ROWS_MAX) * tile.length;
    tile.slots = tile.results + ROWS * tile.length;
    return tile;
}

static size_t tile_bytes(const Stage *stage) {
    return cut(stage).slots + tiled_slots(rank_job(stage)->window) * TILED_BYTES;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "its networks are of 1024 values at most";
    return element_count(rank_job(stage)->window) <= TILED_CELLS;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return tile_bytes(stage) * (size_t)device->threads;
}

typedef struct Shared {
    const TiledTile *tile;
    TiledRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->tile, x, y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    static TiledRun *const *const runs[ISA_LEVELS] = {&tiled_run_portable, &tiled_run_avx2, &tiled_run_avx512};
    const Shape shape = stage->out.shape;
    TiledTile tile = cut(stage);
    const size_t bytes = tile_bytes(stage);
    void *scratch, *kept;
    TRY(cache_get(queue, &kind, 0, stage->job, &kept));
    tile.network = &((const Kept *)kept)->network;
    if (tile.network->slots > tiled_slots(rank_job(stage)->window))
        return fail(STATUS_DEVICE, "a network of %d values takes %zu slots", element_count(rank_job(stage)->window),
                    tile.network->slots);
    TRY(cpu_scratch(queue, bytes * (size_t)queue->device->threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, tile.width, tile.rows, scratch, bytes}, run_tile,
                    &(Shared){&tile, *runs[isa_detect()]});
    return STATUS_OK;
}

const Level cpu_rank_tiled = {
    .op = &op_rank,
    .name = "tiled",
    .idea = "any rank of a window by a network made for it: results one below the other share a core that is sorted "
            "once, halves of them a larger one",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_rank_measured,
    .run = run,
};
