/* separable.c: masks that are one or two outer products, as a pass down the columns and a pass along the rows each. */
#include "core/device/cache.h"
#include "cpu/convolve/measured.h"
#include "cpu/convolve/passes.h"
#include "cpu/isa.h"
#include "cpu/point/measured.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>

enum {
    TWO_MIN = 81,           /* weights of a mask from which on two terms take less than all */
    LINES_BYTES = 16 << 10, /* lines of a tile, which should stay in the first-level cache with the rows they are of */
    ROWS_DEFAULT = 96,
    ROWS_MIN = 24,
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    PIXELS_STEP = 64,       /* tiles begin on cache lines */
    MASKS = 16              /* whose terms the device keeps: finding them takes longer than a small picture */
};

static PassRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &pass_run_portable,
    [ISA_LEVEL_AVX2] = &pass_run_avx2,
    [ISA_LEVEL_AVX512] = &pass_run_avx512,
};

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

static PassJob make_job(const Stage *stage, const MaskTerms *terms, int threads) {
    const Mask *mask = convolve_job(stage)->mask;
    const Shape shape = stage->out.shape;
    const size_t channels = (size_t)stage_shape_made(stage).channels;
    const size_t real = stage_shape_read(stage).type == PIXEL_U16 ? sizeof(double) : sizeof(float);
    const size_t share = shape.height / (2 * (size_t)threads);
    size_t width = LINES_BYTES / PASS_ROWS / real / channels;
    width = width > 8 * (size_t)mask->width ? width : 8 * (size_t)mask->width; /* neighbours sum the same columns */
    width = width < shape.width ? width : shape.width;
    PassJob job = {.stage = stage,
                   .terms = terms,
                   .count = (terms ? terms->count < 2 : mask_separable(mask)) ? 1 : 2,
                   .stream = shape_bytes(shape) >= STREAM_BYTES};
    job.width = round_up(width, PIXELS_STEP);
    job.rows = round_up(share > ROWS_DEFAULT ? ROWS_DEFAULT : share > ROWS_MIN ? share : ROWS_MIN, PASS_ROWS);
    /* an odd number of cache lines, so that lines do not all meet in the same few sets of the cache */
    job.length = round_up((job.width + (size_t)mask->width) * channels + PASS_STEP, 32) + 16;
    return job;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const Mask *mask = convolve_job(stage)->mask;
    *why_not = "the mask is no outer product of a row and a column, nor a large one of two";
    return mask_separable(mask) || (mask->width * mask->height >= TWO_MIN && mask_has_terms(mask, 2));
}

static size_t workspace(const Device *device, const Stage *stage) {
    const PassJob job = make_job(stage, NULL, device->threads);
    return pass_scratch_bytes(&job) * (size_t)device->threads;
}

/* ---- terms ---- */

typedef struct Kept {
    Mask *mask; /* a copy, by which equal ones are known */
    MaskTerms terms;
} Kept;

static void drop(Device *device, void *entry) {
    Kept *kept = entry;
    (void)device;
    mask_destroy(&kept->mask);
    mask_terms_free(&kept->terms);
}

static Status make(Queue *queue, const void *from, void *entry) {
    Kept *kept = entry;
    drop(queue->device, entry);
    TRY(mask_factor(from, 2, &kept->terms));
    return mask_clone(from, &kept->mask);
}

static bool same(const void *entry, const void *from) {
    return mask_equal(((const Kept *)entry)->mask, from);
}

static const CacheKind kept_terms = {.bytes = sizeof(Kept), .max = MASKS, .make = make, .same = same, .drop = drop};

/* For this call of the queue. */
static Status find_terms(Queue *queue, const Mask *mask, const MaskTerms **terms) {
    void *kept;
    TRY(cache_get(queue, &kept_terms, mask->serial, mask, &kept));
    *terms = &((const Kept *)kept)->terms;
    return STATUS_OK;
}

/* ---- tiles ---- */

typedef struct Shared {
    const PassJob *job;
    PassRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

static Status run_tiles(Queue *queue, const PassJob *job) {
    const Shared shared = {job, *runs[isa_detect()]};
    const size_t bytes = pass_scratch_bytes(job);
    const Shape shape = job->stage->out.shape;
    void *scratch;
    TRY(cpu_scratch(queue, bytes * (size_t)queue->device->threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, job->width, job->rows, scratch, bytes}, run_tile,
                    &shared);
    return STATUS_OK;
}

static Status run(Queue *queue, const Stage *stage) {
    const MaskTerms *terms;
    PointsAround around = {.row = NULL};
    TRY(find_terms(queue, convolve_job(stage)->mask, &terms));
    PassJob job = make_job(stage, terms, queue->device->threads);
    if (stage->points)
        TRY(points_around_create(queue, stage, &around));
    job.around = stage->points ? &around : NULL;
    return run_tiles(queue, &job);
}

/* A tile reads the pixels around it, too. */
static double points_ms(const Stage *stage) {
    const PassJob job = make_job(stage, NULL, 1);
    const Mask *mask = convolve_job(stage)->mask;
    return points_around_ms(stage, (1 + (mask->width - 1.0) / (double)job.width) *
                                       (1 + (mask->height - 1.0) / (double)job.rows));
}

/* Boxes of f32 that the next level takes longer for, since it sums in double: a prediction for this level alone. Two
 * outer products compete with all weights, and with transforms. */
static double predict(const Level *level, const Stage *stage) {
    enum { SIDES_MAX = 22 };
    const Mask *mask = convolve_job(stage)->mask;
    (void)level;
    if (!mask_separable(mask))
        return convolve_taps_ns(stage, 2.0 * (mask->width + mask->height));
    const bool small = mask->width + mask->height <= SIDES_MAX && mask_is_box(mask);
    return small && stage_shape_read(stage).type == PIXEL_F32 ? 1 : INFINITY;
}

static const Predictor measured = {"AMD EPYC, 2 threads, AVX2", predict};

const Level cpu_convolve_separable = {
    .op = &op_convolve,
    .name = "separable",
    .idea = "two 1-D passes: w + h taps a pixel instead of w × h; the rows in between stay in the cache. A mask that "
            "is two "
            "outer products takes them twice",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &measured,
    .points_ms = points_ms,
    .run = run,
};
