/* registers.cu: dense masks at the rate of the arithmetic units. Each thread computes several rows of 4 values and
 * keeps their sums in registers. The values of a 16-byte load from shared memory count for several places of the mask
 * in x and for several output rows in y. Pixels are converted to f32 once, when the block fetches them, into one plane
 * per channel. The weights are parameters of the kernel: constant operands of the multiply-adds, without a load. For
 * square masks of common sizes all loops over the mask are unrolled. Other masks come in chunks, so that the tile stays
 * small; each chunk is summed by itself, which keeps rounding small.
 * Sums of u16 need more than 24 bits. Their weights are taken apart (apart.cuh). For masks larger than `march` takes,
 * they are summed in chains (chains.cuh). */
#include "gpu/convolve/chains.cuh"
#include "gpu/convolve/tile.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
}

enum {
    TILE_ROWS = 32,
    CHUNK_ROWS = 8,
    CHUNK_COLUMNS = 32,
    UNROLLED_MAX = 15, /* a side of masks whose loops are unrolled */
    CHAINED_MIN = 9,   /* one of those for u16 that are summed in chains */
    SHARED_MIN = 9,    /* one of those with one kernel for bytes and f32; smaller ones wait for memory */
    THREADS_MAX = 256,
    FEW_WEIGHTS = 256,
    PARAMETER_WEIGHTS = 8064 /* of the 32764 bytes that a kernel's parameters have */
};

/* Row after row, each padded with zeros to a multiple of 4. */
template <int N> struct Weights { float4 quads[N / 4]; };

/* The rests of the weights of u16, and the share of the values' middle. */
template <int N> struct Rest {
    Offset offset;
    float4 quads[N / 4];
};
struct NoRest {};

template <typename In, int N> struct RestOf { typedef NoRest Type; };
template <int N> struct RestOf<uint16_t, N> { typedef Rest<N> Type; };

/* How a mask side of K unrolls: rows a thread; columns before the mask's first, so that all loads are aligned; 16-byte
 * loads a row. K = 0 stands for chunks of any mask. */
template <int K, bool PAIRS = false> struct Unrolled {
    enum {
        ROWS = K > 7 || PAIRS ? 4 : 8,
        SHIFT = (4 - K / 2 % 4) % 4,
        QUADS = (SHIFT + ACROSS + K - 1 + 3) / 4,
        MARGIN = 4 * QUADS - 4, /* columns of the tile beyond its width */
    };
};

/* Where a thread is in a block's tile, of which all has arrived. */
typedef struct Spot {
    Place place;
    int channels, left, top, pitch;
    const float *base; /* the first value that it reads */

    template <int QUADS> __device__ __forceinline__ void read(int row, float (&window)[4 * QUADS]) const {
#pragma unroll
        for (int q = 0; q < QUADS; q++)
            *(float4 *)&window[4 * q] = *(const float4 *)&base[row * pitch + 4 * q];
    }
} Spot;

template <typename In, bool GRAY, int K, bool PAIRS, typename Points>
static __device__ __forceinline__ Spot fetch_unrolled(const Plane &in, const Sum &job, int channel_count,
                                                      const Points &around, float *shared) {
    typedef Unrolled<K, PAIRS> U;
    const int channels = GRAY ? 1 : channel_count;
    const int width = tile_width(channels), left = blockIdx.x * width, top = blockIdx.y * TILE_ROWS;
    const Tile tile = {shared, left - K / 2 - U::SHIFT, top - K / 2, TILE_ROWS + K - 1, width + U::MARGIN};
    const Place place = place_of<U::ROWS>(channels);
    fetch<In, PAIRS>(in, job, channels, tile, around);
    __syncthreads();
    return {place, channels,   left,
            top,   tile.pitch, tile.values + (place.channel * tile.rows + place.row) * tile.pitch + place.column};
}

