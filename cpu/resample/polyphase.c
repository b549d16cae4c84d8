/* polyphase.c: how a resampling is cut into tiles, and the threads that run them. */
#include "cpu/resample/polyphase.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

enum {
    TURNED_BYTES = 24 << 10, /* of a band that lies turned: most of the first-level cache */
    RING_BYTES = 256 << 10,  /* of input rows: half of a small second-level cache */
    COLUMNS_MAX = 256,
    ROWS_DEFAULT = 128,
    TAPS_FLOAT = 32 /* more products than these would be off by too much in f32 */
};

static PolyphaseRun *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &polyphase_run_portable,
    [ISA_LEVEL_AVX2] = &polyphase_run_avx2,
    [ISA_LEVEL_AVX512] = &polyphase_run_avx512,
};
static const size_t vector_bytes[ISA_LEVELS] = {16, 32, 64};

static size_t round_up(size_t value, size_t step) {
    return (value + step - 1) / step * step;
}
static size_t max_of(size_t a, size_t b) {
    return a > b ? a : b;
}
static size_t min_of(size_t a, size_t b) {
    return a < b ? a : b;
}

/* Pixels that `count` neighbouring results read at most. */
static size_t span(const ResampleAxis *axis, size_t taps, size_t n, size_t count) {
    const double reach = (double)(count - 1) * axis->scale + 1;
    return reach < (double)n ? min_of((size_t)reach + 1 + taps, n) : n;
}

/* The job without its tables. */
static PolyphaseJob make_job(const Stage *stage, int threads) {
    const ResampleJob *resample = resample_job(stage);
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    const size_t across = (size_t)resample_taps(resample->kernel, &resample->x, in.width);
    const size_t down = (size_t)resample_taps(resample->kernel, &resample->y, in.height);
    PolyphaseJob job = {.stage = stage};
    job.wide = in.type == PIXEL_U16 || across > TAPS_FLOAT || down > TAPS_FLOAT;
    const size_t real = job.wide ? sizeof(double) : sizeof(float), channels = (size_t)in.channels;
    job.lanes = vector_bytes[isa_detect()] / real;
    job.columns = COLUMNS_MAX;
    while (job.columns > 8 &&
           span(&resample->x, across, in.width, job.columns) * channels * job.lanes * real > TURNED_BYTES)
        job.columns /= 2;
    job.values = round_up(span(&resample->x, across, in.width, job.columns) * channels, POLYPHASE_STEP);
    job.band = job.lanes;
    while (job.band > 1 && span(&resample->y, down, in.height, job.band) * job.values * real > RING_BYTES)
        job.band /= 2;
    job.ring = span(&resample->y, down, in.height, job.band);
    const size_t share = out.height / (2 * (size_t)threads);
    job.rows = round_up(max_of(min_of(ROWS_DEFAULT, share), 1), job.band);
    /* the ring and pointers to its rows; a band before and after it is turned; its results in both ways */
    job.bytes = round_up(job.ring * job.values * real, 64) + round_up(down * sizeof(void *), 64) +
                2 * job.lanes * job.values * real + 2 * job.lanes * round_up(job.columns * channels, 64) * real;
    return job;
}

static size_t workspace(const Device *device, const Stage *stage) {
    return make_job(stage, device->threads).bytes * (size_t)device->threads;
}

typedef struct Shared {
    const PolyphaseJob *job;
    PolyphaseRun *run;
} Shared;

static void run_tile(const void *work, size_t x, size_t y, void *scratch) {
    const Shared *shared = work;
    shared->run(shared->job, x, y, scratch);
}

static Status run(Queue *queue, const Stage *stage) {
    PolyphaseJob job = make_job(stage, queue->device->threads);
    const Shared shared = {&job, *runs[isa_detect()]};
    const Shape out = stage->out.shape;
    void *scratch;
    TRY(resample_tables(queue, stage, &job.tables));
    TRY(cpu_scratch(queue, job.bytes * (size_t)queue->device->threads, &scratch));
    cpu_share_tiles(queue, &(TeamTiles){out.width, out.height, job.columns, job.rows, scratch, job.bytes}, run_tile,
                    &shared);
    return STATUS_OK;
}

const Level cpu_resample_polyphase = {
    .op = &op_resample,
    .name = "polyphase",
    .idea = "tiles in the cache: rows converted once, weighed down the columns by vectors, then turned, so that a "
            "weight goes for several rows",
    .workspace = workspace,
    .run = run,
};
