/* polyphase.cu: both passes in one block: a tile's rows are weighed into shared memory, and along themselves from
 * there. Neighbouring results share most of their windows. They are made in groups of four, whose common window is read
 * and converted once. Where one of them does not reach, its weight is 0. In f32, where 0 times infinity would be NaN,
 * each is made by itself. */
#include "gpu/resample/axis.cuh"

extern "C" {
#include "gpu/resample/measured.h"
}

enum { THREADS = 256, TILE_ROWS = 16, TILE_COLUMNS_MAX = 128, TILE_COLUMNS_MIN = 8, SHARED_MAX = 48 << 10, GROUP = 4 };

/* Four neighbouring values of a row, at a multiple of four of them. */
static __device__ __forceinline__ void load_quad(const uint8_t *from, float (&values)[4]) {
    const uint32_t all = __ldg((const uint32_t *)from); /* a byte becomes 2^23 + byte by its place */
    values[0] = __uint_as_float(__byte_perm(all, 0x4B000000u, 0x7440)) - 8388608.0f;
    values[1] = __uint_as_float(__byte_perm(all, 0x4B000000u, 0x7441)) - 8388608.0f;
    values[2] = __uint_as_float(__byte_perm(all, 0x4B000000u, 0x7442)) - 8388608.0f;
    values[3] = __uint_as_float(__byte_perm(all, 0x4B000000u, 0x7443)) - 8388608.0f;
}
static __device__ __forceinline__ void load_quad(const uint16_t *from, double (&values)[4]) {
    const uint2 all = __ldg((const uint2 *)from);
    values[0] = (double)(all.x & 0xFFFF);
    values[1] = (double)(all.x >> 16);
    values[2] = (double)(all.y & 0xFFFF);
    values[3] = (double)(all.y >> 16);
}
static __device__ __forceinline__ void load_quad(const float *from, float (&values)[4]) {
    const float4 all = __ldg((const float4 *)from);
    values[0] = all.x;
    values[1] = all.y;
    values[2] = all.z;
    values[3] = all.w;
}

/* The weights of one pixel of a window for all results of a group. */
static __device__ __forceinline__ void load_weights(const float *from, float (&weights)[4]) {
    const float4 all = __ldg((const float4 *)from);
    weights[0] = all.x;
    weights[1] = all.y;
    weights[2] = all.z;
    weights[3] = all.w;
}
static __device__ __forceinline__ void load_weights(const double *from, double (&weights)[4]) {
    const double2 low = __ldg((const double2 *)from), high = __ldg((const double2 *)from + 1);
    weights[0] = low.x;
    weights[1] = low.y;
    weights[2] = high.x;
    weights[3] = high.y;
}
template <typename Acc> static __device__ __forceinline__ void load_weights(const Acc *from, Acc (&weights)[1]) {
    weights[0] = __ldg(from);
}

template <typename Acc> static __device__ __forceinline__ void load_pixel(const Acc *from, Acc (&values)[4]) {
    if constexpr (sizeof(Acc) == 4) {
        const float4 all = *(const float4 *)from;
        values[0] = all.x;
        values[1] = all.y;
        values[2] = all.z;
        values[3] = all.w;
    } else {
        const double2 low = *(const double2 *)from, high = *((const double2 *)from + 1);
        values[0] = low.x;
        values[1] = low.y;
        values[2] = high.x;
        values[3] = high.y;
    }
}
template <typename Acc, int C> static __device__ __forceinline__ void load_pixel(const Acc *from, Acc (&values)[C]) {
#pragma unroll
    for (int c = 0; c < C; c++)
        values[c] = from[c];
}

/* Four neighbouring sums to shared memory, at a multiple of 16 bytes. */
static __device__ __forceinline__ void store_quad(float *to, const float (&sums)[4]) {
    *(float4 *)to = make_float4(sums[0], sums[1], sums[2], sums[3]);
}
static __device__ __forceinline__ void store_quad(double *to, const double (&sums)[4]) {
    *(double2 *)to = make_double2(sums[0], sums[1]);
    *((double2 *)to + 1) = make_double2(sums[2], sums[3]);
}

