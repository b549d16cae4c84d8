/* pairs.cu: an atomic counts two bytes at once: a pair is one of 65536, and its count tells of both bytes in the end.
 * A block counts in 128 KiB of shared memory. Two counts of 16 bits share a word: those of pairs with a first byte
 * below 128 and from there on. To look at each count whether it goes past 65535 would cost a fifth. But where one does,
 * it loses 65536, or 65535 and the neighbour in its word gains 1. The sum of all counts is then less than the number of
 * pairs. A block that finds it so counts again, byte by byte. 16 bytes of one value, as in a flat picture, are one
 * addition. */
#include "gpu/histogram/count.cuh"

extern "C" {
#include "gpu/histogram/measured.h"
}

enum { THREADS = 1024, WARPS = THREADS / 32, BINS = 256, WORDS = 32768, UNIT = Unit<uint8_t>::PIXELS, AHEAD = 2 };

/* Calls unit(bytes) for each 16 bytes of a row that fall to this thread, while the next ones are on their way. Calls
 * rest(byte) for the last bytes of a row. */
template <typename Whole, typename Rest>
static __device__ __forceinline__ void for_bytes(const Plane &in, int shift, Whole unit, Rest rest) {
    const int across = 1 << shift, down = THREADS >> shift;
    const int first = blockIdx.x * down + (threadIdx.x >> shift), step = gridDim.x * down;
    for (int x = (threadIdx.x & (across - 1)) * UNIT; x < in.width; x += across * UNIT)
        if (x + UNIT <= in.width) {
            const auto load = [&](int y) {
                return y < in.height ? *(const uint4 *)(row_of<uint8_t>(in, y) + x) : make_uint4(0, 0, 0, 0);
            };
            uint4 next[AHEAD];
#pragma unroll
            for (int i = 0; i < AHEAD; i++)
                next[i] = load(first + i * step);
            for (int y = first; y < in.height; y += AHEAD * step) {
                uint4 now[AHEAD];
#pragma unroll
                for (int i = 0; i < AHEAD; i++) {
                    now[i] = next[i];
                    next[i] = load(y + (AHEAD + i) * step);
                }
#pragma unroll
                for (int i = 0; i < AHEAD; i++)
                    if (y + i * step < in.height)
                        unit(now[i]);
            }
        } else
            for (int y = first; y < in.height; y += step)
                for (int i = x; i < in.width; i++)
                    rest(row_of<uint8_t>(in, y)[i]);
}

static __device__ __forceinline__ bool is_flat(const uint4 &bytes) {
    const uint32_t flat = __byte_perm(bytes.x, 0, 0);
    return bytes.x == flat && bytes.y == flat && bytes.z == flat && bytes.w == flat;
}

/* 16 bytes of `value` for each lane that is here; the first lane adds for all that have its value. */
static __device__ __forceinline__ void add_flat(uint32_t *sums, uint32_t value) {
    const unsigned lanes = __activemask();
    const int first = __ffs((int)lanes) - 1, lane = threadIdx.x % 32;
    const bool same = value == __shfl_sync(lanes, value, first);
    const unsigned many = __ballot_sync(lanes, same);
    if (!same || lane == first)
        atomicAdd(&sums[value], UNIT * (same ? (uint32_t)__popc(many) : 1u));
}

/* Pairs of bytes 8 apart: a byte of the first two words, and one of the last two. */
static __device__ __forceinline__ uint32_t pair_of(const uint4 &bytes, int i) {
    const uint32_t two = i < 4 ? __byte_perm(bytes.x, bytes.z, i & 2 ? 0x7362 : 0x5140)
                               : __byte_perm(bytes.y, bytes.w, i & 2 ? 0x7362 : 0x5140);
    return i & 1 ? two >> 16 : two & 0xFFFF;
}

/* Adds the counts of both bytes, from the pairs' counts, to `sums`; returns this thread's share of the sum of all
 * counts. */
