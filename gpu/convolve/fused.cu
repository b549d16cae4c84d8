/* fused.cu: both passes of a separable mask in one kernel. The block fetches a tile with its halo, and replaces every
 * row by its sums along the row, in place. Then each thread sums down the columns. The values between the passes never
 * leave the chip. For odd masks of common sizes the loops are unrolled and the weights constant operands.
 * Sums of u16 need more than 24 bits: weights and sums are taken apart (apart.cuh). */
#include "gpu/convolve/apart.cuh"
#include "gpu/convolve/tile.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/measured.h"
}

enum {
    ROWS = 8,
    THREADS_MAX = 256,
    FUSED_ROWS = 32, /* of a tile */
    WIDE_MAX = 63    /* a side of masks for u16 */
};

typedef struct Terms {
    float row[MASK_MAX + 5];
    float column[MASK_MAX];
} Terms;

/* Terms for u16, taken apart. */
typedef struct Apart {
    float row[WIDE_MAX + 5], row_rest[WIDE_MAX + 5];
    float column[WIDE_MAX], column_rest[WIDE_MAX], column_all[WIDE_MAX];
    Offset offset;
} Apart;

template <typename In> struct TermsOf { typedef Terms Type; };
template <> struct TermsOf<uint16_t> { typedef Apart Type; };

/* Columns before the mask's first, so that all loads are aligned. */
static __host__ __device__ inline int shift_of(int side) {
    return (4 - side / 2 % 4) % 4;
}
static __host__ __device__ inline int margin_of(int side) {
    return (shift_of(side) + side - 1 + 3) / 4 * 4;
}

static __device__ __forceinline__ void add_along(const Terms &terms, int tap, const float *values,
                                                 float (&sums)[2][ACROSS]) {
    const float weight = terms.row[tap];
#pragma unroll
    for (int v = 0; v < ACROSS; v++)
        sums[0][v] = fmaf(weight, values[v], sums[0][v]);
}
static __device__ __forceinline__ void add_along(const Apart &terms, int tap, const float *values,
                                                 float (&sums)[2][ACROSS]) {
    const float weight = terms.row[tap], rest = terms.row_rest[tap];
#pragma unroll
    for (int v = 0; v < ACROSS; v++) {
        sums[0][v] = fmaf(weight, values[v], sums[0][v]);
        sums[1][v] = fmaf(rest, values[v], sums[1][v]);
    }
}

/* The 4 sums of a row from `from` on, and their rests; K = 0: a side known at run time. */
template <int K, typename T>
static __device__ __forceinline__ void sum_row(const float *from, const T &terms, int side, float (&sums)[2][ACROSS]) {
    enum { SHIFT = (4 - K / 2 % 4) % 4, QUADS = K ? (SHIFT + ACROSS + K - 1 + 3) / 4 : 1 };
    if constexpr (K > 0) {
        float window[4 * QUADS];
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            *(float4 *)&window[4 * q] = *(const float4 *)&from[4 * q];
#pragma unroll
        for (int k = 0; k < K; k++)
            add_along(terms, k, &window[SHIFT + k], sums);
    } else {
        /* The weights move along instead: `at` counts from the aligned beginning, weights before the first are zero. */
        const int shift = shift_of(side);
        float window[8];
        *(float4 *)&window[0] = *(const float4 *)from;
        for (int at = 0; at < shift + side; at += 4) {
            if (at + 1 < shift + side)
                *(float4 *)&window[4] = *(const float4 *)&from[at + 4];
#pragma unroll
            for (int k = 0; k < 4; k++) {
                const int tap = at + k - shift;
                if ((unsigned)tap < (unsigned)side)
                    add_along(terms, tap, &window[k], sums);
            }
            *(float4 *)&window[0] = *(float4 *)&window[4];
        }
    }
}

/* The part of a row's sums that stays between the passes. */
static __device__ __forceinline__ float between_of(const Terms &terms, float sum, float rest) {
    (void)terms, (void)rest;
    return sum;
}
static __device__ __forceinline__ float between_of(const Apart &terms, float sum, float rest) {
    (void)terms;
    return sum + rest;
}

/* Four values of a row on their way into the sums of ROWS rows. */
struct Line {
    float values[ACROSS], rests[ACROSS];
};

