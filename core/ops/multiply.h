/* multiply.h: the operation multiply: a product of matrices.
 * A matrix is a gray f32 picture: a row of it is a row of pixels. in[0] is A, M x K (K wide, M high), in[1] is B, K x
 * N; out is C = A B, M x N. The values of A and B are first rounded to the job's precision (core/math/precision.h).
 * Products are added as f32 or better. A value that is not finite makes sums that are not finite, whichever. */
#ifndef GLINT_CORE_OPS_MULTIPLY_H
#define GLINT_CORE_OPS_MULTIPLY_H

#include "core/math/precision.h"
#include "core/stage/stage.h"

typedef struct MultiplyJob {
    Precision precision;
} MultiplyJob;

extern const char *const precision_names[PRECISIONS]; /* "f32", "tf32", "bf16" */
extern const Op op_multiply;

/* By how much a sum of `terms` products, added in f32 in any order, may be off, if no product exceeds 1:
 * terms * 2^-24 * (2 sqrt(terms) + 4). */
double multiply_error(size_t terms);

static inline const MultiplyJob *multiply_job(const Stage *stage) {
    return (const MultiplyJob *)stage->job;
}

/* M, N and K. */
typedef struct MultiplySize {
    size_t rows, columns, terms;
} MultiplySize;

static inline MultiplySize multiply_size(const Stage *stage) {
    const MultiplySize size = {stage->out.shape.height, stage->out.shape.width, stage->in[0].shape.width};
    return size;
}

#endif
