/* network.c: medians of 3 x 3, 5 x 5 and 7 x 7 by sorting networks on vectors; cpu/rank/network_keys.h does it.
 * A. Adams, Fast median filters using separable sorting networks, ACM Trans. Graphics 40(4), 2021. */
#include "cpu/rank/network.h"

#include "cpu/isa.h"
#include "cpu/rank/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum {
    TILE_BYTES = 192 << 10, /* so that a tile and its results stay in the second-level cache */
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    ROWS_3 = 24,            /* with 3 x 3, where the rows in scratch are few and should stay in the first-level cache */
    PIXELS_STEP = 64,       /* tiles begin on cache lines */
    PADDING = 256           /* bytes behind a row that vectors may touch */
};

static NetworkTile cut(const Stage *stage) {
    const Shape shape = stage->out.shape;
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    /* Long rows are fetched ahead, but the rows that tiles share above and below are sorted twice. */
    const size_t size = (size_t)rank_job(stage)->window->width, rows = size == 7 ? 64 : 32;
    const size_t held = size == 3 ? ROWS_3 : rows;
    NetworkTile tile = {.stage = stage, .rows = rows, .stream = shape_bytes(shape) >= STREAM_BYTES};
    tile.width = (TILE_BYTES / held / pixel + PIXELS_STEP - 1) / PIXELS_STEP * PIXELS_STEP;
    tile.length = ((tile.width + (size_t)rank_job(stage)->window->width) * pixel + PADDING) / 64 * 64 + 64;
    return tile;
}

static size_t tile_bytes(const NetworkTile *tile) {
    const bool three = rank_job(tile->stage)->window->width == 3;
    return tile->length * (three ? NETWORK_ROWS_3 : 2 * tile->rows + NETWORK_ROWS);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const RankJob *job = rank_job(stage);
    const int size = job->window->width;
    *why_not = "only medians of 3 x 3, 5 x 5 and 7 x 7 have a network";
    return element_is_box(job->window) && job->window->height == size && job->rank == size * size / 2 &&
           (size == 3 || size == 5 || size == 7);
}

static size_t workspace(const Device *device, const Stage *stage) {
    const NetworkTile tile = cut(stage);
    return tile_bytes(&tile) * (size_t)device->threads;
}

typedef struct Shared {
    const NetworkTile *job;
    NetworkRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    static NetworkRun *const *const runs[ISA_LEVELS] = {&network_run_portable, &network_run_avx2, &network_run_avx512};
    const NetworkTile tile = cut(stage);
    const Shared shared = {&tile, *runs[isa_detect()]};
    const size_t bytes = tile_bytes(&tile);
    const Shape shape = stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, bytes * (size_t)queue->device->threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, tile.width, tile.rows, scratch, bytes}, run_tile,
                    &shared);
    return STATUS_OK;
}

const Level cpu_rank_network = {
    .op = &op_rank,
    .name = "network",
    .idea = "small medians by sorting networks on vectors of columns: rows sorted once, and merged in pairs for all "
            "windows that share them",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_rank_measured,
    .run = run,
};
