/* window.cuh: the sums of both masks at one value, with a border test at every tap. */
#ifndef GLINT_GPU_DERIVATIVE_WINDOW_CUH
#define GLINT_GPU_DERIVATIVE_WINDOW_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/derivative.h"
}

template <typename Out> static __device__ __forceinline__ Out stored_double(double value) {
    return Stored<Out>::from(value);
}
template <> __device__ __forceinline__ uint8_t stored_double<uint8_t>(double value) {
    return (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
}

/* A value as the masks see it, times the pixel's alpha if the job says so: nothing shows where there is none. */
template <typename In, int C>
static __device__ double derivative_seen(const Plane &in, const DerivativeJob &job, int x, int y, int c) {
    const int sx = (int)border_index(job.border.mode, x, in.width),
              sy = (int)border_index(job.border.mode, y, in.height);
    if (sx < 0 || sy < 0)
        return (double)job.border.value * (job.alpha ? job.white : 1);
    const In *pixel = row_of<In>(in, sy) + sx * C;
    const double alpha = job.alpha ? (double)pixel[C - 1] : 1;
    return alpha > 0 ? (double)pixel[c] * alpha : 0;
}

/* One value of the result, in double precision. Weights of 0 are not read. */
template <typename In, typename Out, int C>
static __device__ void derivative_at(const Plane &in, const Plane &out, const DerivativeJob &job, int x, int y, int c) {
    const double last = (double)row_of<In>(in, y)[x * C + C - 1];
    double gx = 0, gy = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++) {
            const int wx = derivative_weight_x(&job, i, j), wy = derivative_weight_y(&job, i, j);
            const double value = wx != 0 || wy != 0 ? derivative_seen<In, C>(in, job, x + i, y + j, c) : 0;
            gx += wx != 0 ? wx * value : 0;
            gy += wy != 0 ? wy * value : 0;
        }
    const double value = job.alpha && c == C - 1 ? last : derivative_value(&job, gx, gy, last);
    row_to<Out>(out, y)[x * C + c] = stored_double<Out>(value);
}

#endif
