/* constant.cuh: spheres in constant memory, for the levels that read them from there. Each includes its own copy. */
#ifndef GLINT_GPU_TRACE_CONSTANT_CUH
#define GLINT_GPU_TRACE_CONSTANT_CUH

#include "gpu/trace/trace.cuh"

extern "C" {
#include "gpu/trace/accepts.h"
}

enum { CONSTANT_SPHERES = 65536 / sizeof(Sphere) };

static __constant__ Sphere constant_spheres[CONSTANT_SPHERES];

/* Puts spheres from `first` on there; enqueued, so that kernels before it see the old ones. */
static inline Status fill(Queue *queue, const GpuScene *scene, unsigned first, unsigned count) {
    TRY(gpu_take_constants(queue));
    CUDA_TRY(cudaMemcpyToSymbolAsync(constant_spheres, scene->spheres + first, count * sizeof(Sphere), 0,
                                     cudaMemcpyDeviceToDevice, gpu_queue(queue)->stream));
    return STATUS_OK;
}

/* `first` is the scene's index of the first sphere there. */
static __device__ __forceinline__ void offer_constant(Hit *hit, unsigned first, unsigned count, const Ray &ray) {
    for (unsigned i = 0; i < count; i++)
        hit_offer(hit, sphere_centre(&constant_spheres[i]), constant_spheres[i].radius, first + i, ray);
}

#endif
