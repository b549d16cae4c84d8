/* tile.c: how a stage is cut into tiles, and the threads that run them. */
#include "cpu/convolve/tile.h"

#include "core/run/strips.h"
#include "cpu/isa.h"
#include "cpu/point/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum {
    RING_BYTES = 40 << 10, /* rows of a tile that should stay in the first-level cache */
    VALUES_MIN = 512,      /* shorter rows spend their time on their ends */
    ROWS_DEFAULT = 128,
    ROWS_MIN = 32,
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    PIXELS_STEP = 64        /* tiles begin on cache lines */
};

/* f32 sums are rounded by a row's place in its group: strips of a picture must group rows as the whole picture does. */
_Static_assert(STRIP_STEP % TILE_ROWS == 0, "strips begin where groups of rows do");

static TileRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &tile_run_portable,
    [ISA_LEVEL_AVX2] = &tile_run_avx2,
    [ISA_LEVEL_AVX512] = &tile_run_avx512,
};

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}
static size_t real_size(const Stage *stage) {
    return stage_shape_read(stage).type == PIXEL_U16 ? 8 : 4;
}

/* Rows in scratch: the ring, the result's, and one in the output's type. */
static size_t rows_held(const TileJob *job) {
    return (size_t)convolve_job(job->stage)->mask->height + TILE_ROWS - 1 + TILE_ROWS + 1;
}

size_t tile_scratch_bytes(const TileJob *job) {
    const Mask *mask = convolve_job(job->stage)->mask;
    const size_t weights = (size_t)mask->width * (size_t)mask->height;
    return round_up((rows_held(job) * job->length + weights) * real_size(job->stage), 64);
}

/* Tall enough that the rows above and below, which two tiles load, weigh little; not so tall that threads go idle. */
static size_t tile_rows(const Stage *stage, int threads) {
    const size_t tall = 8 * (size_t)convolve_job(stage)->mask->height;
    const size_t share = stage->out.shape.height / (2 * (size_t)threads);
    const size_t wanted = tall > ROWS_DEFAULT ? tall : ROWS_DEFAULT;
    return round_up(wanted < share ? wanted : share > ROWS_MIN ? share : ROWS_MIN, TILE_ROWS);
}

/* Numbers of a row in scratch. They fill an odd number of cache lines, so that rows do not all fall into the same few
 * sets of the cache. */
static size_t row_length(const Stage *stage, size_t width) {
    const size_t values = (width + (size_t)convolve_job(stage)->mask->width) * (size_t)stage_shape_made(stage).channels;
    return round_up(values + TILE_STEP, TILE_STEP) + 16;
}

TileJob tile_job_of(const Stage *stage, size_t width, size_t rows) {
    return (TileJob){.stage = stage, .width = width, .rows = rows, .length = row_length(stage, width)};
}

void tile_run_one(const TileJob *job, size_t x, size_t y, void *scratch) {
    (*runs[isa_detect()])(job, x, y, scratch);
}

static TileJob make_job(const Stage *stage, int threads) {
    const Mask *mask = convolve_job(stage)->mask;
    TileJob job = {.stage = stage};
    const size_t channels = (size_t)stage_shape_made(stage).channels;
    const size_t values = RING_BYTES / real_size(stage) / rows_held(&job);
    size_t width = (values > VALUES_MIN ? values : VALUES_MIN) / channels;
    width = width > 2 * (size_t)mask->width ? width : 2 * (size_t)mask->width;
    width = width < stage->out.shape.width ? width : stage->out.shape.width;
    job.width = round_up(width, PIXELS_STEP);
    job.rows = tile_rows(stage, threads);
    job.length = row_length(stage, job.width);
    job.stream = shape_bytes(stage->out.shape) >= STREAM_BYTES;
    return job;
}

typedef struct Shared {
    const TileJob *job;
    TileRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

static Status run_tiles(Queue *queue, const Stage *stage, const PointsAround *around) {
    TileJob job = make_job(stage, queue->device->threads);
    const Shared shared = {&job, *runs[isa_detect()]};
    const Shape shape = stage->out.shape;
    const size_t bytes = tile_scratch_bytes(&job);
    void *scratch;
    job.around = around;
    TRY(cpu_scratch(queue, bytes * (size_t)queue->device->threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, job.width, job.rows, scratch, bytes}, run_tile,
                    &shared);
    return STATUS_OK;
}

Status tile_run_all(Queue *queue, const Stage *stage) {
    PointsAround around;
    if (stage->points)
        TRY(points_around_create(queue, stage, &around));
    return run_tiles(queue, stage, stage->points ? &around : NULL);
}

double tile_points_ms(const Stage *stage) {
    const TileJob job = make_job(stage, 1);
    const Mask *mask = convolve_job(stage)->mask;
    return points_around_ms(stage, (1 + (mask->width - 1.0) / (double)job.width) *
                                       (1 + (mask->height - 1.0) / (double)job.rows));
}

size_t tile_workspace(const Device *device, const Stage *stage) {
    const TileJob job = make_job(stage, device->threads);
    return tile_scratch_bytes(&job) * (size_t)device->threads;
}
