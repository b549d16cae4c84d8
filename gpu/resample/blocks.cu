/* blocks.cu: means of blocks of bytes, 2, 3 or 4 a side. Every pixel belongs to one block, and all have the same
 * weight. A thread reads the blocks of some neighbouring results as words of their rows. The bytes of a channel that
 * lie in a word are added by one instruction, a product with ones and zeros (DP4A). No byte is taken out of its word,
 * and nothing passes through shared memory. */
#include "gpu/resample/axis.cuh"

extern "C" {
#include "gpu/resample/measured.h"
}

/* A thread's results, in pixels: whole vectors of 16 bytes in, and of 8 out. */
template <int C, int SCALE> struct Blocks {
    enum {
        PIXELS = C != 3       ? 16 / C
                 : SCALE == 3 ? 16
                              : 8,
        RESULTS = PIXELS * C,
        BYTES = RESULTS * SCALE,
        WORDS = BYTES / 4,
        COUNT = SCALE * SCALE
    };
    /* The first byte of a result, in a row of its block. */
    static constexpr __host__ __device__ int first(int result) { return result / C * SCALE * C + result % C; }
    /* Ones where the word has bytes of the result. */
    static constexpr __host__ __device__ unsigned ones(int result, int word) {
        unsigned mask = 0;
        for (int i = 0; i < 4; i++) {
            const int distance = 4 * word + i - first(result);
            mask |= (distance >= 0 && distance % C == 0 && distance / C < SCALE ? 1U : 0U) << 8 * i;
        }
        return mask;
    }
};

/* `there` bytes of a row, and 0 behind them. */
template <int WORDS>
static __device__ __forceinline__ void read_row(const unsigned char *from, int there, unsigned (&words)[WORDS]) {
    if (there >= 4 * WORDS) {
#pragma unroll
        for (int i = 0; i < WORDS / 4; i++) {
            const uint4 some = __ldg((const uint4 *)from + i);
            words[4 * i] = some.x;
            words[4 * i + 1] = some.y;
            words[4 * i + 2] = some.z;
            words[4 * i + 3] = some.w;
        }
        return;
    }
#pragma unroll
    for (int i = 0; i < WORDS; i++) {
        words[i] = 0;
        for (int k = 0; k < 4; k++)
            words[i] |= (4 * i + k < there ? (unsigned)from[4 * i + k] : 0U) << 8 * k;
    }
}

template <int C, int SCALE>
__global__ void __launch_bounds__(256)
    resample_blocks(const __grid_constant__ Plane in, const __grid_constant__ Plane out) {
    typedef Blocks<C, SCALE> B;
    const int group = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const int left = out.width * C - group * B::RESULTS;
    if (left <= 0 || y >= out.height)
        return;
    const unsigned char *from = row_of<unsigned char>(in, SCALE * y) + group * B::BYTES;
    unsigned sums[B::RESULTS] = {}, words[SCALE][B::WORDS], results[B::RESULTS / 4] = {};
#pragma unroll
    for (int row = 0; row < SCALE; row++)
        read_row(from + row * in.stride, left * SCALE, words[row]);
#pragma unroll
    for (int row = 0; row < SCALE; row++)
#pragma unroll
        for (int i = 0; i < B::RESULTS; i++)
#pragma unroll
            for (int word = B::first(i) / 4; word <= (B::first(i) + (SCALE - 1) * C) / 4; word++)
                sums[i] = __dp4a(words[row][word], B::ones(i, word), sums[i]);
#pragma unroll
    for (int i = 0; i < B::RESULTS; i++)
        results[i / 4] |= (2 * sums[i] + B::COUNT) / (2 * B::COUNT) << 8 * (i % 4); /* halves go up */
    unsigned char *to = out.pixels + (size_t)y * out.stride + (size_t)group * B::RESULTS;
    if (left >= B::RESULTS) {
#pragma unroll
        for (int i = 0; i < B::RESULTS / 8; i++)
            ((uint2 *)to)[i] = make_uint2(results[2 * i], results[2 * i + 1]);
        return;
    }
    for (int i = 0; i < B::RESULTS && i < left; i++)
        to[i] = (unsigned char)(results[i / 4] >> 8 * (i % 4));
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    const int scale = gpu_resample_whole(stage);
    *why_not = "it takes means of 2, 3 or 4 bytes both ways, of pictures as wholes";
    return stage->in[0].shape.type == PIXEL_U8 && resample_job(stage)->kernel == RESAMPLE_BOX && scale >= 2 &&
           scale <= 4;
}

#define BY_SCALE(C)                                                                                                    \
    { (const void *)resample_blocks<C, 2>, (const void *)resample_blocks<C, 3>, (const void *)resample_blocks<C, 4> }

static Status run(Queue *queue, const Stage *stage) {
    static const void *const kernels[4][3] = {BY_SCALE(1), BY_SCALE(2), BY_SCALE(3), BY_SCALE(4)};
    const int channels = stage->out.shape.channels, scale = gpu_resample_whole(stage);
    const int results = channels != 3 ? 16 : scale == 3 ? 48 : 24;
    Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
    const Launch launch = {dim3(blocks_for(out.width * channels, 32 * results), blocks_for(out.height, 8)), dim3(32, 8),
                           0};
    void *arguments[] = {&in, &out};
    return gpu_launch(queue, "resample blocks", kernels[channels - 1][scale - 2], launch, arguments);
}

extern "C" const Level cuda_resample_blocks = {
    .op = &op_resample,
    .name = "blocks",
    .idea = "means of 2, 3 or 4 bytes a side: words as they lie in memory, and one instruction for all bytes of a "
            "channel in them",
    .accepts = accepts,
    .predictor = &resample_measured,
    .run = run,
};
