/* registers.cu: dense masks at the rate of the arithmetic units. Each thread computes several rows of 4 values and
 * keeps their sums in registers: the values that a 16-byte load from shared memory brings count for several places of
 * the mask in x and for several output rows in y. Pixels are converted to f32 once, when the block fetches them, into
 * one plane per channel. The weights are parameters of the kernel: constant operands of the multiply-adds, without a
 * load. For square masks of common sizes all loops over the mask are unrolled. Other masks come in chunks, so that the
 * tile stays small; each chunk is summed by itself, which keeps rounding small. */
#include "gpu/convolve/tile.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
}

enum {
    TILE_ROWS = 32,
    CHUNK_ROWS = 8,
    CHUNK_COLUMNS = 32,
    THREADS_MAX = 256,
    FEW_WEIGHTS = 256,
    PARAMETER_WEIGHTS = 8064 /* of the 32764 bytes that a kernel's parameters have */
};

/* Row after row, each padded with zeros to a multiple of 4. */
template <int N> struct Weights { float4 quads[N / 4]; };

/* How a mask side of K unrolls: rows a thread; columns before the mask's first, so that all loads are aligned; 16-byte
 * loads a row. K = 0 stands for chunks of any mask. */
template <int K> struct Unrolled {
    enum {
        ROWS = K > 7 ? 4 : 8,
        SHIFT = (4 - K / 2 % 4) % 4,
        QUADS = (SHIFT + ACROSS + K - 1 + 3) / 4,
        MARGIN = 4 * QUADS - 4, /* columns of the tile beyond its width */
    };
};

template <typename In, typename Out, bool GRAY, int K, int N>
__global__ void __launch_bounds__(THREADS_MAX)
    convolve_unrolled(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Sum job, const __grid_constant__ Weights<N> weights, int channel_count,
                      const __grid_constant__ typename PointsOf<In>::Type around) {
    typedef Unrolled<K> U;
    extern __shared__ __align__(16) float shared[];
    const int channels = GRAY ? 1 : channel_count;
    const int width = tile_width(channels), left = blockIdx.x * width, top = blockIdx.y * TILE_ROWS;
    const Tile tile = {shared, left - K / 2 - U::SHIFT, top - K / 2, TILE_ROWS + K - 1, width + U::MARGIN};
    const Place place = place_of<U::ROWS>(channels);
    fetch<In>(in, job, channels, tile, around);
    __syncthreads();
    const float *base = tile.values + (place.channel * tile.rows + place.row) * tile.pitch + place.column;
    float sums[U::ROWS][ACROSS] = {};
#pragma unroll
    for (int t = 0; t < K + U::ROWS - 1; t++) {
        float window[4 * U::QUADS];
#pragma unroll
        for (int q = 0; q < U::QUADS; q++)
            *(float4 *)&window[4 * q] = *(const float4 *)&base[t * tile.pitch + 4 * q];
#pragma unroll
        for (int r = 0; r < U::ROWS; r++)
            if (t - r >= 0 && t - r < K)
#pragma unroll
                for (int k = 0; k < K; k++)
#pragma unroll
                    for (int v = 0; v < ACROSS; v++)
                        sums[r][v] = fmaf(((const float *)weights.quads)[(t - r) * ((K + 3) / 4 * 4) + k],
                                          window[U::SHIFT + v + k], sums[r][v]);
    }
    store<Out, U::ROWS>(out, job, channels, TILE_ROWS, left, top, place, sums, shared, around);
}

/* Compiled without contraction (gpu/point/around.cuh), so it is written out. */
static __device__ __forceinline__ float multiply_add(float a, float b, float c) {
    return fmaf(a, b, c);
}
static __device__ __forceinline__ double multiply_add(double a, double b, double c) {
    return fma(a, b, c);
}

