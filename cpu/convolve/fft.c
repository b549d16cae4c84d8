/* fft.c: large masks by the convolution theorem, tile by tile: the level, and the threads that run the tiles. */
#include "cpu/convolve/fft.h"

#include "cpu/convolve/measured.h"
#include "cpu/convolve/tile.h"
#include "cpu/isa.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

static const FftCode *const *const codes[ISA_LEVELS] = {
    [ISA_LEVEL_PORTABLE] = &fft_code_portable,
    [ISA_LEVEL_AVX2] = &fft_code_avx2,
    [ISA_LEVEL_AVX512] = &fft_code_avx512,
};

static size_t real_size(const FftJob *job) {
    return job->wide ? sizeof(double) : sizeof(float);
}
static size_t round_up(size_t bytes) {
    return (bytes + 63) / 64 * 64;
}
static size_t shared_bytes(const FftJob *job) {
    return round_up((fft_spectrum_length(job) + 4 * (size_t)(job->x->length + job->y->length)) * real_size(job));
}
/* A tile that a value which is not finite would spoil is summed. */
static TileJob summed_job(const FftJob *job) {
    return tile_job_of(job->stage, job->width, job->height);
}
static size_t thread_bytes(const FftJob *job) {
    const TileJob summed = summed_job(job);
    const size_t results = fft_results_bytes(job) * (size_t)job->stage->out.shape.channels * (job->pairs ? 2 : 1);
    const size_t transformed = round_up(fft_scratch_length(job) * real_size(job) + results);
    const size_t sums = job->stage->in[0].shape.type == PIXEL_F32 ? tile_scratch_bytes(&summed) : 0;
    return transformed > sums ? transformed : sums;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    FftJob job;
    (void)device;
    *why_not = "faster ways exist for this mask";
    if (convolve_rows_together(convolve_job(stage)) == 1)
        return false;
    *why_not = "weights so large or small would round too many values differently";
    return fft_job(stage, &job);
}

static size_t workspace(const Device *device, const Stage *stage) {
    FftJob job;
    fft_job(stage, &job);
    return shared_bytes(&job) + thread_bytes(&job) * (size_t)device->threads;
}

/* Tile `across`, and the next one where tiles come in pairs, of row `down` of tiles. */
static void run_tile(const FftCode *code, const FftJob *job, size_t across, size_t down, void *scratch) {
    if (code->tile(job, across, down, scratch))
        return;
    const TileJob summed = summed_job(job);
    for (size_t i = 0; i < (job->pairs ? 2 : 1); i++)
        if ((across + i) * job->width < job->stage->out.shape.width)
            tile_run_one(&summed, (across + i) * job->width, down * job->height, scratch);
}

typedef struct Shared {
    const FftCode *code;
    const FftJob *job;
    size_t across, step, bytes;
    char *scratch;
} Shared;

static void share_tile(const void *work, size_t tile, size_t thread) {
    const Shared *shared = work;
    run_tile(shared->code, shared->job, tile % shared->across * shared->step, tile / shared->across,
             shared->scratch + thread * shared->bytes);
}

static Status run(Queue *queue, const Stage *stage) {
    const FftCode *code = *codes[isa_detect()];
    FftJob job;
    char *scratch;
    fft_job(stage, &job);
    const size_t bytes = thread_bytes(&job), shared = shared_bytes(&job), real = real_size(&job);
    TRY(cpu_scratch(queue, shared + bytes * (size_t)queue->device->threads, (void **)&scratch));
    job.spectrum = scratch;
    job.twiddles_x = scratch + fft_spectrum_length(&job) * real;
    job.twiddles_y = (char *)job.twiddles_x + 4 * (size_t)job.x->length * real;
    scratch += shared;
    code->prepare(&job, scratch);
    const size_t step = job.pairs ? 2 : 1;
    const size_t across = ((stage->out.shape.width + job.width - 1) / job.width + step - 1) / step;
    const size_t down = (stage->out.shape.height + job.height - 1) / job.height;
    cpu_share(queue, across * down, share_tile, &(Shared){code, &job, across, step, bytes, scratch});
    return STATUS_OK;
}

const Level cpu_convolve_fft = {
    .op = &op_convolve,
    .name = "fft",
    .idea =
        "tiles by a product of spectra: the mask's size hardly matters, at the price of two transforms of each tile",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &cpu_convolve_measured,
    .run = run,
};
