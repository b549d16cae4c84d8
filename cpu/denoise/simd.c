/* simd.c: denoising by vectors: the planes of a run, and the order of rows. */
#include "core/device/backend.h"
#include "cpu/denoise/planes.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

static size_t round_up(size_t value) {
    return (value + DENOISE_LANES_MAX - 1) / DENOISE_LANES_MAX * DENOISE_LANES_MAX;
}

/* Sets sizes; returns the values of a plane. */
static size_t cut(DenoiseWork *work) {
    work->views = denoise_views(work->stage);
    work->margin = round_up((size_t)2 << (denoise_job(work->stage)->iterations - 1));
    work->pitch = 2 * work->margin + round_up(work->views.width);
    return work->pitch * work->views.height;
}

static size_t workspace(const Device *device, const Stage *stage) {
    DenoiseWork work = {.stage = stage};
    (void)device;
    return DENOISE_PLANES * cut(&work) * sizeof(float);
}

typedef struct Shared {
    const DenoiseWork *work;
    DenoiseRow *row;
    size_t step, together; /* rows a step apart follow one another, so that the neighbours they share stay in the
                              caches */
} Shared;

static void run_row(const void *job, size_t index) {
    const Shared *shared = job;
    const size_t y = index % shared->together * shared->step + index / shared->together;
    if (y < shared->work->views.height)
        shared->row(shared->work, y);
}

static void share(Queue *queue, const DenoiseWork *work, DenoiseRow *row) {
    const size_t step = (size_t)work->step, together = (work->views.height + step - 1) / step;
    cpu_share_rows(queue, together * step, run_row, &(Shared){work, row, step, together});
}

static void write_row(const void *job, size_t y) {
    const Shared *shared = job;
    shared->row(shared->work, y);
}

static Status run(Queue *queue, const Stage *stage) {
    static const DenoiseTable *const tables[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &denoise_rows_portable,
        [ISA_LEVEL_AVX2] = &denoise_rows_avx2,
        [ISA_LEVEL_AVX512] = &denoise_rows_avx512,
    };
    const DenoiseTable *rows = tables[isa_detect()];
    DenoiseWork work = {.stage = stage, .rule = denoise_rule(denoise_job(stage)), .step = 1};
    const size_t plane = cut(&work);
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    float *next = (float *)scratch + work.margin;
    for (int k = 0; k < DENOISE_LIGHTS; k++, next += 3 * plane) {
        work.from[k] = next;
        work.to[k] = next + plane;
        work.guess[k] = next + 2 * plane;
    }
    for (int k = 0; k < DENOISE_GUIDES; k++, next += plane)
        work.guide[k] = next;
    share(queue, &work, rows->read);
    share(queue, &work, rows->estimate);
    for (int i = 0; i < denoise_job(stage)->iterations; i++, work.step *= 2) {
        share(queue, &work, i == 0 ? rows->first : rows->smooth);
        for (int k = 0; k < DENOISE_LIGHTS; k++) {
            float *made = work.to[k];
            work.to[k] = work.from[k];
            work.from[k] = made;
        }
    }
    cpu_share_rows(queue, stage->out.shape.height, write_row, &(Shared){.work = &work, .row = rows->write});
    return STATUS_OK;
}

const Level cpu_denoise_simd = {
    .op = &op_denoise,
    .name = "simd",
    .idea = "a plane for each value, so that a vector of pixels has its neighbours side by side; a polynomial as the "
            "exponential; rows that share inputs follow one another",
    .workspace = workspace,
    .run = run,
};