static __device__ __forceinline__ Line line_of(const Terms &terms, float4 row) {
    (void)terms;
    const Line line = {{row.x, row.y, row.z, row.w}, {}};
    return line;
}
/* Whole numbers of 16 bits, and rests. */
static __device__ __forceinline__ Line line_of(const Apart &terms, float4 row) {
    (void)terms;
    Line line = {{row.x, row.y, row.z, row.w}, {}};
#pragma unroll
    for (int v = 0; v < ACROSS; v++) {
        const float whole = (line.values[v] + WHOLES) - WHOLES;
        line.rests[v] = line.values[v] - whole;
        line.values[v] = whole;
    }
    return line;
}

static __device__ __forceinline__ void add_down(const Terms &terms, int tap, const Line &line, float (&sums)[ACROSS],
                                                float (&rests)[ACROSS]) {
    (void)rests;
    const float weight = terms.column[tap];
#pragma unroll
    for (int v = 0; v < ACROSS; v++)
        sums[v] = fmaf(weight, line.values[v], sums[v]);
}
static __device__ __forceinline__ void add_down(const Apart &terms, int tap, const Line &line, float (&sums)[ACROSS],
                                                float (&rests)[ACROSS]) {
    const float weight = terms.column[tap], rest = terms.column_rest[tap], all = terms.column_all[tap];
#pragma unroll
    for (int v = 0; v < ACROSS; v++) {
        sums[v] = fmaf(weight, line.values[v], sums[v]);
        rests[v] = fmaf(rest, line.values[v], fmaf(all, line.rests[v], rests[v]));
    }
}

/* Row t of those that ROWS outputs below each other reach, in each of their sums. SOME: not all reach it. */
template <bool SOME, typename T>
static __device__ __forceinline__ void add_row(const float *from, const T &terms, int side, int t,
                                               float (&sums)[ROWS][ACROSS], float (&rests)[ROWS][ACROSS]) {
    const Line line = line_of(terms, *(const float4 *)from);
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (!SOME || (unsigned)(t - r) < (unsigned)side)
            add_down(terms, t - r, line, sums[r], rests[r]);
}

template <int K, typename T>
static __device__ __forceinline__ void sum_column(const float *from, int pitch, const T &terms, int side,
                                                  float (&sums)[ROWS][ACROSS], float (&rests)[ROWS][ACROSS]) {
    if constexpr (K > 0) {
#pragma unroll
        for (int t = 0; t < K + ROWS - 1; t++)
            add_row<true>(&from[t * pitch], terms, K, t, sums, rests);
    } else {
        /* Only the first and the last rows miss some of the sums. They must not join these even with zeros for weights:
         * an infinity would leave NaN there. */
        for (int t = 0; t < ROWS - 1; t++)
            add_row<true>(&from[t * pitch], terms, side, t, sums, rests);
#pragma unroll 4
        for (int t = ROWS - 1; t < side; t++)
            add_row<false>(&from[t * pitch], terms, side, t, sums, rests);
        for (int t = max(ROWS - 1, side); t < side + ROWS - 1; t++)
            add_row<true>(&from[t * pitch], terms, side, t, sums, rests);
    }
}

