/* fft.cu: large masks by the convolution theorem (Oppenheim and Schafer, Discrete-Time Signal Processing, section 8.7).
 * A correlation of picture and mask is a product of their spectra, for masks of any size. Each channel becomes a plane
 * with its border around it, so that values that wrap around are cut off again. The planes are transformed one after
 * the other. The mask's spectrum is kept until the mask or the size changes. */
#include "gpu/convolve/sum.cuh"

#include <string.h>

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/fft.h"
#include "gpu/convolve/measured.h"
}

enum { BLOCK_WIDTH = 32, BLOCK_HEIGHT = 8, KEPT_SPECTRA = 4 /* each as large as a picture */ };

/* A channel with its border, `plane_width` values a row; values beyond that do not reach any result. */
template <typename In>
__global__ void spread_plane(Plane in, int channels, int channel, Sum job, float *plane, int plane_width,
                             int plane_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= plane_width || y >= plane_height)
        return;
    float value = 0;
    if (x < in.width + job.width - 1 && y < in.height + job.height - 1) {
        const int sx = inside_index(job.border, x - job.width / 2, in.width);
        const int sy = inside_index(job.border, y - job.height / 2, in.height);
        value = sx < 0 || sy < 0 ? job.outside : (float)row_of<In>(in, sy)[sx * channels + channel];
    }
    plane[(size_t)y * plane_width + x] = value;
}

__global__ void spread_mask(const float *__restrict__ weights, Sum job, float unit, float *plane, int plane_width,
                            int plane_height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < plane_width && y < plane_height)
        plane[(size_t)y * plane_width + x] = x < job.width && y < job.height ? weights[y * job.width + x] / unit : 0;
}

/* The product with the conjugate makes it a correlation. */
__global__ void multiply_spectra(float2 *spectrum, const float2 *__restrict__ mask, size_t count, float scale) {
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    const float2 a = spectrum[i], b = mask[i];
    spectrum[i] = make_float2((a.x * b.x + a.y * b.y) * scale, (a.y * b.x - a.x * b.y) * scale);
}

/* Sums that are whole numbers of the mask's unit are made whole again, so that halves are halves. */
template <typename Out>
__global__ void gather_plane(const float *__restrict__ plane, int plane_width, Plane out, int channels, int channel,
                             Sum job, float unit, bool whole) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const float sum = plane[(size_t)y * plane_width + x];
    row_to<Out>(out, y)[x * channels + channel] = Stored<Out>::from(finish(job, (whole ? rintf(sum) : sum) * unit));
}

static Launch over(int width, int height) {
    const Launch launch = {dim3(blocks_for(width, BLOCK_WIDTH), blocks_for(height, BLOCK_HEIGHT)),
                           dim3(BLOCK_WIDTH, BLOCK_HEIGHT), 0};
    return launch;
}

/* Up to here sums of bytes are exact in f32, and the transforms' error is less than half a unit. */
#define EXACT_MAX 0x1p22

/* The unit that the sums are whole multiples of; 0 if that does not help. Many sums of masks of 1/64, say, lie halfway
 * between two bytes, where the smallest error shows. */
static float unit_of(const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    const double unit = mask_unit(mask), outside = fabs((double)convolve_job(stage)->border.value);
    const double sum = mask_absolute_sum(mask) * fabs((double)mask->divisor) * fmax(outside, 255);
    const bool bytes = stage->in[0].shape.type == PIXEL_U8 && outside == rint(outside);
    return bytes && sum <= EXACT_MAX * unit ? (float)unit : 0;
}

/* The sizes of the transform, and its planes in the device's scratch: one of values, one spectrum, the mask's spectrum.
 */
typedef struct Planes {
    int width, height;
    size_t spectrum; /* complex numbers */
    float *values;
    float2 *picture, *mask;
    float unit; /* of the mask's spectrum */
    bool whole; /* whether sums are whole multiples of it */
    const FftPlans *plans;
} Planes;

/* The stage that a kept spectrum was made for, and its unit: GpuKept.facts. */
typedef struct Facts {
    int width, height, type;
    float outside, unit;
} Facts;
static_assert(sizeof(Facts) <= KEPT_FACTS * sizeof(int), "facts are kept as whole numbers");

/* The input of a spectrum. */
typedef struct Wanted {
    const Stage *stage;
    const Planes *planes;
} Wanted;

static Facts facts_of(const Wanted *wanted) {
    const Facts facts = {wanted->planes->width, wanted->planes->height, wanted->stage->in[0].shape.type,
                         convolve_job(wanted->stage)->border.value, 0};
    return facts;
}

static bool same_spectrum(const void *entry, const void *from) {
    const Facts facts = facts_of((const Wanted *)from);
    return memcmp(((const GpuKept *)entry)->facts, &facts, offsetof(Facts, unit)) == 0 &&
           gpu_kept_same(entry, convolve_job(((const Wanted *)from)->stage)->mask);
}

