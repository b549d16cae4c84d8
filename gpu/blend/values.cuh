/* values.cuh: the parts that the course's ladder of the vector sum shares. Two opaque pictures of one type are vectors
 * of values. Two values give the same result everywhere, in mode add their sum. */
#ifndef GLINT_GPU_BLEND_VALUES_CUH
#define GLINT_GPU_BLEND_VALUES_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/blend.h"
#include "core/ops/histogram.h"
}

typedef struct Vectors {
    Plane a, b, out;
    int values; /* of a row */
} Vectors;

static inline Vectors vectors_of(const Stage *stage) {
    const Shape shape = stage->out.shape;
    const Vectors vectors = {plane_of(stage->in[0]), plane_of(stage->in[1]), plane_of(stage->out),
                             (int)shape.width * shape.channels};
    return vectors;
}

static __device__ __forceinline__ uint8_t stored_of(double value, uint8_t) {
    return Stored<uint8_t>::from((float)rint(value));
}
static __device__ __forceinline__ uint16_t stored_of(double value, uint16_t) {
    return Stored<uint16_t>::from(value);
}
static __device__ __forceinline__ float stored_of(double value, float) {
    return (float)value;
}

template <typename T> static __device__ __forceinline__ T blend_values(const BlendJob &job, T a, T b) {
    const double backdrop = (double)a, source = job.scale * (double)b;
    double out, alpha;
    blend_pixel(&job, 1, &backdrop, job.white, &source, job.white, job.opacity, &out, &alpha);
    return stored_of(out, T());
}

/* The values from `first` on, each `step` further. */
template <typename T>
static __device__ __forceinline__ void blend_every(const Vectors &vectors, const BlendJob &job, size_t first,
                                                   size_t step) {
    const size_t count = (size_t)vectors.values * (size_t)vectors.out.height;
    for (size_t i = first; i < count; i += step) {
        const int y = (int)(i / (size_t)vectors.values), x = (int)(i % (size_t)vectors.values);
        row_to<T>(vectors.out, y)[x] = blend_values(job, row_of<T>(vectors.a, y)[x], row_of<T>(vectors.b, y)[x]);
    }
}

/* Few threads take long: no more than `most` values. */
static inline bool accepts_values(const Stage *stage, double most, const char **why_not) {
    const Shape a = stage->in[0].shape, b = stage->in[1].shape;
    *why_not = "only opaque pictures of one type without a mask are vectors of values";
    if (blend_job(stage)->masked || shape_has_alpha(a) || a.type != b.type || a.channels != b.channels)
        return false;
    *why_not = "so few threads would take too long for so many values";
    return (double)a.width * (double)a.height * a.channels <= most;
}

#define BY_VALUE(kernel)                                                                                               \
    { (const void *)kernel<uint8_t>, (const void *)kernel<uint16_t>, (const void *)kernel<float> }

static inline Status run_values(Queue *queue, const Stage *stage, const char *where,
                                const void *const (&kernels)[PIXEL_TYPES], dim3 grid, dim3 block) {
    Vectors vectors = vectors_of(stage);
    BlendJob job = *blend_job(stage);
    const Launch launch = {grid, block, 0};
    void *arguments[] = {&vectors, &job};
    return gpu_launch(queue, where, kernels[stage->out.shape.type], launch, arguments);
}

#endif