template <typename In, typename Out, bool GRAY, int K>
__global__ void __launch_bounds__(THREADS_MAX)
    convolve_fused(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ typename TermsOf<In>::Type terms, int channel_count, int tile_rows,
                   const __grid_constant__ typename PointsOf<In>::Type around) {
    extern __shared__ __align__(16) float shared[];
    const int channels = GRAY ? 1 : channel_count;
    const int width = tile_width(channels), left = blockIdx.x * width, top = blockIdx.y * tile_rows;
    const int mask_width = K ? K : job.width, mask_height = K ? K : job.height;
    const Tile tile = {shared, left - mask_width / 2 - shift_of(mask_width), top - mask_height / 2,
                       tile_rows + mask_height - 1, width + margin_of(mask_width)};
    fetch<In, std::is_same<In, uint16_t>::value>(in, job, channels, tile, around);
    __syncthreads();
    /* A warp takes whole rows, so that it alone reads the pixels it overwrites. */
    const int lanes = width / ACROSS, all = tile.rows * channels;
    const int rows_at_once = 32 / lanes;
    for (int row = threadIdx.x / 32 * rows_at_once; row < all; row += blockDim.x / 32 * rows_at_once) {
        const int mine = row + threadIdx.x % 32 / lanes;
        float *from = tile.values + mine * tile.pitch + threadIdx.x % lanes * ACROSS;
        float sums[2][ACROSS] = {}, between[ACROSS];
        if (mine < all)
            sum_row<K>(from, terms, mask_width, sums);
#pragma unroll
        for (int v = 0; v < ACROSS; v++)
            between[v] = between_of(terms, sums[0][v], sums[1][v]);
        __syncwarp();
        if (mine < all)
            *(float4 *)from = make_float4(between[0], between[1], between[2], between[3]);
        __syncwarp();
    }
    __syncthreads();
    const Place place = place_of<ROWS>(channels);
    const float *from = tile.values + (place.channel * tile.rows + place.row) * tile.pitch + place.column;
    float sums[ROWS][ACROSS] = {}, rests[ROWS][ACROSS] = {};
    sum_column<K>(from, tile.pitch, terms, mask_height, sums, rests);
    if constexpr (std::is_same<In, uint16_t>::value)
#pragma unroll
        for (int r = 0; r < ROWS; r++)
#pragma unroll
            for (int v = 0; v < ACROSS; v++)
                sums[r][v] = join<Out>(sums[r][v], rests[r][v], terms.offset);
    store<Out, ROWS>(out, job, channels, tile_rows, left, top, place, sums, shared, around);
}

/* The shared memory of a tile of so many rows. */
static size_t fused_bytes(const Stage *stage, int tile_rows) {
    const Mask *mask = convolve_job(stage)->mask;
    const Shape shape = stage_shape_made(stage);
    const size_t width = (size_t)tile_width(shape.channels), channels = (size_t)shape.channels;
    const size_t fetched =
        (width + (size_t)margin_of(mask->width)) * (size_t)(tile_rows + mask->height - 1) * channels * sizeof(float);
    const size_t staged =
        width * (size_t)tile_rows * channels * (stage->points ? sizeof(float) : pixel_type_size(shape.type));
    return fetched > staged ? fetched : staged;
}

/* The kernel whose loops are unrolled for odd masks of up to MAX_SIDE a side, or the one for any mask. */
template <typename In, typename Out, bool GRAY, int MAX_SIDE> static const void *kernel_for(int side) {
    if constexpr (MAX_SIDE > 1)
        return side == MAX_SIDE ? (const void *)convolve_fused<In, Out, GRAY, MAX_SIDE>
                                : kernel_for<In, Out, GRAY, MAX_SIDE - 2>(side);
    else
        return (const void *)convolve_fused<In, Out, GRAY, 0>;
}

/* Kernels with points and those for u16 are long: fewer of them are unrolled. */
template <typename In, typename Out> static const void *kernel_of(int channels, int side) {
    if constexpr (std::is_same<In, AnyPixel>::value)
        return kernel_for<In, Out, false, 15>(side);
    else if constexpr (std::is_same<In, uint16_t>::value)
        return kernel_for<In, Out, false, 21>(side);
    else
        return channels == 1 ? kernel_for<In, Out, true, 31>(side) : kernel_for<In, Out, false, 31>(side);
}

static double absolute_sum(const double *weights, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += fabs(weights[i]);
    return sum;
}

static void put_terms(const Mask *mask, const MaskTerms *factors, Terms *terms) {
    for (int i = 0; i < mask->width; i++)
        terms->row[i] = (float)factors->rows[i];
    for (int j = 0; j < mask->height; j++)
        terms->column[j] = (float)factors->columns[j];
}

/* The row made to sum to one, so that its sums have 16 bits; the column makes up for it and for the divisor. Returns by
 * how much results are off: by the rounding of sums along rows to f32, and by the sums of rests of both passes. */
