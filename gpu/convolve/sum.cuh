/* sum.cuh: the parts that the kernels of convolve share: the job's numbers, coordinates beyond the border, the last
 * step of a sum. */
#ifndef GLINT_GPU_CONVOLVE_SUM_CUH
#define GLINT_GPU_CONVOLVE_SUM_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/convolve.h"
}

/* A convolution without its pixels and its weights. */
typedef struct Sum {
    int width, height; /* of the mask */
    BorderMode border;
    float outside;          /* the border's value */
    float divisor, inverse; /* inverse = 1 / divisor */
    double inverse_wide;    /* the same, rounded to double */
    float bias;
} Sum;

static inline Sum sum_of(const Stage *stage) {
    const ConvolveJob *job = convolve_job(stage);
    const Sum sum = {job->mask->width,
                     job->mask->height,
                     job->border.mode,
                     job->border.value,
                     job->mask->divisor,
                     1 / job->mask->divisor,
                     1 / (double)job->mask->divisor,
                     job->bias};
    return sum;
}

/* Out of line, since few threads need it and its divisions are long. */
static __device__ __noinline__ int outside_index(BorderMode mode, int i, int n) {
    return (int)border_index(mode, i, n);
}

/* border_index for coordinates that are mostly inside. */
__device__ __forceinline__ int inside_index(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : outside_index(mode, i, n);
}

/* sum / divisor + bias. One Newton step makes the quotient correctly rounded, so that halves round as the reference's.
 */
__device__ __forceinline__ float finish(const Sum &job, float sum) {
    const float quotient = sum * job.inverse;
    return fmaf(fmaf(-quotient, job.divisor, sum), job.inverse, quotient) + job.bias;
}
__device__ __forceinline__ double finish(const Sum &job, double sum) {
    const double quotient = sum * job.inverse_wide;
    return fma(fma(-quotient, (double)job.divisor, sum), job.inverse_wide, quotient) + (double)job.bias;
}

#endif
