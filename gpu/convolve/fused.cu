/* fused.cu: both passes of a separable mask in one kernel. The block fetches a tile with its halo, replaces every row
 * by its sums along the row, in place, and then each thread sums down the columns; what lies between the passes never
 * leaves the chip. For odd masks of common sizes the loops are unrolled and the weights constant operands. */
#include "gpu/convolve/tile.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/accepts.h"
#include "gpu/convolve/measured.h"
}

enum { ROWS = 8, THREADS_MAX = 256, FUSED_ROWS = 32 /* of a tile */ };

typedef struct Terms {
    float row[MASK_MAX + 5];
    float column[MASK_MAX];
} Terms;

/* Columns before the mask's first, so that all loads are aligned. */
static __host__ __device__ inline int shift_of(int side) {
    return (4 - side / 2 % 4) % 4;
}
static __host__ __device__ inline int margin_of(int side) {
    return (shift_of(side) + side - 1 + 3) / 4 * 4;
}

/* The 4 sums of a row from `from` on; K = 0: a side known at run time. */
template <int K>
static __device__ __forceinline__ void sum_row(const float *from, const Terms &terms, int side, float (&sums)[ACROSS]) {
    enum { SHIFT = (4 - K / 2 % 4) % 4, QUADS = K ? (SHIFT + ACROSS + K - 1 + 3) / 4 : 1 };
    if constexpr (K > 0) {
        float window[4 * QUADS];
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            *(float4 *)&window[4 * q] = *(const float4 *)&from[4 * q];
#pragma unroll
        for (int k = 0; k < K; k++)
#pragma unroll
            for (int v = 0; v < ACROSS; v++)
                sums[v] = fmaf(terms.row[k], window[SHIFT + k + v], sums[v]);
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
                if ((unsigned)tap < (unsigned)side) {
                    const float weight = terms.row[tap];
#pragma unroll
                    for (int v = 0; v < ACROSS; v++)
                        sums[v] = fmaf(weight, window[k + v], sums[v]);
                }
            }
            *(float4 *)&window[0] = *(float4 *)&window[4];
        }
    }
}

/* Row t of those that ROWS outputs below each other reach, in each of their sums. SOME: not all reach it. */
template <bool SOME>
static __device__ __forceinline__ void add_row(const float *from, const Terms &terms, int side, int t,
                                               float (&sums)[ROWS][ACROSS]) {
    const float4 row = *(const float4 *)from;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (!SOME || (unsigned)(t - r) < (unsigned)side) {
            const float weight = terms.column[t - r];
            sums[r][0] = fmaf(weight, row.x, sums[r][0]);
            sums[r][1] = fmaf(weight, row.y, sums[r][1]);
            sums[r][2] = fmaf(weight, row.z, sums[r][2]);
            sums[r][3] = fmaf(weight, row.w, sums[r][3]);
        }
}

template <int K>
static __device__ __forceinline__ void sum_column(const float *from, int pitch, const Terms &terms, int side,
                                                  float (&sums)[ROWS][ACROSS]) {
    if constexpr (K > 0) {
#pragma unroll
        for (int t = 0; t < K + ROWS - 1; t++)
            add_row<true>(&from[t * pitch], terms, K, t, sums);
    } else {
        /* Only the first and the last rows miss some of the sums, which they must not join even with zeros for weights:
         * an infinity would leave NaN there. */
        for (int t = 0; t < ROWS - 1; t++)
            add_row<true>(&from[t * pitch], terms, side, t, sums);
#pragma unroll 4
        for (int t = ROWS - 1; t < side; t++)
            add_row<false>(&from[t * pitch], terms, side, t, sums);
        for (int t = max(ROWS - 1, side); t < side + ROWS - 1; t++)
            add_row<true>(&from[t * pitch], terms, side, t, sums);
    }
}

