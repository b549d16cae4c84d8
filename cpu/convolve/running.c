/* running.c: boxes of any size at the same cost. A sum down each column is that of the row above, plus the value that
 * enters, minus the one that leaves. The sums of the columns run along the row in this way, too (M. McDonnell,
 * Box-filtering techniques, Computer Graphics and Image Processing 17(1), 1981). */
#include "cpu/convolve/running.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>
#include <stdatomic.h>

extern const Level cpu_convolve_separable;

enum {
    ROWS_MIN = 60,
    STRIPS = 4,             /* a thread */
    SUMS_BYTES = 8 << 10,   /* a row of sums: several of them should stay in the first-level cache */
    STREAM_BYTES = 4 << 20, /* larger outputs go past the caches */
    PIXELS_STEP = 64,       /* tiles begin on cache lines */
};

static RunningTile *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &running_tile_portable,
    [ISA_LEVEL_AVX2] = &running_tile_avx2,
    [ISA_LEVEL_AVX512] = &running_tile_avx512,
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const ConvolveJob *job = convolve_job(stage);
    const PixelType type = stage->in[0].shape.type;
    const float outside = job->border.value;
    *why_not = "only for box masks";
    if (!mask_is_box(job->mask))
        return false;
    *why_not = "its sums are of whole numbers, and the border's value is none";
    return type == PIXEL_F32 ? isfinite(outside)
                             : outside == rintf(outside) && outside >= 0 && (double)outside <= pixel_type_white(type);
}

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}

/* Whether sums of u8 fit 16 bits, with half the divisor, and one multiplication divides them. It is off by `error`
 * parts of 2^(16 + shift) for each of the divisor, which must not reach the next whole number. */
static void find_multiplier(RunningJob *job) {
    const ConvolveJob *convolve = convolve_job(job->stage);
    const uint32_t count = (uint32_t)(convolve->mask->width * convolve->mask->height), max = 255 * count + count / 2;
    if (job->stage->in[0].shape.type != PIXEL_U8 || job->stage->out.shape.type != PIXEL_U8 || max > UINT16_MAX ||
        job->factor != 1 || job->divisor != count || convolve->bias < 0 || convolve->bias > 0)
        return;
    for (job->shift = 0; count >> (job->shift + 1) > 0;)
        job->shift++;
    const uint32_t power = 65536U << job->shift, multiplier = (power + count - 1) / count;
    const uint32_t error = multiplier * count - power;
    job->words = multiplier <= UINT16_MAX && (uint64_t)error * max < power;
    job->multiplier = (uint16_t)multiplier;
}

static RunningJob make_job(const Device *device, const Stage *stage) {
    const ConvolveJob *convolve = convolve_job(stage);
    const Shape shape = stage->out.shape;
    const size_t strips = (size_t)device->threads * STRIPS, reach = (size_t)convolve->mask->width;
    RunningJob job = {.stage = stage,
                      .factor = (double)convolve->mask->weights[0],
                      .divisor = (double)convolve->mask->divisor,
                      .bias = (double)convolve->bias,
                      .stream = shape_bytes(shape) >= STREAM_BYTES};
    find_multiplier(&job);
    const size_t sum = job.words                              ? sizeof(uint16_t)
                       : stage->in[0].shape.type == PIXEL_F32 ? sizeof(double)
                                                              : sizeof(uint32_t);
    size_t width = SUMS_BYTES / sum / (size_t)shape.channels;
    width = width > 8 * reach ? width : 8 * reach; /* neighbours sum the same columns */
    width = width < shape.width && convolve->border.mode != BORDER_WRAP ? width : shape.width;
    job.width = round_up(width, PIXELS_STEP);
    job.rows = (shape.height + strips - 1) / strips;
    job.rows = job.rows > ROWS_MIN ? job.rows : ROWS_MIN;
    job.length = round_up((job.width + reach) * (size_t)shape.channels + RUNNING_STEP, 32) + 16;
    return job;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const RunningJob job = make_job(device, stage);
    const size_t running = running_scratch_bytes(&job) * (size_t)device->threads;
    const size_t separable = cpu_convolve_separable.workspace(device, stage);
    return stage->in[0].shape.type == PIXEL_F32 && separable > running ? separable : running;
}

typedef struct Shared {
    const RunningJob *job;
    RunningTile *run;
    atomic_bool *finite;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    if (!shared->run(shared->job, x, y, scratch))
        atomic_store(shared->finite, false);
}

static Status run(Queue *queue, const Stage *stage) {
    const RunningJob job = make_job(queue->device, stage);
    const Shape shape = stage->out.shape;
    const size_t bytes = running_scratch_bytes(&job);
    atomic_bool finite = true;
    const Shared shared = {&job, *runs[isa_detect()], &finite};
    void *scratch;
    TRY(cpu_scratch(queue, bytes * (size_t)queue->device->threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){shape.width, shape.height, job.width, job.rows, scratch, bytes}, run_tile,
                    &shared);
    /* the other level does tiles that a value that is not finite has spoiled */
    return atomic_load(&finite) ? STATUS_OK : cpu_convolve_separable.run(queue, stage);
}

const Level cpu_convolve_running = {
    .op = &op_convolve,
    .name = "running",
    .idea = "a box's sum is its neighbour's, plus values that enter, minus values that leave, down the columns, then "
            "along the row: the mask's size no longer matters",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
