/* scaled.c: a wide gaussian over a coarse grid: its time does not depend on sigma. Down the columns to the grid's rows,
 * along these to the grid's points and back, and up the columns to the picture's rows. */
#include "cpu/gaussian/scaled.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

static const ScaledSteps *const steps[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = scaled_steps_portable,
    [ISA_LEVEL_AVX2] = scaled_steps_avx2,
    [ISA_LEVEL_AVX512] = scaled_steps_avx512,
};

/* Bytes of the plane, and of a thread's rows with their grid points. Pieces of work: blocks of a row, turns of rows
 * that lie side by side, segments of rows. */
typedef struct Sizes {
    size_t plane, sides, blocks, turns, segments;
} Sizes;

static Sizes sizes_of(const ScaledJob *job, size_t vector) {
    const Shape shape = job->stage->in[0].shape;
    const size_t real = shape.type == PIXEL_U16 ? sizeof(double) : sizeof(float), channels = (size_t)shape.channels;
    const size_t rows = (size_t)gaussian_grid_count(&job->y, shape.height), together = vector / real;
    const size_t points = (size_t)gaussian_grid_count(&job->x, shape.width) + 2 * (size_t)job->x.taps;
    return (Sizes){
        .plane = (rows * job->line * real + SCALED_BLOCK + 63) / 64 * 64,
        .sides = (job->line + points * channels) * vector,
        .blocks = (job->line * real + SCALED_BLOCK - 1) / SCALED_BLOCK,
        .turns = (rows + together - 1) / together,
        .segments = rows - (size_t)job->y.taps + 1,
    };
}

static Status make(const Stage *stage, ScaledJob *job) {
    const Shape shape = stage->in[0].shape;
    const bool wide = shape.type == PIXEL_U16;
    *job = (ScaledJob){.stage = stage, .line = shape.width * (size_t)shape.channels};
    TRY(gaussian_grid_make(gaussian_job(stage)->sigma_x, wide, &job->x));
    const Status status = gaussian_grid_make(gaussian_job(stage)->sigma_y, wide, &job->y);
    if (status != STATUS_OK)
        gaussian_grid_free(&job->x);
    return status;
}

static void drop(ScaledJob *job) {
    gaussian_grid_free(&job->x);
    gaussian_grid_free(&job->y);
}

static const ScaledSteps *steps_for(const Stage *stage) {
    return &steps[isa_detect()][stage->in[0].shape.type == PIXEL_U16];
}

static size_t bytes_of(const ScaledJob *job, int threads) {
    const Sizes sizes = sizes_of(job, steps_for(job->stage)->vector);
    return sizes.plane + sizes.sides * (size_t)threads;
}

static size_t workspace(const Device *device, const Stage *stage) {
    ScaledJob job;
    if (make(stage, &job) != STATUS_OK)
        return 0;
    const size_t bytes = bytes_of(&job, device->threads);
    drop(&job);
    return bytes;
}

typedef struct Shared {
    const ScaledSteps *with;
    const ScaledJob *job;
    char *sides;  /* the first thread's */
    size_t bytes; /* of a thread */
} Shared;

static void go_down(const void *work, size_t block, size_t thread) {
    const Shared *shared = work;
    (void)thread;
    shared->with->down(shared->job, block);
}
static void go_along(const void *work, size_t block, size_t thread) {
    const Shared *shared = work;
    shared->with->along(shared->job, block, shared->sides + thread * shared->bytes);
}
static void go_up(const void *work, size_t segment, size_t thread) {
    const Shared *shared = work;
    (void)thread;
    shared->with->up(shared->job, segment);
}

static Status run(Queue *queue, const Stage *stage) {
    const ScaledSteps *with = steps_for(stage);
    const int threads = queue->device->threads;
    ScaledJob job;
    TRY(make(stage, &job));
    const Sizes sizes = sizes_of(&job, with->vector);
    const Status status = cpu_scratch(queue, bytes_of(&job, threads), &job.plane);
    const Shared shared = {with, &job, (char *)job.plane + sizes.plane, sizes.sides};
    if (status == STATUS_OK) {
        cpu_share(queue, sizes.blocks, go_down, &shared);
        cpu_share(queue, sizes.turns, go_along, &shared);
        cpu_share(queue, sizes.segments, go_up, &shared);
    }
    drop(&job);
    return status;
}

const Level cpu_gaussian_scaled = {
    .op = &op_gaussian,
    .name = "scaled",
    .idea = "two narrower gaussians, with only every so many pixels of the first computed: the time does not depend on "
            "sigma",
    .workspace = workspace,
    .run = run,
};
