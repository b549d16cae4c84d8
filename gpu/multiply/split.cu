/* split.cu: products of f32 on the tensor cores of Hopper, which multiply bf16. A value is the sum of three bf16,
 * exactly: its significand of 24 bits is cut into three of eight. Six of the nine products of two such sums count, the
 * others are below the last bit of f32 (Henry, Tang and Heinecke, "Leveraging the bfloat16 artificial intelligence
 * datatype for higher-precision computations", 2019). Tensor cores cut off what they add, so their sums go no further
 * than one step of 64 terms: those are added up outside, rounded as f32 is (Ootomo and Yokota, "Recovering single
 * precision accuracy from tensor cores while surpassing the FP32 theoretical peak performance", 2022). */
#include "gpu/multiply/hopper.cuh"
#include "gpu/multiply/rounded.cuh"

enum { PARTS = 3 };

struct Parts : Way<128, PARTS, 2> {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    /* The product of a part of A and one of B in shared memory is added to sums, or begins them. */
    static __device__ __forceinline__ void add(float (&sums)[SUMS], uint32_t a, uint32_t b, bool begins) {
#    pragma unroll
        for (int i = 0; i < TERMS / 16; i++)
            multiply_tiles(sums, tile_at(a + i * 32, 16), tile_at(b + i * 16 * 128, BOX_BYTES), !begins || i > 0);
    }
    static __device__ __forceinline__ void consume(const Product &m, int group, const Room &room) {
        const Tiles tiles = tiles_of<Parts>(m);
        const bool tells = threadIdx.x % GROUP < CLUSTER; /* each thread tells one block */
        Ring ring = {0, 0};
        float sums[SUMS], totals[SUMS];
        for (int tile = blockIdx.x / CLUSTER; tile < tiles.across * tiles.down; tile += gridDim.x / CLUSTER) {
            int top, left;
            place_of<Parts>(tiles, tile, &top, &left);
#    pragma unroll
            for (int i = 0; i < SUMS; i++)
                totals[i] = 0;
            for (int k = 0; k < m.to.terms; k += TERMS, ring_next<Parts>(&ring)) {
                const uint32_t a = room.steps + ring.step * STEP_BYTES + group * (64 * TERMS * 2);
                const uint32_t b = room.steps + ring.step * STEP_BYTES + PARTS * A_BYTES;
                barrier_wait(room.full + ring.step * 8, ring.phase);
                products_begin();
#    pragma unroll
                for (int rank = PARTS - 1; rank >= 0; rank--) /* the smallest first */
#    pragma unroll
                    for (int of_a = 0; of_a <= rank; of_a++)
                        add(sums, a + of_a * A_BYTES, b + (rank - of_a) * B_BYTES, rank == PARTS - 1 && of_a == 0);
                products_end();
                products_done(sums);
                if (tells)
                    barrier_arrive(room.empty + ring.step * 8, threadIdx.x % GROUP);
#    pragma unroll
                for (int i = 0; i < SUMS; i++)
                    totals[i] += sums[i];
            }
            store_sums(m, totals, top + group * 64, left);
        }
    }
#endif
};

__global__ void __cluster_dims__(CLUSTER, 1, 1) __launch_bounds__(THREADS, 1)
    multiply_split(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
                   const __grid_constant__ Product m) {
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    multiply_hopper<Parts>(a, b, m);
#endif
}

/* Eight values a thread; `apart`: from a part to the next one, in values. What is cut off is never rounded, so that the
 * largest value stays finite. */
__global__ void split_matrix(const float *__restrict__ from, size_t from_pitch, Bf16 *to, size_t to_pitch, size_t apart,
                             int width, int height, bool wide) {
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (x >= width)
        return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        float left[8];
        *(float4 *)left = four_at(from, from_pitch, y, x, height, width, wide);
        *(float4 *)(left + 4) = four_at(from, from_pitch, y, x + 4, height, width, wide);
#pragma unroll
        for (int part = 0; part < PARTS; part++) {
            uint32_t bits[8];
#pragma unroll
            for (int i = 0; i < 8; i++) {
                bits[i] = __float_as_uint(left[i]) & 0xFFFF0000U;
                left[i] -= __uint_as_float(bits[i]);
            }
            *(uint4 *)(to + part * apart + (size_t)y * to_pitch + x) = make_uint4(
                bits[0] >> 16 | bits[1], bits[2] >> 16 | bits[3], bits[4] >> 16 | bits[5], bits[6] >> 16 | bits[7]);
        }
    }
}

/* Bytes of the parts of a matrix. */
static size_t parts_bytes(Shape shape) {
    return (rounded_pitch(shape.width) * shape.height * PARTS * sizeof(Bf16) + 255) / 256 * 256;
}
static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return parts_bytes(stage->in[0].shape) + parts_bytes(stage->in[1].shape);
}

static Status split(Queue *queue, Frame in, Bf16 *to) {
    int width = (int)in.shape.width, height = (int)in.shape.height;
    bool wide = is_wide(in);
    size_t from_pitch = in.stride / sizeof(float), to_pitch = rounded_pitch(in.shape.width);
    size_t apart = to_pitch * in.shape.height;
    void *from = in.pixels;
    const unsigned down = blocks_for(height, 8);
    const Launch launch = {dim3(blocks_for(width, 32 * 8), down < 65535 ? down : 65535), dim3(32, 8), 0};
    void *arguments[] = {&from, &from_pitch, &to, &to_pitch, &apart, &width, &height, &wide};
    return gpu_launch(queue, "multiply, splitting", (const void *)split_matrix, launch, arguments);
}

enum { SIDE_MAX = 0x7FFFFFFF / PARTS /* rows of a tensor map are counted by whole numbers */ };

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const MultiplySize size = multiply_size(stage);
    *why_not = "it is for values of f32: bf16 needs no parts";
    if (multiply_job(stage)->precision != PRECISION_F32)
        return false;
    *why_not = "matrices are higher than it counts";
    return size.rows <= SIDE_MAX && size.terms <= SIDE_MAX && accepts_hopper(device, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    const Frame a = stage->in[0], b = stage->in[1];
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
    Bf16 *a_parts = (Bf16 *)memory, *b_parts = (Bf16 *)((char *)memory + parts_bytes(a.shape));
    TRY(split(queue, a, a_parts));
    TRY(split(queue, b, b_parts));
    return run_hopper<Parts>(queue, stage, "multiply split", (const void *)multiply_split, a_parts,
                             rounded_pitch(a.shape.width), b_parts, rounded_pitch(b.shape.width));
}

extern "C" const Level cuda_multiply_split = {
    .op = &op_multiply,
    .name = "split",
    .idea = "f32 on tensor cores: each value is the sum of three bf16, and six products of them are as good as one",
    .accepts = accepts,
    .workspace = workspace,
    .run = run,
};
