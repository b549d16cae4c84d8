/* tile.c: how a stage is cut into tiles, and who runs them. */
#include "cpu/convolve/tile.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"

#include <omp.h>

enum {
    RING_BYTES = 24 << 10,  /* rows of a tile that should stay in the first-level cache */
    VALUES_LEAST = 512,     /* shorter rows spend their time on their ends */
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    PIXELS_STEP = 64        /* tiles begin on cache lines */
};

static TileRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &tile_run_portable,
    [ISA_LEVEL_AVX2] = &tile_run_avx2,
    [ISA_LEVEL_AVX512] = &tile_run_avx512,
};

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}
static size_t real_size(const Stage *stage) {
    return stage->in[0].shape.type == PIXEL_U16 ? 8 : 4;
}

/* The ring, the source rows of a separable mask, the result's rows, and one row in the output's type. */
static size_t rows_held(const TileJob *job) {
    return (size_t)job->stage->convolve.mask->height + TILE_ROWS - 1 + TILE_ROWS + TILE_ROWS + 1;
}

size_t tile_row_length(const TileJob *job) {
    const size_t width = job->width + (size_t)job->stage->convolve.mask->width;
    return round_up(width * (size_t)job->stage->out.shape.channels + TILE_SLACK, 16);
}

size_t tile_scratch_bytes(const TileJob *job) {
    const size_t w = (size_t)job->stage->convolve.mask->width, h = (size_t)job->stage->convolve.mask->height;
    return (rows_held(job) * tile_row_length(job) + round_up(w * h + w + h, 16)) * real_size(job->stage);
}

static TileJob make_job(const Stage *stage, const MaskTerms *terms) {
    const Mask *mask = stage->convolve.mask;
    TileJob job = {.stage = stage, .terms = terms};
    const size_t channels = (size_t)stage->out.shape.channels;
    const size_t values = RING_BYTES / real_size(stage) / rows_held(&job);
    size_t width = (values > VALUES_LEAST ? values : VALUES_LEAST) / channels;
    width = width > 2 * (size_t)mask->width ? width : 2 * (size_t)mask->width;
    job.width = round_up(width, PIXELS_STEP);
    job.rows = round_up(4 * (size_t)mask->height > 64 ? 4 * (size_t)mask->height : 64, TILE_ROWS);
    job.stream = shape_bytes(stage->out.shape) >= STREAM_BYTES;
    return job;
}

Status tile_run_all(Device *device, const Stage *stage, const MaskTerms *terms) {
    const TileJob job = make_job(stage, terms);
    TileRun *run = *runs[isa_detect()];
    const size_t bytes = round_up(tile_scratch_bytes(&job), 64);
    char *scratch;
    TRY(cpu_scratch(device, bytes * (size_t)device->threads, (void **)&scratch));
    const size_t across = (stage->out.shape.width + job.width - 1) / job.width;
    const size_t down = (stage->out.shape.height + job.rows - 1) / job.rows;
    const long tiles = (long)(across * down);
#pragma omp parallel for num_threads(device->threads) schedule(dynamic)
    for (long tile = 0; tile < tiles; tile++)
        run(&job, (size_t)tile % across * job.width, (size_t)tile / across * job.rows,
            scratch + (size_t)omp_get_thread_num() * bytes);
    return STATUS_OK;
}
