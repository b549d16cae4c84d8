/* matrix.cuh: matrices as kernels see them: C = A B, A of rows x terms, B of terms x columns. */
#ifndef GLINT_GPU_COURSE_MULTIPLY_MATRIX_CUH
#define GLINT_GPU_COURSE_MULTIPLY_MATRIX_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/multiply.h"
#include "gpu/course/multiply/accepts.h"
}

/* Rows lie `a_pitch` values apart. */
typedef struct Matrices {
    const float *a, *b;
    float *c;
    size_t a_pitch, b_pitch, c_pitch;
    int rows, columns, terms;
} Matrices;

static inline Matrices matrices_of(const Stage *stage) {
    const MultiplySize size = multiply_size(stage);
    const Matrices matrices = {(const float *)stage->in[0].pixels,
                               (const float *)stage->in[1].pixels,
                               (float *)stage->out.pixels,
                               stage->in[0].stride / sizeof(float),
                               stage->in[1].stride / sizeof(float),
                               stage->out.stride / sizeof(float),
                               (int)size.rows,
                               (int)size.columns,
                               (int)size.terms};
    return matrices;
}

/* Whether rows begin at multiples of 16 bytes. */
static inline bool is_wide(Frame frame) {
    return ((uintptr_t)frame.pixels | frame.stride) % 16 == 0;
}

/* A value of a matrix of which `rows` and `columns` are left; 0 beyond. */
static __device__ __forceinline__ float value_at(const float *from, size_t pitch, int y, int x, int rows, int columns) {
    return y < rows && x < columns ? from[(size_t)y * pitch + x] : 0;
}
/* Four of a row, in one access where they are there and may be had so. */
static __device__ __forceinline__ float4 four_at(const float *from, size_t pitch, int y, int x, int rows, int columns,
                                                 bool wide) {
    if (wide && y < rows && x + 4 <= columns)
        return *(const float4 *)(from + (size_t)y * pitch + x);
    return make_float4(value_at(from, pitch, y, x, rows, columns), value_at(from, pitch, y, x + 1, rows, columns),
                       value_at(from, pitch, y, x + 2, rows, columns), value_at(from, pitch, y, x + 3, rows, columns));
}
static __device__ __forceinline__ void put_four(const Matrices &m, int y, int x, const float *values, bool wide) {
    float *to = m.c + (size_t)y * m.c_pitch + x;
    if (y >= m.rows)
        return;
    if (wide && x + 4 <= m.columns)
        *(float4 *)to = make_float4(values[0], values[1], values[2], values[3]);
    else
#pragma unroll
        for (int i = 0; i < 4; i++)
            if (x + i < m.columns)
                to[i] = values[i];
}

static inline bool is_paired(Frame frame) {
    return ((uintptr_t)frame.pixels | frame.stride) % sizeof(float2) == 0;
}
static __device__ __forceinline__ void put_two(const Matrices &m, int y, int x, float first, float second, bool wide) {
    float *to = m.c + (size_t)y * m.c_pitch + x;
    if (y >= m.rows)
        return;
    if (wide && x + 1 < m.columns)
        *(float2 *)to = make_float2(first, second);
    else {
        if (x < m.columns)
            to[0] = first;
        if (x + 1 < m.columns)
            to[1] = second;
    }
}

static inline Status launch_tiles(Queue *queue, const char *where, const void *kernel, Matrices m, int tile_rows,
                                  int tile_columns, int threads) {
    const Launch launch = {dim3(blocks_for(m.columns, tile_columns), blocks_for(m.rows, tile_rows)),
                           dim3((unsigned)threads), 0};
    void *arguments[] = {&m};
    return gpu_launch(queue, where, kernel, launch, arguments);
}

#endif