/* The sums of a group as stored, packed: whole words. */
template <typename Acc, int COUNT>
static __device__ __forceinline__ void pack(const Acc (&sums)[COUNT], uint8_t *, uint32_t (&words)[COUNT / 4]) {
#pragma unroll
    for (int w = 0; w < COUNT / 4; w++) {
        uint32_t bytes[4];
#pragma unroll
        for (int i = 0; i < 4; i++) /* 2^23 + x holds x rounded in its low bits */
            bytes[i] = __float_as_uint(fminf(fmaxf((float)sums[4 * w + i], 0.0f), 255.0f) + 8388608.0f);
        words[w] =
            __byte_perm(__byte_perm(bytes[0], bytes[1], 0x0040), __byte_perm(bytes[2], bytes[3], 0x0040), 0x5410);
    }
}
template <typename Acc, int COUNT>
static __device__ __forceinline__ void pack(const Acc (&sums)[COUNT], uint16_t *, uint32_t (&words)[COUNT / 2]) {
#pragma unroll
    for (int w = 0; w < COUNT / 2; w++)
        words[w] = stored<uint16_t>(sums[2 * w]) | (uint32_t)stored<uint16_t>(sums[2 * w + 1]) << 16;
}
template <typename Acc, int COUNT>
static __device__ __forceinline__ void pack(const Acc (&sums)[COUNT], float *, uint32_t (&words)[COUNT]) {
#pragma unroll
    for (int w = 0; w < COUNT; w++)
        words[w] = __float_as_uint((float)sums[w]);
}

enum { SHIFT = 16 }; /* bytes between rows of results, so that they begin in other banks */

/* Tiles of `tile_columns` x TILE_ROWS pixels; rows in shared memory are `pitch` values apart. */
template <typename In, typename Acc, int C, int G>
__global__ void __launch_bounds__(THREADS)
    resample_polyphase(Plane in, Plane out, Axis<Acc> across, Axis<Acc> down, int tile_columns, int pitch, float bias) {
    extern __shared__ double2 shared[];
    Acc *weighed = (Acc *)shared;
    unsigned char *results = (unsigned char *)(weighed + TILE_ROWS * pitch);
    const int results_pitch = tile_columns * C * (int)sizeof(In) + SHIFT;
    const int left = blockIdx.x * tile_columns, top = blockIdx.y * TILE_ROWS;
    const int columns = min(tile_columns, out.width - left), rows = min(TILE_ROWS, out.height - top);
    const int first = across.base[left / G] * C & ~3;
    const int quads = ((across.base[(left + columns - 1) / G] + across.span) * C - first + 3) / 4;
    const int row_groups = (rows + G - 1) / G;
    for (int i = threadIdx.x; i < quads * row_groups; i += THREADS) {
        const int g = i / quads, q = i - g * quads, group = top / G + g;
        const unsigned char *from = in.pixels + (size_t)down.base[group] * in.stride + (first + 4 * q) * sizeof(In);
        const Acc *weights = down.weights + (size_t)group * down.span * G;
        Acc sums[G][4] = {};
#pragma unroll 4
        for (int k = 0; k < down.span; k++, from += in.stride, weights += G) {
            Acc values[4], by[G];
            load_quad((const In *)from, values);
            load_weights(weights, by);
#pragma unroll
            for (int r = 0; r < G; r++)
#pragma unroll
                for (int v = 0; v < 4; v++)
                    sums[r][v] += by[r] * values[v];
        }
#pragma unroll
        for (int r = 0; r < G; r++)
            store_quad(weighed + (g * G + r) * pitch + 4 * q, sums[r]);
    }
    __syncthreads();
    for (int i = threadIdx.x; i < tile_columns / G * TILE_ROWS; i += THREADS) {
        const int g = i / TILE_ROWS, row = i % TILE_ROWS, group = left / G + g;
        if (g * G >= columns || row >= rows)
            continue;
        const Acc *from = weighed + row * pitch + across.base[group] * C - first;
        const Acc *weights = across.weights + (size_t)group * across.span * G;
        constexpr int WORDS = G * C * (int)sizeof(In) / 4;
        Acc sums[G * C];
        uint32_t words[WORDS];
#pragma unroll
        for (int i = 0; i < G * C; i++)
            sums[i] = (Acc)bias;
#pragma unroll 4
        for (int k = 0; k < across.span; k++, from += C, weights += G) {
            Acc values[C], by[G];
            load_pixel(from, values);
            load_weights(weights, by);
#pragma unroll
            for (int p = 0; p < G; p++)
#pragma unroll
                for (int c = 0; c < C; c++)
                    sums[p * C + c] += by[p] * values[c];
        }
        pack(sums, (In *)nullptr, words);
        uint32_t *to = (uint32_t *)(results + row * results_pitch) + g * WORDS;
        if constexpr (WORDS % 4 == 0) {
#pragma unroll
            for (int w = 0; w < WORDS; w += 4)
                *(uint4 *)(to + w) = make_uint4(words[w], words[w + 1], words[w + 2], words[w + 3]);
        } else {
#pragma unroll
            for (int w = 0; w < WORDS; w++)
                to[w] = words[w];
        }
    }
    __syncthreads();
    const int words = columns * C * (int)sizeof(In) / 4, values = columns * C;
    for (int row = threadIdx.x / 32; row < rows; row += THREADS / 32) {
        const In *from = (const In *)(results + row * results_pitch);
        In *to = row_to<In>(out, top + row) + left * C;
        for (int i = threadIdx.x % 32; i < words; i += 32)
            ((uint32_t *)to)[i] = ((const uint32_t *)from)[i];
        for (int i = words * 4 / (int)sizeof(In) + threadIdx.x % 32; i < values; i += 32)
            to[i] = from[i];
    }
}

