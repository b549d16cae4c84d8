/* rounded.cuh: matrices as tensor cores take them. A first kernel rounds A and B, or cuts each into planes whose sum it
 * is, and lays them into the scratch of the queue. Its time is a part of the level's. */
#ifndef GLINT_GPU_COURSE_MULTIPLY_ROUNDED_CUH
#define GLINT_GPU_COURSE_MULTIPLY_ROUNDED_CUH

#include "gpu/course/multiply/matrix.cuh"

typedef uint16_t Bf16; /* the upper half of an f32 */

/* The matrices laid out: rows begin at multiples of 16 bytes, pitches are in values. */
typedef struct Rounded {
    void *a, *b;
    size_t a_pitch, b_pitch;
} Rounded;

static inline size_t rounded_pitch(size_t values) {
    return (values + 7) / 8 * 8;
}

static __device__ __forceinline__ void put_eight(Bf16 *to, const uint32_t (&bits)[8]) {
    *(uint4 *)to =
        make_uint4(bits[0] >> 16 | bits[1], bits[2] >> 16 | bits[3], bits[4] >> 16 | bits[5], bits[6] >> 16 | bits[7]);
}
static __device__ __forceinline__ void put_eight(float *to, const uint32_t (&bits)[8]) {
    ((uint4 *)to)[0] = make_uint4(bits[0], bits[1], bits[2], bits[3]);
    ((uint4 *)to)[1] = make_uint4(bits[4], bits[5], bits[6], bits[7]);
}

/* A single plane is the rounded value. Each of several planes is cut off the rest that the ones before it left, and
 * never rounded, so that the largest value stays finite. */
template <typename T, int PLANES> static __device__ __forceinline__ uint32_t take_plane(float *left) {
    enum { DROPPED = sizeof(T) == sizeof(Bf16) ? 16 : 13 };
    const uint32_t bits = PLANES == 1 ? precision_round_bits(__float_as_uint(*left), DROPPED)
                                      : __float_as_uint(*left) & ~((1U << DROPPED) - 1);
    *left -= __uint_as_float(bits);
    return bits;
}

/* Eight values a thread, 0 behind the last one of a row; `apart`: from a plane to the next one, in values. */
template <typename T, int PLANES>
__global__ void lay_matrix(const float *__restrict__ from, size_t from_pitch, T *to, size_t to_pitch, size_t apart,
                           int width, int height, bool wide) {
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (x >= width)
        return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        float left[8];
        *(float4 *)left = four_at(from, from_pitch, y, x, height, width, wide);
        *(float4 *)(left + 4) = four_at(from, from_pitch, y, x + 4, height, width, wide);
#pragma unroll
        for (int plane = 0; plane < PLANES; plane++) {
            uint32_t bits[8];
#pragma unroll
            for (int i = 0; i < 8; i++)
                bits[i] = take_plane<T, PLANES>(&left[i]);
            put_eight(to + plane * apart + (size_t)y * to_pitch + x, bits);
        }
    }
}

enum { TURN = 32 /* side of a tile that is transposed in shared memory */ };

/* Transposed: rows become columns. Nothing is stored behind the last value of a row. */
template <typename T, int PLANES>
__global__ void lay_turned(const float *__restrict__ from, size_t from_pitch, T *to, size_t to_pitch, size_t apart,
                           int width, int height, bool) {
    static_assert(sizeof(T) == sizeof(float), "values of 16 bits need not be transposed");
    __shared__ float tile[TURN][TURN + 1];
    const int x = blockIdx.x * TURN, across = threadIdx.x;
    for (int y = blockIdx.y * TURN; y < height; y += gridDim.y * TURN) {
        for (int i = threadIdx.y; i < TURN; i += blockDim.y)
            tile[i][across] = value_at(from, from_pitch, y + i, x + across, height, width);
        __syncthreads();
        for (int i = threadIdx.y; i < TURN; i += blockDim.y) {
            float left = tile[across][i];
            if (x + i < width && y + across < height)
#pragma unroll
                for (int plane = 0; plane < PLANES; plane++)
                    to[plane * apart + (size_t)(x + i) * to_pitch + y + across] =
                        __uint_as_float(take_plane<T, PLANES>(&left));
        }
        __syncthreads();
    }
}

/* Values of T, planes of which a matrix is the sum, and whether B lies transposed. */
template <typename T, int PLANES = 1, bool B_TURNED = false> struct Layout {
    static size_t pitch(Shape shape, bool turned) { return rounded_pitch(turned ? shape.height : shape.width); }
    /* Values of a plane. */
    static size_t apart(Shape shape, bool turned) {
        return pitch(shape, turned) * (turned ? shape.width : shape.height);
    }
    /* Bytes of a matrix, a multiple of 256. */
    static size_t bytes(Shape shape, bool turned) {
        return (apart(shape, turned) * PLANES * sizeof(T) + 255) / 256 * 256;
    }
    static size_t workspace(const Device *device, const Stage *stage) {
        (void)device;
        return bytes(stage->in[0].shape, false) + bytes(stage->in[1].shape, B_TURNED);
    }
    static Status lay_one(Queue *queue, Frame in, bool turned, void *to) {
        const void *kernel = (const void *)lay_matrix<T, PLANES>;
        if constexpr (B_TURNED)
            kernel = turned ? (const void *)lay_turned<T, PLANES> : kernel;
        int width = (int)in.shape.width, height = (int)in.shape.height;
        bool wide = is_wide(in);
        size_t from_pitch = in.stride / sizeof(float), to_pitch = pitch(in.shape, turned),
               next = apart(in.shape, turned);
        void *from = in.pixels;
        const unsigned down = blocks_for(height, turned ? TURN : 8), across = blocks_for(width, turned ? TURN : 32 * 8);
        const Launch launch = {dim3(across, down < 65535 ? down : 65535), dim3(32, 8), 0};
        void *arguments[] = {&from, &from_pitch, &to, &to_pitch, &next, &width, &height, &wide};
        return gpu_launch(queue, "multiply, rounding", kernel, launch, arguments);
    }
    /* Enqueues it; the result lies in the queue's scratch. */
    static Status lay(Queue *queue, const Stage *stage, Rounded *rounded) {
        const Frame a = stage->in[0], b = stage->in[1];
        void *memory;
        TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, workspace(queue->device, stage), &memory));
        *rounded =
            Rounded{memory, (char *)memory + bytes(a.shape, false), pitch(a.shape, false), pitch(b.shape, B_TURNED)};
        TRY(lay_one(queue, a, false, rounded->a));
        return lay_one(queue, b, B_TURNED, rounded->b);
    }
};

/* Bf16 or f32, as the job's precision says. */
static inline size_t rounded_workspace(const Device *device, const Stage *stage) {
    return multiply_job(stage)->precision == PRECISION_BF16 ? Layout<Bf16>::workspace(device, stage)
                                                            : Layout<float>::workspace(device, stage);
}
static inline Status round_matrices(Queue *queue, const Stage *stage, Rounded *rounded) {
    return multiply_job(stage)->precision == PRECISION_BF16 ? Layout<Bf16>::lay(queue, stage, rounded)
                                                            : Layout<float>::lay(queue, stage, rounded);
}

#endif