/* N weights of each mask row that input row t meets: output row r takes mask row t - r. */
template <int N, int ROWS, typename Acc>
static __device__ __forceinline__ void add_taps(const float4 *quads, int quad_pitch, int t, int mask_rows,
                                                const float (&window)[8], Acc (&sums)[ROWS][ACROSS]) {
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if ((unsigned)(t - r) < (unsigned)mask_rows) {
            const float4 quad = quads[(t - r) * quad_pitch];
            const float weights[4] = {quad.x, quad.y, quad.z, quad.w};
#pragma unroll
            for (int k = 0; k < N; k++)
#pragma unroll
                for (int v = 0; v < ACROSS; v++)
                    sums[r][v] = multiply_add((Acc)weights[k], (Acc)window[v + k], sums[r][v]);
        }
}

template <typename In, typename Out, int N>
__global__ void __launch_bounds__(THREADS_MAX)
    convolve_chunks(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ Sum job, const __grid_constant__ Weights<N> weights, int channels,
                    const __grid_constant__ typename PointsOf<In>::Type around) {
    typedef typename Accumulator<In>::Type Acc;
    enum { ROWS = Unrolled<0>::ROWS };
    extern __shared__ __align__(16) float shared[];
    const int width = tile_width(channels), left = blockIdx.x * width, top = blockIdx.y * TILE_ROWS;
    const int quad_pitch = (job.width + 3) / 4;
    const Place place = place_of<ROWS>(channels);
    Acc totals[ROWS][ACROSS] = {};
    for (int j0 = 0; j0 < job.height; j0 += CHUNK_ROWS)
        for (int i0 = 0; i0 < job.width; i0 += CHUNK_COLUMNS) {
            const int mask_rows = min(CHUNK_ROWS, job.height - j0), mask_columns = min(CHUNK_COLUMNS, job.width - i0);
            const Tile tile = {shared, left - job.width / 2 + i0, top - job.height / 2 + j0, TILE_ROWS + mask_rows - 1,
                               width + (mask_columns + 3) / 4 * 4};
            if (j0 + i0 > 0)
                __syncthreads();
            fetch<In>(in, job, channels, tile, around);
            __syncthreads();
            Acc sums[ROWS][ACROSS] = {};
            const float *base = tile.values + (place.channel * tile.rows + place.row) * tile.pitch + place.column;
            for (int t = 0; t < mask_rows + ROWS - 1; t++) {
                float window[8];
                *(float4 *)&window[0] = *(const float4 *)&base[t * tile.pitch];
                for (int i = 0; i < mask_columns; i += 4) {
                    const float4 *quads = &weights.quads[j0 * quad_pitch + (i0 + i) / 4];
                    *(float4 *)&window[4] = *(const float4 *)&base[t * tile.pitch + i + 4];
                    const int left_over = mask_columns - i;
                    if (left_over > 3)
                        add_taps<4>(quads, quad_pitch, t, mask_rows, window, sums);
                    else if (left_over == 3)
                        add_taps<3>(quads, quad_pitch, t, mask_rows, window, sums);
                    else if (left_over == 2)
                        add_taps<2>(quads, quad_pitch, t, mask_rows, window, sums);
                    else
                        add_taps<1>(quads, quad_pitch, t, mask_rows, window, sums);
                    *(float4 *)&window[0] = *(float4 *)&window[4];
                }
            }
#pragma unroll
            for (int r = 0; r < ROWS; r++)
#pragma unroll
                for (int v = 0; v < ACROSS; v++)
                    totals[r][v] += sums[r][v];
        }
    store<Out, ROWS>(out, job, channels, TILE_ROWS, left, top, place, totals, shared, around);
}

/* One way to run a mask: its kernel, the rows a thread computes, the tile's rows and columns beyond TILE_ROWS and
 * width. */
typedef struct Instance {
    const void *kernel;
    int rows, margin_rows, margin_columns;
} Instance;

/* The instance for square masks of an odd side up to MAX_SIDE; chunks for all others. Sums of double leave no room to
 * unroll. */
