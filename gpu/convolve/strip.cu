/* strip.cu: small masks on u8 at nearly the speed of a copy. A thread owns 16 bytes of a row and marches down a strip;
 * what its neighbours hold comes by shuffle, so that every pixel is loaded and converted once. Each row counts for as
 * many output rows as the mask has, whose sums roll through registers: the loop is unrolled by the mask's height, which
 * makes the rolling a renaming. The outer lanes of a warp only serve their neighbours. */
#include "gpu/kernel.cuh"

enum { BYTES = 16, WORDS = BYTES / 4, WARPS = 4, THREADS = 32 * WARPS, INNER_LANES = 30, STRIP_ROWS = 32 };

/* Row after row, with the anchor in the middle. */
template <int K> struct Weights { float values[K * K]; };

/* What lies beyond the picture's sides; out of line, since few need it. */
template <int C>
static __device__ __noinline__ uint4 load_edge(const uint8_t *row, BorderMode border, uint32_t outside, int width,
                                               int at) {
    uint32_t words[WORDS] = {};
#pragma unroll 1
    for (int i = 0; i < BYTES; i++) {
        const int pixel = (at + i + BYTES * C) / C - BYTES, c = at + i - pixel * C; /* rounds down for negatives, too */
        const int sx = inside_index(border, pixel, width);
        const uint32_t value = sx < 0 ? outside : row[sx * C + c];
        words[0] = __funnelshift_r(words[0], words[1], 8);
        words[1] = __funnelshift_r(words[1], words[2], 8);
        words[2] = __funnelshift_r(words[2], words[3], 8);
        words[3] = __funnelshift_r(words[3], value, 8);
    }
    return make_uint4(words[0], words[1], words[2], words[3]);
}

/* The 16 bytes from value `at` of row y on, borders filled in. */
template <int C> static __device__ __forceinline__ uint4 load_row(const Plane &in, const Sum &job, int at, int y) {
    const int sy = inside_index(job.border, y, in.height);
    const uint8_t *row = row_of<uint8_t>(in, sy < 0 ? 0 : sy);
    const uint32_t outside = (uint32_t)job.outside;
    if (sy < 0)
        return make_uint4(outside * 0x01010101, outside * 0x01010101, outside * 0x01010101, outside * 0x01010101);
    if (at >= 0 && at + BYTES <= in.width * C)
        return *(const uint4 *)(row + at);
    return load_edge<C>(row, job.border, outside, in.width, at);
}

static __device__ __forceinline__ float byte_of(uint32_t word, int i) {
    return (float)(word >> 8 * i & 255);
}

/* A row and SIDE words to each side of it, as values. */
template <int SIDE> static __device__ __forceinline__ void widen(const uint4 &row, float (&window)[BYTES + 8 * SIDE]) {
    const uint32_t words[WORDS] = {row.x, row.y, row.z, row.w};
#pragma unroll
    for (int i = 0; i < WORDS + 2 * SIDE; i++) {
        const uint32_t word = i < SIDE           ? __shfl_up_sync(0xFFFFFFFF, words[WORDS - SIDE + i], 1)
                              : i < SIDE + WORDS ? words[i - SIDE]
                                                 : __shfl_down_sync(0xFFFFFFFF, words[i - SIDE - WORDS], 1);
#pragma unroll
        for (int b = 0; b < 4; b++)
            window[4 * i + b] = byte_of(word, b);
    }
}

static __device__ __forceinline__ uint32_t pack(const float *sums) {
    const int rounded[4] = {__float2int_rn(sums[0]), __float2int_rn(sums[1]), __float2int_rn(sums[2]),
                            __float2int_rn(sums[3])};
    uint32_t packed;
    asm("{ .reg .b32 above; cvt.pack.sat.u8.s32.b32 above, %4, %3, 0; cvt.pack.sat.u8.s32.b32 %0, %2, %1, above; }"
        : "=r"(packed)
        : "r"(rounded[0]), "r"(rounded[1]), "r"(rounded[2]), "r"(rounded[3]));
    return packed;
}

