/* product.cu: the histogram of bytes as a product of matrices. Each pixel has a row of 16 bits by its upper half and
 * one by its lower half, all 0 but for one. Over many pixels, count(upper, lower) is the product of the one matrix,
 * transposed, with the other. Tensor cores multiply bits by AND and add by counting ones. Nothing depends on which
 * values meet, as it does with atomics.
 * A lane makes words of 32 pixels each. First it makes a plane for each of the 8 bits, by exchanging bits between 8
 * words (Warren, Hacker's Delight, 7-3). Then it makes, for each half, a word for each value of its lower three bits,
 * besides the plane of the fourth. Through shared memory these 18 words come to the lanes that mma.sync wants them from
 * (PTX ISA, 9.7.14, "Matrix Fragments for mma.m16n8k256"). In which order pixels go along the sum is all the same, so
 * that a lane takes words in sequence. */
#include "gpu/histogram/count.cuh"

extern "C" {
#include "gpu/histogram/measured.h"
}

enum {
    WARPS = 16,
    THREADS = 32 * WARPS,
    BLOCKS_EACH = 2, /* on a multiprocessor */
    BINS = 256,
    VALUES = 8,         /* of three bits */
    WORDS = VALUES + 1, /* of half a byte: these, and the plane of the fourth bit */
    PITCH = 36,         /* words from one row of shared memory to the next, so that 8 rows lie in different banks */
    UNIT = Unit<uint8_t>::PIXELS
};

/* The bits of a where the mask has ones, else those of b; of two masks the compiler would make two instructions. */
static __device__ __forceinline__ uint32_t merge(uint32_t a, uint32_t b, uint32_t mask) {
    uint32_t merged;
    asm("lop3.b32 %0, %1, %2, %3, 0xE4;" : "=r"(merged) : "r"(a), "r"(b), "r"(mask));
    return merged;
}

/* Puts the lower N of every 2 N bits of both words into `a`, and the upper ones into `b`. */
template <int N> static __device__ __forceinline__ void exchange(uint32_t &a, uint32_t &b, uint32_t lower) {
    const uint32_t first = merge(a, b << N, lower), second = merge(a >> N, b, lower);
    a = first;
    b = second;
}

/* Eight words of four bytes become eight planes, of bit 0 first. */
static __device__ __forceinline__ void planes_of(uint32_t (&words)[8]) {
#pragma unroll
    for (int i = 0; i < 4; i++)
        exchange<4>(words[i], words[i + 4], 0x0F0F0F0F);
#pragma unroll
    for (int i = 0; i < 8; i += i % 2 ? 3 : 1)
        exchange<2>(words[i], words[i + 2], 0x33333333);
#pragma unroll
    for (int i = 0; i < 8; i += 2)
        exchange<1>(words[i], words[i + 1], 0x55555555);
}

/* Stores the words for half a byte of this lane's pixels. */
static __device__ __forceinline__ void put_half(uint32_t *to, const uint32_t *planes) {
#pragma unroll
    for (int value = 0; value < VALUES; value++)
        to[value * PITCH] = (value & 1 ? planes[0] : ~planes[0]) & (value & 2 ? planes[1] : ~planes[1]) &
                            (value & 4 ? planes[2] : ~planes[2]);
    to[VALUES * PITCH] = planes[3];
}

/* Four words for the lane's value, without the fourth bit and with it. */
typedef struct Half {
    uint32_t lower[4], upper[4];
} Half;

static __device__ __forceinline__ Half get_half(const uint32_t *values, const uint32_t *fourth) {
    const uint4 some = *(const uint4 *)values, bit = *(const uint4 *)fourth;
    return Half{{some.x & ~bit.x, some.y & ~bit.y, some.z & ~bit.z, some.w & ~bit.w},
                {some.x & bit.x, some.y & bit.y, some.z & bit.z, some.w & bit.w}};
}

/* 16 values of A's by 8 of B's, over 256 pixels. */
static __device__ __forceinline__ void multiply(uint32_t (&sums)[4], const Half &a, uint32_t b0, uint32_t b1, int at) {
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+r"(sums[0]), "+r"(sums[1]), "+r"(sums[2]), "+r"(sums[3])
        : "r"(a.lower[at]), "r"(a.upper[at]), "r"(a.lower[at + 1]), "r"(a.upper[at + 1]), "r"(b0), "r"(b1));
#else
    (void)sums, (void)a, (void)b0, (void)b1, (void)at;
#endif
}