static Status make_spectrum(Queue *queue, const void *from, void *entry) {
    const Wanted *wanted = (const Wanted *)from;
    const Planes *planes = wanted->planes;
    const Mask *mask = convolve_job(wanted->stage)->mask;
    GpuKept *kept = (GpuKept *)entry;
    Facts facts = facts_of(wanted);
    Sum job = sum_of(wanted->stage);
    int words[KEPT_FACTS] = {}, width = planes->width, height = planes->height;
    float *values = planes->values;
    const float *weights;
    facts.unit = unit_of(wanted->stage);
    memcpy(words, &facts, sizeof facts);
    TRY(gpu_keep(queue, kept, mask, NULL, planes->spectrum * sizeof(float2), words));
    float unit = facts.unit > 0 ? facts.unit : 1;
    TRY(gpu_mask(queue, mask, &weights));
    void *arguments[] = {&weights, &job, &unit, &values, &width, &height};
    TRY(gpu_launch(queue, "convolve fft, mask", (const void *)spread_mask, over(width, height), arguments));
    return fft_forward(planes->plans, values, kept->memory.memory);
}

static const CacheKind spectra = {sizeof(GpuKept), KEPT_SPECTRA, make_spectrum, same_spectrum, gpu_kept_drop, false};

static void size_planes(const Stage *stage, Planes *planes) {
    const Mask *mask = convolve_job(stage)->mask;
    planes->width = fft_length((int)stage->out.shape.width + mask->width - 1);
    planes->height = fft_length((int)stage->out.shape.height + mask->height - 1);
    planes->spectrum = (size_t)(planes->width / 2 + 1) * (size_t)planes->height;
}

/* A plane of values and its spectrum; the memory of cuFFT's plans is kept with them. */
static size_t workspace(const Device *device, const Stage *stage) {
    Planes planes = {};
    (void)device;
    size_planes(stage, &planes);
    return (size_t)planes.width * (size_t)planes.height * sizeof(float) + planes.spectrum * sizeof(float2) + 256;
}

static Status prepare(Queue *queue, const Stage *stage, Planes *planes) {
    size_planes(stage, planes);
    const Wanted wanted = {stage, planes};
    void *memory, *found;
    Facts facts;
    TRY(fft_plans(queue, planes->width, planes->height, &planes->plans));
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    planes->picture = (float2 *)memory;
    planes->values = (float *)(planes->picture + planes->spectrum);
    TRY(cache_get(queue, &spectra, 0, &wanted, &found));
    const GpuKept *kept = (const GpuKept *)found;
    memcpy(&facts, kept->facts, sizeof facts);
    planes->whole = facts.unit > 0;
    planes->unit = planes->whole ? facts.unit : 1;
    planes->mask = (float2 *)kept->memory.memory;
    return STATUS_OK;
}

template <typename In, typename Out> static Status launch(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Planes planes = {};
    TRY(prepare(queue, stage, &planes));
    int channels = stage->out.shape.channels;
    float scale = (float)(1 / ((double)planes.width * planes.height));
    const Launch products = {dim3((unsigned)((planes.spectrum + 255) / 256)), dim3(256), 0};
    for (int channel = 0; channel < channels; channel++) {
        void *spread[] = {&in, &channels, &channel, &job, &planes.values, &planes.width, &planes.height};
        void *product[] = {&planes.picture, &planes.mask, &planes.spectrum, &scale};
        void *gather[] = {&planes.values, &planes.width, &out, &channels, &channel, &job, &planes.unit, &planes.whole};
        TRY(gpu_launch(queue, "convolve fft, spread", (const void *)spread_plane<In>, over(planes.width, planes.height),
                       spread));
        TRY(fft_forward(planes.plans, planes.values, planes.picture));
        TRY(gpu_launch(queue, "convolve fft, product", (const void *)multiply_spectra, products, product));
        TRY(fft_inverse(planes.plans, planes.picture, planes.values));
        TRY(gpu_launch(queue, "convolve fft, gather", (const void *)gather_plane<Out>, over(out.width, out.height),
                       gather));
    }
    return STATUS_OK;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "16-bit results would need transforms in double precision";
    if (stage->in[0].shape.type == PIXEL_U16)
        return false;
    *why_not = "the library libcufft is not installed here";
    return fft_is_there();
}

static Status run(Queue *queue, const Stage *stage) {
    typedef Status (*Run)(Queue *, const Stage *);
    return for_stored<Run>(stage, launch<uint8_t, uint8_t>, launch<uint8_t, float>, NULL, NULL,
                           launch<float, float>)(queue, stage);
}

extern "C" const Level cuda_convolve_fft = {
    .op = &op_convolve,
    .name = "fft",
    .idea = "a product of spectra: the mask's size no longer matters, at the price of two transforms a channel",
    .accepts = accepts,
    .workspace = workspace,
    .predictor = &convolve_measured,
    .run = run,
};