template <typename In, typename Out, bool GRAY, int K, int N>
__global__ void __launch_bounds__(THREADS_MAX)
    convolve_unrolled(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                      const __grid_constant__ Sum job, const __grid_constant__ Weights<N> weights, int channel_count,
                      const __grid_constant__ typename PointsOf<In>::Type around,
                      const __grid_constant__ typename RestOf<In, N>::Type rest) {
    constexpr bool PAIRS = std::is_same<In, uint16_t>::value;
    typedef Unrolled<K, PAIRS> U;
    extern __shared__ __align__(16) float shared[];
    const Spot spot = fetch_unrolled<In, GRAY, K, PAIRS>(in, job, channel_count, around, shared);
    float sums[U::ROWS][ACROSS] = {}, rests[PAIRS ? U::ROWS : 1][ACROSS] = {};
#pragma unroll
    for (int t = 0; t < K + U::ROWS - 1; t++) {
        float window[4 * U::QUADS];
        spot.read<U::QUADS>(t, window);
#pragma unroll
        for (int r = 0; r < U::ROWS; r++)
            if (t - r >= 0 && t - r < K)
#pragma unroll
                for (int k = 0; k < K; k++)
#pragma unroll
                    for (int v = 0; v < ACROSS; v++) {
                        const int at = (t - r) * ((K + 3) / 4 * 4) + k;
                        const float value = window[U::SHIFT + v + k];
                        sums[r][v] = fmaf(((const float *)weights.quads)[at], value, sums[r][v]);
                        if constexpr (PAIRS)
                            rests[r][v] = fmaf(((const float *)rest.quads)[at], value, rests[r][v]);
                    }
    }
    if constexpr (PAIRS)
#pragma unroll
        for (int r = 0; r < U::ROWS; r++)
#pragma unroll
            for (int v = 0; v < ACROSS; v++)
                sums[r][v] = join<Out>(sums[r][v], rests[r][v], rest.offset);
    store<Out, U::ROWS>(out, job, spot.channels, TILE_ROWS, spot.left, spot.top, spot.place, sums, shared, around);
}

