/* blocks.c: means of blocks: the box kernel's results where pictures shrink by whole numbers. */
#include "cpu/resample/blocks.h"

#include "core/ops/resample.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

#include <math.h>

enum {
    PIXELS_U16 = 49,       /* of a block, for which a sum by its part is rounded right */
    ROWS_MAX = 16,         /* of a thread's turn */
    STREAM_BYTES = 4 << 20 /* larger outputs go past the caches */
};

static bool whole(double value) {
    return value >= 0 && value < INT32_MAX && floor(value) >= value;
}

/* Whether the axis makes blocks of whole pixels, none of which is cut. */
static bool makes_blocks(const ResampleAxis *axis, size_t n) {
    return whole(axis->scale) && whole(resample_offset(axis)) && axis->scale >= 1 && axis->scale <= BLOCKS_MAX &&
           resample_offset(axis) + axis->scale * (double)axis->count <= (double)n;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const ResampleJob *job = resample_job(stage);
    const Shape in = stage->in[0].shape;
    (void)device;
    *why_not = "it takes means of whole pixels, up to 16 a side and, of u16, 49 in all";
    return job->kernel == RESAMPLE_BOX && makes_blocks(&job->x, in.width) && makes_blocks(&job->y, in.height) &&
           (in.type != PIXEL_U16 || job->x.scale * job->y.scale <= PIXELS_U16);
}

static size_t scratch_bytes(const Stage *stage) {
    const size_t across = (size_t)resample_job(stage)->x.scale;
    return sizeof(float) * (4 * BLOCKS_COLUMNS * (across + 1) + 2 * BLOCKS_STEP);
}

static size_t workspace(const Device *device, const Stage *stage) {
    return scratch_bytes(stage) * (size_t)device->threads;
}

typedef struct Shared {
    const BlocksJob *job;
    BlocksRun *run;
    size_t rows; /* of a turn */
    char *scratch;
    size_t bytes;
} Shared;

static void share_rows(const void *work, size_t turn, size_t thread) {
    const Shared *shared = work;
    const size_t begin = turn * shared->rows, end = begin + shared->rows;
    for (size_t y = begin; y < end && y < shared->job->stage->out.shape.height; y++)
        shared->run(shared->job, y, shared->scratch + thread * shared->bytes);
}

static Status run(Queue *queue, const Stage *stage) {
    BlocksRun *const *const sets[ISA_LEVELS] = {blocks_run_portable, blocks_run_avx2, blocks_run_avx512};
    const ResampleJob *resample = resample_job(stage);
    const BlocksJob job = {stage,
                           (size_t)resample->x.scale,
                           (size_t)resample->y.scale,
                           (size_t)resample_offset(&resample->x),
                           (size_t)resample_offset(&resample->y),
                           shape_bytes(stage->out.shape) >= STREAM_BYTES};
    const size_t height = stage->out.shape.height, bytes = scratch_bytes(stage);
    const int threads = queue->device->threads;
    const size_t share = height / (4 * (size_t)threads), rows = share < 1 ? 1 : share < ROWS_MAX ? share : ROWS_MAX;
    void *scratch;
    TRY(cpu_scratch(queue, bytes * (size_t)threads, &scratch));
    cpu_share(queue, (height + rows - 1) / rows, share_rows,
              &(Shared){&job, sets[isa_detect()][stage->out.shape.type], rows, scratch, bytes});
    return STATUS_OK;
}

const Level cpu_resample_blocks = {
    .op = &op_resample,
    .name = "blocks",
    .idea = "the box where pictures shrink by whole numbers: every pixel belongs to one block, whose values are added "
            "and divided once, without weights",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