static double put_apart(const Mask *mask, const MaskTerms *factors, Apart *terms) {
    double row[WIDE_MAX], column[WIDE_MAX], squares = 0, along = 0, all = 0;
    const double sum = absolute_sum(factors->rows, mask->width);
    for (int i = 0; i < mask->width; i++)
        along += row[i] = factors->rows[i] / sum;
    for (int j = 0; j < mask->height; j++) {
        column[j] = factors->columns[j] * sum / (double)mask->divisor;
        terms->column_all[j] = (float)column[j];
        squares += column[j] * column[j];
        all += column[j];
    }
    const double error_along = take_apart(row, mask->width, terms->row, terms->row_rest);
    const double error_down = take_apart(column, mask->height, terms->column, terms->column_rest);
    terms->offset = offset_of(along * all);
    const double rounding = 0x1p-9 * 0.2887; /* standard deviation for numbers of 15 bits */
    return sqrt(squares * (rounding * rounding + error_along * error_along) + error_down * error_down);
}

static void fill_terms(const Mask *mask, const MaskTerms *factors, Sum *job, Terms *terms) {
    (void)job;
    put_terms(mask, factors, terms);
}
static void fill_terms(const Mask *mask, const MaskTerms *factors, Sum *job, Apart *terms) {
    (void)put_apart(mask, factors, terms);
    job->divisor = job->inverse = 1;
    job->outside -= MIDDLE;
}

template <typename In, typename Out> static Status launch(Queue *queue, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const GpuTerms *factors;
    const void *row, *column;
    TRY(gpu_terms(queue, mask, false, &factors, &row, &column));
    typename TermsOf<In>::Type terms = {};
    fill_terms(mask, &factors->host, &job, &terms);
    /* Tall tiles repeat fewer rows; with a large mask that is worth more than many blocks at once. */
    const size_t max = gpu_of(queue->device)->limits.sharedMemPerMultiprocessor / 3 - 1024;
    int tile_rows = mask->height > 15 && fused_bytes(stage, 2 * FUSED_ROWS) <= max ? 2 * FUSED_ROWS : FUSED_ROWS;
    const int width = tile_width(channels);
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, tile_rows)),
                           dim3((unsigned)(width / ACROSS * channels * (tile_rows / ROWS))),
                           fused_bytes(stage, tile_rows)};
    const int side = mask->width == mask->height ? mask->width : 0;
    typename PointsOf<In>::Type around;
    TRY(points_around(queue, stage, &around));
    void *arguments[] = {&in, &out, &job, &terms, &channels, &tile_rows, &around};
    return gpu_launch(queue, "convolve fused", kernel_of<In, Out>(channels, side), launch, arguments);
}

/* Whether sums of u16 in f32 round few enough values differently from sums in double. */
static bool wide_fits(const Stage *stage, const char **why_not) {
    const ConvolveJob *job = convolve_job(stage);
    const Mask *mask = job->mask;
    MaskTerms factors;
    *why_not = "for u16 it takes masks of up to 63 a side, without a bias, a border of a whole number, and stores u16";
    if (stage->out.shape.type != PIXEL_U16 || mask->width > WIDE_MAX || mask->height > WIDE_MAX || job->bias != 0 ||
        job->border.value != rintf(job->border.value) ||
        !(mask_absolute_sum(mask) > 0x1p-20 && mask_absolute_sum(mask) <= 16) ||
        mask_factor(mask, 1, &factors) != STATUS_OK)
        return false;
    *why_not = "sums of u16 in f32 would round too many values differently";
    Apart terms = {};
    const bool fits = !halves_occur(mask) && rounds_alike(stage, put_apart(mask, &factors, &terms), APART_ERROR_MAX);
    mask_terms_free(&factors);
    return fits;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_separable(device, stage, why_not))
        return false;
    if (stage_shape_read(stage).type == PIXEL_U16 && !wide_fits(stage, why_not))
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return fused_bytes(stage, FUSED_ROWS) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    typedef Status (*Run)(Queue *, const Stage *);
    if (stage->points)
        return launch<AnyPixel, AnyPixel>(queue, stage);
    return for_stored<Run>(stage, launch<PlainPixel, PlainPixel>, launch<PlainPixel, PlainPixel>,
                           launch<uint16_t, uint16_t>, NULL, launch<PlainPixel, PlainPixel>)(queue, stage);
}

extern "C" const Level cuda_convolve_fused;

static double points_ms(const Stage *stage) {
    return convolve_points_ms(&cuda_convolve_fused, stage);
}

extern "C" const Level cuda_convolve_fused = {
    .op = &op_convolve,
    .name = "fused",
    .idea = "both passes of an outer product in one kernel: the sums along the rows stay in shared memory",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .points_ms = points_ms,
    .run = run,
};
