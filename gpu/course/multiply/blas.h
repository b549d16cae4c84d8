/* blas.h: cuBLAS, loaded at run time, so that the program runs without it. */
#ifndef GLINT_GPU_COURSE_MULTIPLY_BLAS_H
#define GLINT_GPU_COURSE_MULTIPLY_BLAS_H

#include "core/math/precision.h"
#include "gpu/gpu.h"

/* Whether cuBLAS can be loaded here. */
bool blas_is_there(void);

/* A product of matrices in row order, pitches in values: C = A B. A and B hold bf16 if that is the precision, else f32.
 */
typedef struct BlasProduct {
    Precision precision;
    const void *a, *b;
    float *c;
    size_t a_pitch, b_pitch, c_pitch;
    int rows, columns, terms;
} BlasProduct;

/* Enqueues it. STATUS_DEVICE if cuBLAS cannot. */
Status blas_multiply(Queue *queue, const BlasProduct *product);

#endif