/* Sums of u16 in chains: half of the multiply-adds. */
template <bool GRAY, int K>
__global__ void __launch_bounds__(THREADS_MAX)
    convolve_chains(const __grid_constant__ Plane in, const __grid_constant__ Plane out,
                    const __grid_constant__ Sum job, const __grid_constant__ Chains<K> chains, int channel_count,
                    const __grid_constant__ NoPoints around) {
    typedef Unrolled<K, true> U;
    extern __shared__ __align__(16) float shared[];
    const Spot spot = fetch_unrolled<uint16_t, GRAY, K, true>(in, job, channel_count, around, shared);
    Chained chained[U::ROWS][ACROSS] = {};
#pragma unroll
    for (int t = 0; t < K + U::ROWS - 1; t++) {
        float window[4 * U::QUADS];
        spot.read<U::QUADS>(t, window);
#pragma unroll
        for (int r = 0; r < U::ROWS; r++)
            if (t - r >= 0 && t - r < K)
#pragma unroll
                for (int v = 0; v < ACROSS; v++)
                    chain_row<K>(
                        chains, t - r, [&](int k) { return window[U::SHIFT + v + k]; }, chained[r][v]);
    }
    float sums[U::ROWS][ACROSS];
#pragma unroll
    for (int r = 0; r < U::ROWS; r++)
#pragma unroll
        for (int v = 0; v < ACROSS; v++)
            sums[r][v] = chain_end<K>(chains, chained[r][v]) - CHAIN_BASE;
    store<uint16_t, U::ROWS>(out, job, spot.channels, TILE_ROWS, spot.left, spot.top, spot.place, sums, shared, around);
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

/* The instance for square masks of an odd side up to MAX_SIDE. All others go in chunks, and so do sums in double, which
 * leave no room to unroll. */
template <typename In, typename Out, bool GRAY, int N, int MAX_SIDE>
static Instance instance_for(const Mask *mask, bool in_double) {
    constexpr bool WIDE = std::is_same<In, uint16_t>::value;
    if constexpr (MAX_SIDE > 1 && !(WIDE && std::is_same<Out, float>::value)) {
        typedef Unrolled<MAX_SIDE, WIDE> U;
        constexpr bool SHARED = MAX_SIDE >= SHARED_MIN && !WIDE && !std::is_same<In, AnyPixel>::value;
        typedef typename std::conditional<SHARED, PlainPixel, In>::type Read;
        typedef typename std::conditional<SHARED, PlainPixel, Out>::type Made;
        const Instance instance = {
            (const void *)convolve_unrolled<Read, Made, GRAY, MAX_SIDE, (MAX_SIDE + 3) / 4 * 4 * MAX_SIDE>, U::ROWS,
            MAX_SIDE - 1, U::MARGIN};
        return mask->width == MAX_SIDE && mask->height == MAX_SIDE && !in_double
                   ? instance
                   : instance_for<In, Out, GRAY, N, MAX_SIDE - 2>(mask, in_double);
    } else {
        const Instance instance = {(const void *)convolve_chunks<In, Out, N>, Unrolled<0>::ROWS,
                                   (mask->height < CHUNK_ROWS ? mask->height : CHUNK_ROWS) - 1,
                                   mask->width < CHUNK_COLUMNS ? (mask->width + 3) / 4 * 4 : CHUNK_COLUMNS};
        return instance;
    }
}

/* Takes the weights for u16 apart, divided. False where sums in f32 would round too many values differently from sums
 * in double. */
static bool apart_for(const Stage *stage, float *multiples, float *rests, Offset *offset) {
    const ConvolveJob *job = convolve_job(stage);
    const Mask *mask = job->mask;
    const double sum = mask_absolute_sum(mask);
    double weights[UNROLLED_MAX * UNROLLED_MAX];
    const int count = mask->width * mask->height;
    if (mask->width != mask->height || mask->width % 2 == 0 || mask->width < 3 || mask->width > UNROLLED_MAX ||
        job->bias != 0 || job->border.value != rintf(job->border.value) || !(sum > 0x1p-20 && sum < 0x1p20))
        return false;
    for (int i = 0; i < count; i++)
        weights[i] = (double)mask->weights[i] / (double)mask->divisor;
    *offset = offset_of(mask_sum(mask));
    const double error = take_apart(weights, count, multiples, rests);
    bool exact = true;
    for (int i = 0; i < count; i++)
        exact &= rests[i] == 0;
    return rounds_alike(stage, error, APART_ERROR_MAX) && (exact || !halves_occur(mask));
}

/* The chains for square masks of an odd side from CHAINED_MIN to MAX_SIDE. */
template <bool GRAY, int MAX_SIDE> static Instance chains_for(int side) {
    if constexpr (MAX_SIDE >= CHAINED_MIN) {
        typedef Unrolled<MAX_SIDE, true> U;
        const Instance instance = {(const void *)convolve_chains<GRAY, MAX_SIDE>, U::ROWS, MAX_SIDE - 1, U::MARGIN};
        return side == MAX_SIDE ? instance : chains_for<GRAY, MAX_SIDE - 2>(side);
    } else {
        return Instance();
    }
}

/* Row after row, padded. */
static void pad_rows(const Mask *mask, const float *from, float *to) {
    for (int j = 0; j < mask->height; j++)
        for (int i = 0; i < mask->width; i++)
            to[j * ((mask->width + 3) / 4 * 4) + i] = from[j * mask->width + i];
}

template <typename In, typename Out, int N> static Status launch_with(Queue *queue, const Stage *stage) {
    const Mask *mask = convolve_job(stage)->mask;
    int channels = stage->out.shape.channels;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Weights<N> weights = {};
    Rest<FEW_WEIGHTS> rest = {};
    const int width = tile_width(channels);
    float multiples[FEW_WEIGHTS], rests[FEW_WEIGHTS];
    const bool wide = std::is_same<In, uint16_t>::value;
    const bool chained = wide && std::is_same<Out, uint16_t>::value && mask->width >= CHAINED_MIN &&
                         chains_of(stage, (float *)weights.quads);
    const bool apart = !chained && wide && std::is_same<Out, uint16_t>::value && N <= FEW_WEIGHTS &&
                       apart_for(stage, multiples, rests, &rest.offset);
    if (!chained)
        pad_rows(mask, apart ? multiples : mask->weights, (float *)weights.quads);
    if (apart)
        pad_rows(mask, rests, (float *)rest.quads);
    if (apart || chained) {
        job.divisor = job.inverse = 1;
        job.outside -= MIDDLE;
    }
    const Instance instance = chained && channels == 1 ? chains_for<true, UNROLLED_MAX>(mask->width)
                              : chained                ? chains_for<false, UNROLLED_MAX>(mask->width)
                              : channels == 1 ? instance_for<In, Out, true, N, UNROLLED_MAX>(mask, wide && !apart)
                                              : instance_for<In, Out, false, N, UNROLLED_MAX>(mask, wide && !apart);
    const size_t fetched = (size_t)(width + instance.margin_columns) * (size_t)(TILE_ROWS + instance.margin_rows) *
                           (size_t)channels * sizeof(float);
    const size_t staged = (size_t)width * TILE_ROWS * (size_t)channels * PointsOf<Out>::BYTES;
    const Launch launch = {dim3(blocks_for(out.width, width), blocks_for(out.height, TILE_ROWS)),
                           dim3((unsigned)(width / ACROSS * channels * (TILE_ROWS / instance.rows))),
                           fetched > staged ? fetched : staged};
    typename std::conditional<std::is_same<In, AnyPixel>::value, PointsAround, PlainTypes>::type around;
    TRY(points_around(queue, stage, &around)); /* kernels of one type look at nothing of it */
    void *arguments[] = {&in, &out, &job, &weights, &channels, &around, &rest};
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
    *why_not = "the mask has more than the 8064 weights that a kernel's parameters hold";
    return (convolve_job(stage)->mask->width + 3) / 4 * 4 * convolve_job(stage)->mask->height <= PARAMETER_WEIGHTS;
}

extern "C" const Level cuda_convolve_registers;

/* More weights leave no room for the data that points need. */
static double points_ms(const Stage *stage) {
    return few_weights(stage) ? convolve_points_ms(&cuda_convolve_registers, stage) : -1;
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
    .points_ms = points_ms,
    .run = run,
};