/* Adds 1024 pixels, 32 of each lane, to the warp's sums: of the lower halves below 8, and of the others. */
static __device__ __forceinline__ void add_pixels(uint32_t (&sums)[2][4], uint32_t (&words)[8], uint32_t *mine) {
    const int lane = threadIdx.x % 32, value = lane / 4, first = lane % 4 * 8;
    planes_of(words);
    put_half(mine + lane, words);
    put_half(mine + WORDS * PITCH + lane, words + 4);
    __syncwarp();
#pragma unroll
    for (int i = first; i < first + 8; i += 4) {
        const Half low = get_half(mine + value * PITCH + i, mine + VALUES * PITCH + i);
        const Half high = get_half(mine + (WORDS + value) * PITCH + i, mine + (WORDS + VALUES) * PITCH + i);
#pragma unroll
        for (int at = 0; at < 4; at += 2) {
            multiply(sums[0], high, low.lower[at], low.lower[at + 1], at);
            multiply(sums[1], high, low.upper[at], low.upper[at + 1], at);
        }
    }
    __syncwarp();
}

/* A warp takes 512 neighbours in each of two rows at a time. Where a row ends before, zeros stand, which are taken out
 * of the count in the end. */
__global__ void __launch_bounds__(THREADS, BLOCKS_EACH)
    histogram_product(const __grid_constant__ Plane in, const __grid_constant__ Plane out) {
    extern __shared__ __align__(16) uint32_t shared[];
    __shared__ uint32_t bins[BINS];
    begin_counts(bins, BINS);
    uint32_t *mine = shared + threadIdx.x / 32 * 2 * WORDS * PITCH;
    const int lane = threadIdx.x % 32, warp = blockIdx.x * WARPS + threadIdx.x / 32, warps = gridDim.x * WARPS;
    const int whole = in.width / UNIT, across = (whole + 31) / 32, step = across < warps ? warps / max(across, 1) : 1;
    const size_t down = step * in.stride;
    uint32_t sums[2][4] = {}, padded = 0;
    for (int column = warp % max(across, 1); column < across; column += min(warps, across)) {
        const bool here = column * 32 + lane < whole;
        int y = warp / across;
        if (y >= step)
            break; /* a warp too many */
        const unsigned char *from = row_of<unsigned char>(in, y) + (column * 32 + lane) * UNIT;
        const auto load = [&](int rows) {
            return here && y + rows * step < in.height ? *(const uint4 *)(from + rows * down) : make_uint4(0, 0, 0, 0);
        };
        uint4 first = load(0), second = load(1);
        for (; y < in.height; y += 2 * step, from += 2 * down) {
            uint32_t words[8] = {first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w};
            padded += !here ? 2 : y + step >= in.height ? 1 : 0;
            first = load(2);
            second = load(3);
            add_pixels(sums, words, mine);
        }
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        atomicAdd(&bins[(lane / 4 + (i & 2 ? 8 : 0)) * 16 + i / 4 * 8 + lane % 4 * 2 + i % 2], sums[i / 4][i % 4]);
    atomicSub(&bins[0], padded * UNIT);
    const int rest = in.width - whole * UNIT;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < rest * in.height; i += gridDim.x * THREADS)
        atomicAdd(&bins[row_of<uint8_t>(in, i / rest)[whole * UNIT + i % rest]], 1u);
    end_counts(bins, BINS, out);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const Shape in = stage->in[0].shape;
    *why_not = "it takes one channel of u8";
    if (in.type != PIXEL_U8 || in.channels != 1)
        return false;
    *why_not = "tensor cores that count bits came with compute capability 8.0";
    return ((const GpuDevice *)device)->limits.major >= 8;
}

static Status run(Queue *queue, const Stage *stage) {
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const int most = BLOCKS_EACH * gpu_of(queue->device)->limits.multiProcessorCount;
    const int blocks = (int)blocks_for(in.height, 2) * (in.width / (32 * UNIT) + 1) / WARPS + 1;
    const Launch launch = {dim3((unsigned)(blocks < most ? blocks : most)), dim3(THREADS),
                           WARPS * 2 * WORDS * PITCH * sizeof(uint32_t)};
    void *arguments[] = {&in, &out};
    TRY(clear_counts(queue, stage));
    return gpu_launch(queue, "histogram product", (const void *)histogram_product, launch, arguments);
}

extern "C" const Level cuda_histogram_product = {
    .op = &op_histogram,
    .name = "product",
    .idea = "a product of matrices of bits: tensor cores count, for each pair of half bytes, the pixels that have both",
    .accepts = accepts,
    .predictor = &histogram_measured,
    .run = run,
};
