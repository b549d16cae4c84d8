/* tile.c: how a stage is cut into tiles, and the threads that run them. */
#include "cpu/morphology/tile.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum {
    SCRATCH_BYTES = 192 << 10, /* a tile's, that should stay in the second-level cache */
    ROW_MIN = 1024,            /* bytes; shorter rows spend their time on their ends */
    ROW_MAX = 16 << 10,
    ROWS_DEFAULT = 64,
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    PIXELS_STEP = 64,       /* tiles begin on cache lines */
    PADDING = 256           /* bytes behind a row that vectors may touch */
};

static MorphologyRun *const *const runs[ISA_LEVELS] = {morphology_runs_portable, morphology_runs_avx2,
                                                       morphology_runs_avx512};

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

static void cut(MorphologyTile *tile, size_t rows_held, int threads) {
    const Shape shape = tile->stage->out.shape;
    const Mask *element = morphology_job(tile->stage)->element;
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type), halo = (size_t)element->width * pixel;
    size_t row = SCRATCH_BYTES / rows_held;
    row = row > ROW_MAX ? ROW_MAX : row;
    row = row > halo + ROW_MIN ? row - halo : ROW_MIN;
    row = row > 2 * halo ? row : 2 * halo; /* so that the rows two tiles load weigh little */
    const size_t wanted = round_up(row / pixel, PIXELS_STEP), all = round_up(shape.width, PIXELS_STEP);
    tile->width = wanted < all ? round_up((shape.width + (all / wanted) - 1) / (all / wanted), PIXELS_STEP) : all;
    const size_t tall = 4 * (size_t)element->height, share = shape.height / (4 * (size_t)threads) + 1;
    const size_t rows = tall > ROWS_DEFAULT ? tall : ROWS_DEFAULT;
    tile->rows = rows < share ? rows : share > (size_t)element->height ? share : (size_t)element->height;
    tile->rows = round_up(tile->rows, 2);
    tile->length = round_up((tile->width + (size_t)element->width) * pixel, 64) + PADDING + 64;
    tile->stream = shape_bytes(shape) >= STREAM_BYTES;
}

size_t morphology_workspace(const Device *device, const Stage *stage, size_t rows_held) {
    MorphologyTile tile = {.stage = stage};
    cut(&tile, rows_held, device->threads);
    return tile.length * rows_held * (size_t)device->threads;
}

typedef struct Shared {
    const MorphologyTile *job;
    MorphologyRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

Status morphology_run(Queue *queue, MorphologyTile tile, int which, size_t rows_held) {
    const int threads = queue->device->threads;
    const Shape shape = tile.stage->out.shape;
    const Shared shared = {&tile, runs[isa_detect()][which]};
    void *scratch;
    cut(&tile, rows_held, threads);
    const size_t bytes = tile.length * rows_held;
    TRY(cpu_scratch(queue, bytes * (size_t)threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, tile.width, tile.rows, scratch, bytes}, run_tile,
                    &shared);
    return STATUS_OK;
}