template <typename In, typename Out, bool GRAY, int K>
__global__ void __launch_bounds__(THREADS_MAX)
    convolve_fused(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ Terms terms, int channel_count, int tile_rows,
                   const __grid_constant__ typename PointsOf<In>::Type around) {
    extern __shared__ __align__(16) float shared[];
    const int channels = GRAY ? 1 : channel_count;
    const int width = tile_width(channels), left = blockIdx.x * width, top = blockIdx.y * tile_rows;
    const int mask_width = K ? K : job.width, mask_height = K ? K : job.height;
    const Tile tile = {shared, left - mask_width / 2 - shift_of(mask_width), top - mask_height / 2,
                       tile_rows + mask_height - 1, width + margin_of(mask_width)};
    fetch<In>(in, job, channels, tile, around);
    __syncthreads();
    /* A warp takes whole rows, so that it alone reads what it overwrites. */
    const int lanes = width / ACROSS, all = tile.rows * channels;
    const int rows_at_once = 32 / lanes;
    for (int row = threadIdx.x / 32 * rows_at_once; row < all; row += blockDim.x / 32 * rows_at_once) {
        const int mine = row + threadIdx.x % 32 / lanes;
        float *from = tile.values + mine * tile.pitch + threadIdx.x % lanes * ACROSS;
        float sums[ACROSS] = {};
        if (mine < all)
            sum_row<K>(from, terms, mask_width, sums);
        __syncwarp();
        if (mine < all)
            *(float4 *)from = make_float4(sums[0], sums[1], sums[2], sums[3]);
        __syncwarp();
    }
    __syncthreads();
    const Place place = place_of<ROWS>(channels);
    const float *from = tile.values + (place.channel * tile.rows + place.row) * tile.pitch + place.column;
    float sums[ROWS][ACROSS] = {};
    sum_column<K>(from, tile.pitch, terms, mask_height, sums);
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

/* Kernels with points are long, and wait for memory and table lookups: fewer of them are unrolled. */
template <typename In, typename Out> static const void *kernel_of(int channels, int side) {
    if constexpr (PointsOf<In>::ANY)
        return kernel_for<In, Out, false, 15>(side);
    else
        return channels == 1 ? kernel_for<In, Out, true, 31>(side) : kernel_for<In, Out, false, 31>(side);
}

template <typename In, typename Out> static Status launch(Queue *queue, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    const GpuTerms *factors;
    const void *row, *column;
    TRY(gpu_terms(queue, mask, false, &factors, &row, &column));
    Terms terms = {};
    for (int i = 0; i < mask->width; i++)
        terms.row[i] = (float)factors->host.rows[i];
    for (int j = 0; j < mask->height; j++)
        terms.column[j] = (float)factors->host.columns[j];
    /* Tall tiles repeat fewer rows; with a large mask that is worth more than many blocks at once. */
    const size_t max = gpu_of(queue->device)->limits.sharedMemPerMultiprocessor / 3 - 1024;
    int tile_rows = mask->height > 15 && fused_bytes(stage, 2 * FUSED_ROWS) <= max ? 2 * FUSED_ROWS : FUSED_ROWS;
    const int width = tile_width(channels);
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, tile_rows)),
                           dim3((unsigned)(width / ACROSS * channels * (tile_rows / ROWS))),
                           fused_bytes(stage, tile_rows)};
    const int side = mask->width == mask->height ? mask->width : 0;
    typename PointsOf<In>::Type around;
    if constexpr (PointsOf<In>::ANY)
        TRY(points_around(queue, stage, &around));
    void *arguments[] = {&in, &out, &job, &terms, &channels, &tile_rows, &around};
    return gpu_launch(queue, "convolve fused", kernel_of<In, Out>(channels, side), launch, arguments);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_separable(device, stage, why_not))
        return false;
    *why_not = "sums of u16 need double precision between the passes";
    if (stage_shape_read(stage).type == PIXEL_U16)
        return false;
    *why_not = "a tile with its halo exceeds the shared memory of a block";
    return fused_bytes(stage, FUSED_ROWS) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    typedef Status (*Run)(Queue *, const Stage *);
    if (stage->points)
        return launch<AnyPixel, AnyPixel>(queue, stage);
    return for_stored<Run>(stage, launch<uint8_t, uint8_t>, launch<uint8_t, float>, NULL, NULL,
                           launch<float, float>)(queue, stage);
}

extern "C" const Level cuda_convolve_fused = {
    .op = &op_convolve,
    .name = "fused",
    .idea = "both passes of an outer product in one kernel: the sums along the rows stay in shared memory",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .takes_points = gpu_takes_points,
    .run = run,
};