static __device__ uint32_t add_bytes(const uint32_t *counts, uint32_t *sums) {
    enum { FIRSTS = WORDS / BINS, APART = THREADS / BINS, LANES = THREADS / FIRSTS, PART = BINS / LANES };
    const int last = threadIdx.x % BINS, first = threadIdx.x / LANES, part = threadIdx.x % LANES;
    uint32_t of_last = 0, of_first[2] = {0, 0};
    for (int i = threadIdx.x / BINS; i < FIRSTS; i += APART) {
        const uint32_t word = counts[i * BINS + last];
        of_last += (word & 0xFFFF) + (word >> 16);
    }
    for (int i = 0; i < PART; i++) { /* lanes begin apart, so that they read from different banks */
        const uint32_t word = counts[first * BINS + part * PART + (i + threadIdx.x) % PART];
        of_first[0] += word & 0xFFFF;
        of_first[1] += word >> 16;
    }
    atomicAdd(&sums[last], of_last);
    for (int upper = 0; upper < 2; upper++) {
        uint32_t sum = of_first[upper];
        for (int apart = LANES / 2; apart > 0; apart /= 2)
            sum += __shfl_xor_sync(0xFFFFFFFF, sum, apart);
        if (part == 0)
            atomicAdd(&sums[first + FIRSTS * upper], sum);
    }
    return of_last;
}

/* Adds the counts that add_bytes would have added had no count been too large; each warp counts by itself. */
static __device__ __noinline__ void count_again(const Plane &in, int shift, uint32_t *counts, uint32_t *sums) {
    begin_counts(counts, WARPS * BINS);
    uint32_t *mine = counts + threadIdx.x / 32 * BINS;
    for_bytes(
        in, shift,
        [&](const uint4 &bytes) {
            if (!is_flat(bytes))
                for (int i = 0; i < UNIT / 2; i++) {
                    const uint32_t pair = pair_of(bytes, i);
                    atomicAdd(&mine[pair & 0xFF], 1u);
                    atomicAdd(&mine[pair >> 8], 1u);
                }
        },
        [](uint8_t) {});
    __syncthreads();
    if (threadIdx.x < BINS)
        for (int warp = 0; warp < WARPS; warp++)
            sums[threadIdx.x] += counts[warp * BINS + threadIdx.x];
}

__global__ void __launch_bounds__(THREADS)
    histogram_pairs(const __grid_constant__ Plane in, const __grid_constant__ Plane out, int shift) {
    extern __shared__ uint32_t counts[];
    __shared__ uint32_t sums[BINS], of_pairs[BINS], missing;
    if (threadIdx.x < BINS)
        sums[threadIdx.x] = of_pairs[threadIdx.x] = 0;
    if (threadIdx.x == 0)
        missing = 0;
    begin_counts(counts, WORDS);
    uint32_t pairs = 0;
    for_bytes(
        in, shift,
        [&](const uint4 &bytes) {
            if (is_flat(bytes))
                add_flat(sums, bytes.x & 0xFF);
            else {
#pragma unroll
                for (int i = 0; i < UNIT / 2; i++) {
                    const uint32_t pair = pair_of(bytes, i);
                    atomicAdd(&counts[pair & (WORDS - 1)], pair & WORDS ? 0x10000u : 1u);
                }
                pairs += UNIT / 2;
            }
        },
        [&](uint8_t byte) { atomicAdd(&sums[byte], 1u); });
    __syncthreads();
    atomicAdd(&missing, pairs - add_bytes(counts, of_pairs));
    __syncthreads();
    if (missing)
        count_again(in, shift, counts, sums);
    else if (threadIdx.x < BINS)
        sums[threadIdx.x] += of_pairs[threadIdx.x];
    if (threadIdx.x < BINS && sums[threadIdx.x])
        atomicAdd(row_to<uint32_t>(out, 0) + threadIdx.x, sums[threadIdx.x]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "it takes one channel of u8, and 131 KiB of shared memory a block";
    const Shape in = stage->in[0].shape;
    return in.type == PIXEL_U8 && in.channels == 1 &&
           (WORDS + 2 * BINS + 1) * sizeof(uint32_t) <= ((const GpuDevice *)device)->limits.sharedMemPerBlockOptin;
}

static Status run(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    int shift = unit_shift(in.width, UNIT, THREADS);
    const int most = gpu_of(queue->device)->limits.multiProcessorCount;
    const int blocks = (int)blocks_for(in.height, THREADS >> shift);
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS), WORDS * sizeof(uint32_t)};
    void *arguments[] = {&in, &out, &shift};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram pairs", (const void *)histogram_pairs, launch, arguments);
}

extern "C" const Level cuda_histogram_pairs = {
    .op = &op_histogram,
    .name = "pairs",
    .idea = "two bytes are one value of 65536: an atomic counts both, in 16 bits of shared memory",
    .accepts = accepts,
    .predictor = &histogram_measured,
    .run = run,
};