template <int C>
static __device__ __forceinline__ void store_row(const Plane &out, const Sum &job, int at, int y,
                                                 float (&sums)[BYTES]) {
    if (job.divisor != 1 || job.bias != 0)
#pragma unroll
        for (int i = 0; i < BYTES; i++)
            sums[i] = finish(job, sums[i]);
    const uint4 packed = make_uint4(pack(sums), pack(sums + 4), pack(sums + 8), pack(sums + 12));
    uint8_t *to = row_to<uint8_t>(out, y) + at;
    if (at + BYTES <= out.width * C) {
        *(uint4 *)to = packed;
    } else {
        const uint32_t words[WORDS] = {packed.x, packed.y, packed.z, packed.w};
        for (int i = 0; i < BYTES; i++)
            if (at + i < out.width * C)
                to[i] = (uint8_t)(words[i / 4] >> i % 4 * 8);
    }
}

template <int C, int K>
__global__ void __launch_bounds__(THREADS)
    convolve_strip(const __grid_constant__ Plane in, const __grid_constant__ Plane out, const __grid_constant__ Sum job,
                   const __grid_constant__ Weights<K> weights) {
    enum { HALF = K / 2, SIDE = (HALF * C + 3) / 4 };
    const int lane = threadIdx.x % 32, warp = blockIdx.x * WARPS + threadIdx.x / 32;
    const int at = (warp * INNER_LANES + lane - 1) * BYTES, top = blockIdx.y * STRIP_ROWS;
    const bool writes = lane > 0 && lane <= INNER_LANES && at < out.width * C;
    if ((warp * INNER_LANES) * BYTES >= out.width * C)
        return;
    const int rows = min(STRIP_ROWS, out.height - top);
    float sums[K][BYTES] = {};
    uint4 next[2] = {load_row<C>(in, job, at, top - HALF), load_row<C>(in, job, at, top - HALF + 1)};
    for (int t0 = 0; t0 < rows + K - 1; t0 += K) {
#pragma unroll
        for (int u = 0; u < K; u++) {
            const int t = t0 + u;
            if (t >= rows + K - 1)
                break;
            float window[BYTES + 8 * SIDE];
            widen<SIDE>(next[0], window);
            next[0] = next[1];
            if (t + 2 < rows + K - 1)
                next[1] = load_row<C>(in, job, at, top - HALF + t + 2);
                /* Input row t is mask row j of the output row that began at t - j, whose sums are in slot (t - j) % K.
                 */
#pragma unroll
            for (int j = 0; j < K; j++)
#pragma unroll
                for (int i = 0; i < K; i++)
#pragma unroll
                    for (int v = 0; v < BYTES; v++) {
                        const float term = window[4 * SIDE + v + (i - HALF) * C];
                        float &sum = sums[(u - j + K) % K][v];
                        sum = j == 0 && i == 0 ? weights.values[0] * term : fmaf(weights.values[j * K + i], term, sum);
                    }
            if (t >= K - 1 && writes)
                store_row<C>(out, job, at, top + t - (K - 1), sums[(u + 1) % K]);
        }
    }
}

template <int C, int K> static Status launch(Device *device, const Stage *stage) {
    const Mask *mask = stage->convolve.mask;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    Sum job = sum_of(stage);
    Weights<K> weights = {};
    for (int j = 0; j < mask->height; j++)
        for (int i = 0; i < mask->width; i++)
            weights.values[(j + K / 2 - mask->height / 2) * K + i + K / 2 - mask->width / 2] =
                mask->weights[j * mask->width + i];
    const Launch launch = {
        dim3(blocks_for(out.width * C, INNER_LANES * BYTES * WARPS), blocks_for(out.height, STRIP_ROWS)), dim3(THREADS),
        0};
    void *arguments[] = {&in, &out, &job, &weights};
    return gpu_launch(device, "convolve strip", (const void *)convolve_strip<C, K>, launch, arguments);
}

extern "C" Status cuda_convolve_strip(Device *device, const Stage *stage) {
    static Status (*const launches[4][2])(Device *, const Stage *) = {{launch<1, 3>, launch<1, 5>},
                                                                      {launch<2, 3>, launch<2, 5>},
                                                                      {launch<3, 3>, launch<3, 5>},
                                                                      {launch<4, 3>, launch<4, 5>}};
    const Mask *mask = stage->convolve.mask;
    return launches[stage->out.shape.channels - 1][mask->width > 3 || mask->height > 3](device, stage);
}