template <typename In, typename Out, bool GRAY, int N, int MAX_SIDE> static Instance instance_for(const Mask *mask) {
    if constexpr (MAX_SIDE > 1 && sizeof(typename Accumulator<In>::Type) == sizeof(float)) {
        typedef Unrolled<MAX_SIDE> U;
        const Instance instance = {
            (const void *)convolve_unrolled<In, Out, GRAY, MAX_SIDE, (MAX_SIDE + 3) / 4 * 4 * MAX_SIDE>, U::ROWS,
            MAX_SIDE - 1, U::MARGIN};
        return mask->width == MAX_SIDE && mask->height == MAX_SIDE ? instance
                                                                   : instance_for<In, Out, GRAY, N, MAX_SIDE - 2>(mask);
    } else {
        const Instance instance = {(const void *)convolve_chunks<In, Out, N>, Unrolled<0>::ROWS,
                                   (mask->height < CHUNK_ROWS ? mask->height : CHUNK_ROWS) - 1,
                                   mask->width < CHUNK_COLUMNS ? (mask->width + 3) / 4 * 4 : CHUNK_COLUMNS};
        return instance;
    }
}

template <typename In, typename Out, int N> static Status launch_with(Queue *queue, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Weights<N> weights = {};
    const int padded = (mask->width + 3) / 4 * 4, width = tile_width(channels);
    for (int j = 0; j < mask->height; j++)
        for (int i = 0; i < mask->width; i++)
            ((float *)weights.quads)[j * padded + i] = mask->weights[j * mask->width + i];
    const Instance instance =
        channels == 1 ? instance_for<In, Out, true, N, 15>(mask) : instance_for<In, Out, false, N, 15>(mask);
    const size_t fetched = (size_t)(width + instance.margin_columns) * (size_t)(TILE_ROWS + instance.margin_rows) *
                           (size_t)channels * sizeof(float);
    const size_t staged = (size_t)width * TILE_ROWS * (size_t)channels * PointsOf<Out>::BYTES;
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, TILE_ROWS)),
                           dim3((unsigned)(width / ACROSS * channels * (TILE_ROWS / instance.rows))),
                           fetched > staged ? fetched : staged};
    typename PointsOf<In>::Type around;
    if constexpr (PointsOf<In>::ANY)
        TRY(points_around(queue, stage, &around));
    void *arguments[] = {&in, &out, &job, &weights, &channels, &around};
    return gpu_launch(queue, "convolve registers", instance.kernel, launch, arguments);
}

static bool few_weights(const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    return (mask->width + 3) / 4 * 4 * mask->height <= FEW_WEIGHTS;
}

template <typename In, typename Out> static Status launch(Queue *queue, const Stage *stage) {
    return few_weights(stage) ? launch_with<In, Out, FEW_WEIGHTS>(queue, stage)
                              : launch_with<In, Out, PARAMETER_WEIGHTS>(queue, stage);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask has more than 8064 weights, which is what a kernel's parameters hold";
    return (convolve_job(stage)->mask->width + 3) / 4 * 4 * convolve_job(stage)->mask->height <= PARAMETER_WEIGHTS;
}

/* More weights leave no room for what points need. */
static bool takes_points(const Stage *stage) {
    return few_weights(stage) && gpu_takes_points(stage);
}

static Status run(Queue *queue, const Stage *stage) {
    if (stage->points)
        return launch_with<AnyPixel, AnyPixel, FEW_WEIGHTS>(queue, stage);
    return for_stored<Status (*)(Queue *, const Stage *)>(stage, launch<uint8_t, uint8_t>, launch<uint8_t, float>,
                                                          launch<uint16_t, uint16_t>, launch<uint16_t, float>,
                                                          launch<float, float>)(queue, stage);
}

extern "C" const Level cuda_convolve_registers = {
    .op = &op_convolve,
    .name = "registers",
    .idea = "each thread keeps the sums of 8 x 4 values in registers, so that one 16-byte load feeds up to 128 "
            "multiply-adds",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .takes_points = takes_points,
    .run = run,
};
