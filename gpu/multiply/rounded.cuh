/* rounded.cuh: matrices as tensor cores take them: a first kernel rounds A and B to the job's precision and lays them
 * into the scratch of the queue, rows at multiples of 16 bytes, 0 behind their last value. What it takes is a part of
 * the level's time. */
#ifndef GLINT_GPU_MULTIPLY_ROUNDED_CUH
#define GLINT_GPU_MULTIPLY_ROUNDED_CUH

#include "gpu/multiply/matrix.cuh"

typedef uint16_t Bf16; /* the upper half of an f32 */

/* The rounded matrices; pitches in values. Bf16 or f32, as the precision says. */
typedef struct Rounded {
    void *a, *b;
    size_t a_pitch, b_pitch;
} Rounded;

static inline size_t rounded_pitch(size_t values) {
    return (values + 7) / 8 * 8;
}
static inline size_t rounded_value(Precision precision) {
    return precision == PRECISION_BF16 ? sizeof(Bf16) : sizeof(float);
}
/* Bytes of a matrix, a multiple of 256. */
static inline size_t rounded_bytes(const Stage *stage, int k) {
    const Shape shape = stage->in[k].shape;
    const size_t bytes = rounded_pitch(shape.width) * shape.height * rounded_value(multiply_job(stage)->precision);
    return (bytes + 255) / 256 * 256;
}
static inline size_t rounded_workspace(const Device *device, const Stage *stage) {
    (void)device;
    return rounded_bytes(stage, 0) + rounded_bytes(stage, 1);
}

/* Eight values a thread. */
template <typename T>
__global__ void round_matrix(const float *__restrict__ from, size_t from_pitch, T *to, size_t to_pitch, int width,
                             int height, bool wide) {
    enum { DROPPED = sizeof(T) == sizeof(Bf16) ? 16 : 13 };
    const int x = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
    if (x >= width)
        return;
    for (int y = blockIdx.y * blockDim.y + threadIdx.y; y < height; y += gridDim.y * blockDim.y) {
        uint32_t bits[8];
#pragma unroll
        for (int i = 0; i < 8; i += 4) {
            const float4 four = four_at(from, from_pitch, y, x + i, height, width, wide);
            bits[i] = precision_round_bits(__float_as_uint(four.x), DROPPED);
            bits[i + 1] = precision_round_bits(__float_as_uint(four.y), DROPPED);
            bits[i + 2] = precision_round_bits(__float_as_uint(four.z), DROPPED);
            bits[i + 3] = precision_round_bits(__float_as_uint(four.w), DROPPED);
        }
        uint4 *row = (uint4 *)(to + (size_t)y * to_pitch + x);
        if (sizeof(T) == sizeof(Bf16))
            row[0] = make_uint4(bits[0] >> 16 | bits[1], bits[2] >> 16 | bits[3], bits[4] >> 16 | bits[5],
                                bits[6] >> 16 | bits[7]);
        else {
            row[0] = make_uint4(bits[0], bits[1], bits[2], bits[3]);
            row[1] = make_uint4(bits[4], bits[5], bits[6], bits[7]);
        }
    }
}

/* Enqueues the rounding; the result lies in the queue's scratch. */
static inline Status round_matrices(Queue *queue, const Stage *stage, Rounded *rounded) {
    const bool half = multiply_job(stage)->precision == PRECISION_BF16;
    const void *kernel = half ? (const void *)round_matrix<Bf16> : (const void *)round_matrix<float>;
    void *memory;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, rounded_workspace(queue->device, stage), &memory));
    rounded->a = memory;
    rounded->b = (char *)memory + rounded_bytes(stage, 0);
    rounded->a_pitch = rounded_pitch(stage->in[0].shape.width);
    rounded->b_pitch = rounded_pitch(stage->in[1].shape.width);
    for (int k = 0; k < 2; k++) {
        const Frame in = stage->in[k];
        int width = (int)in.shape.width, height = (int)in.shape.height;
        bool wide = is_wide(in);
        size_t from_pitch = in.stride / sizeof(float), to_pitch = k ? rounded->b_pitch : rounded->a_pitch;
        void *from = in.pixels, *to = k ? rounded->b : rounded->a;
        const unsigned down = blocks_for(height, 8);
        const Launch launch = {dim3(blocks_for(width, 32 * 8), down < 65535 ? down : 65535), dim3(32, 8), 0};
        void *arguments[] = {&from, &from_pitch, &to, &to_pitch, &width, &height, &wide};
        TRY(gpu_launch(queue, "multiply, rounding", kernel, launch, arguments));
    }
    return STATUS_OK;
}

#endif
