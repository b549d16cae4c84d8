/* running.c: boxes of any size at the same cost. A sum down each column is that of the row above, plus the value that
 * enters, minus the one that leaves; and so along the row with the sums of the columns (M. McDonnell, Box-filtering
 * techniques, Computer Graphics and Image Processing 17(1), 1981). */
#include "cpu/convolve/running.h"

#include "cpu/isa.h"
#include "cpu/scratch.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>

extern const Level cpu_convolve_separable;

enum { ROWS_MIN = 60, STRIPS = 4 /* a thread */ };

static RunningStrip *const *const runs[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &running_strip_portable,
    [ISA_LEVEL_AVX2] = &running_strip_avx2,
    [ISA_LEVEL_AVX512] = &running_strip_avx512,
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const ConvolveJob *job = convolve_job(stage);
    const float outside = job->border.value;
    *why_not = "the mask's weights are not all the same";
    if (!mask_is_box(job->mask))
        return false;
    *why_not = "its sums are of whole numbers, and the border's value is none";
    return stage->in[0].shape.type == PIXEL_F32 ? isfinite(outside)
                                                : outside == rintf(outside) && outside >= 0 && outside <= 65535;
}

static RunningJob make_job(const Device *device, const Stage *stage) {
    const ConvolveJob *convolve = convolve_job(stage);
    const Shape shape = stage->out.shape;
    const size_t strips = (size_t)device->threads * STRIPS;
    RunningJob job = {.stage = stage,
                      .factor = (double)convolve->mask->weights[0],
                      .divisor = (double)convolve->mask->divisor,
                      .bias = (double)convolve->bias};
    job.rows = (shape.height + strips - 1) / strips;
    job.rows = job.rows > ROWS_MIN ? job.rows : ROWS_MIN;
    job.columns = (shape.width + (size_t)convolve->mask->width) * (size_t)shape.channels;
    return job;
}

static size_t workspace(const Device *device, const Stage *stage) {
    const RunningJob job = make_job(device, stage);
    const size_t running = running_scratch_bytes(&job) * (size_t)device->threads;
    const size_t separable = cpu_convolve_separable.workspace(device, stage);
    return stage->in[0].shape.type == PIXEL_F32 && separable > running ? separable : running;
}

static Status run(Queue *queue, const Stage *stage) {
    const RunningJob job = make_job(queue->device, stage);
    RunningStrip *const strip = *runs[isa_detect()];
    const size_t bytes = running_scratch_bytes(&job);
    const long strips = (long)((stage->out.shape.height + job.rows - 1) / job.rows);
    atomic_bool finite = true;
    char *scratch;
    TRY(cpu_scratch(queue, bytes * (size_t)queue->device->threads, (void **)&scratch));
#pragma omp parallel for num_threads(queue->device->threads) schedule(dynamic)
    for (long i = 0; i < strips; i++)
        if (!strip(&job, (size_t)i * job.rows, scratch + (size_t)omp_get_thread_num() * bytes))
            atomic_store(&finite, false);
    /* what a value that is not finite has spoiled is done by the other level */
    return atomic_load(&finite) ? STATUS_OK : cpu_convolve_separable.run(queue, stage);
}

const Level cpu_convolve_running = {
    .op = &op_convolve,
    .name = "running",
    .idea =
        "a box's sum is its neighbour's, plus what enters, minus what leaves: down the columns, then along the row; "
        "the mask's size no longer matters",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