/* Columns of a tile, and how far apart its rows lie in shared memory. */
typedef struct TileShape {
    int columns, pitch;
    size_t bytes;
} TileShape;

/* The longest row that a tile of so many columns reads, in values, where all tiles are alike: ends are no longer. */
static TileShape tile_shape(const Stage *stage, int columns) {
    const ResampleJob *job = resample_job(stage);
    const size_t channels = (size_t)stage->out.shape.channels, n = stage->in[0].shape.width;
    const size_t real = gpu_resample_wide(stage) ? sizeof(double) : sizeof(float);
    const double reach = (columns + GROUP) * job->x.scale + resample_taps(job->kernel, &job->x, n) + 2;
    const size_t values = ((reach < (double)n ? (size_t)reach : n) * channels + 4 + 3) / 4 * 4;
    TileShape shape = {columns, (int)(values / 4 % 2 ? values : values + 4), 0}; /* rows begin in other banks */
    shape.bytes = TILE_ROWS * ((size_t)shape.pitch * real +
                               (size_t)columns * channels * pixel_type_size(stage->out.shape.type) + SHIFT);
    return shape;
}

static TileShape best_shape(const Stage *stage) {
    TileShape shape = tile_shape(stage, TILE_COLUMNS_MAX);
    while (shape.bytes > SHARED_MAX && shape.columns > TILE_COLUMNS_MIN)
        shape = tile_shape(stage, shape.columns / 2);
    return shape;
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const ResampleJob *job = resample_job(stage);
    (void)device;
    *why_not = "the nearest pixel is copied in one pass";
    if (job->kernel == RESAMPLE_NEAREST)
        return false;
    *why_not = "the window is too large for a tile in shared memory";
    if (stage->in[0].shape.type != PIXEL_U16 && gpu_resample_wide(stage))
        return false;
    if (job->y.count / TILE_ROWS >= 65535)
        return false;
    return best_shape(stage).bytes <= SHARED_MAX;
}

template <typename In, typename Acc, int C> struct ResamplePolyphase {
    static Status run(Queue *queue, const Stage *stage) {
        constexpr int group = sizeof(In) == sizeof(float) ? 1 : GROUP;
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        GpuResampleTables tables;
        TRY(gpu_resample_tables(queue, stage, group, &tables));
        Axis<Acc> across = axis_of<Acc>(tables.x), down = axis_of<Acc>(tables.y);
        TileShape shape = best_shape(stage);
        float bias = bias_of<In>();
        const Launch launch = {dim3(blocks_for(out.width, shape.columns), blocks_for(out.height, TILE_ROWS)),
                               dim3(THREADS), shape.bytes};
        void *arguments[] = {&in, &out, &across, &down, &shape.columns, &shape.pitch, &bias};
        return gpu_launch(queue, "resample polyphase", (const void *)resample_polyphase<In, Acc, C, group>, launch,
                          arguments);
    }
};

static Status run(Queue *queue, const Stage *stage) {
    switch (stage->in[0].shape.type) {
    case PIXEL_U8:
        return by_channels<ResamplePolyphase, uint8_t, float>(queue, stage);
    case PIXEL_U16:
        return by_channels<ResamplePolyphase, uint16_t, double>(queue, stage);
    default:
        return by_channels<ResamplePolyphase, float, float>(queue, stage);
    }
}

extern "C" const Level cuda_resample_polyphase = {
    .op = &op_resample,
    .name = "polyphase",
    .idea = "both passes in one block: down the columns into shared memory, along the rows from there; four neighbours "
            "share the common part of their windows",
    .accepts = accepts,
    .predictor = &resample_measured,
    .run = run,
};
