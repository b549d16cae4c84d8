/* constant.cuh: the mask in constant memory, for the levels that read it from there. Each includes its own copy. */
#ifndef GLINT_GPU_CONVOLVE_CONSTANT_CUH
#define GLINT_GPU_CONVOLVE_CONSTANT_CUH

#include "gpu/convolve/sum.cuh"

extern "C" {
#include "gpu/cache.h"
}

enum { CONSTANT_WEIGHTS = 15360 }; /* 60 KiB of the 64 that constant memory has */

__constant__ static float constant_weights[CONSTANT_WEIGHTS];

/* On the stream, so that kernels enqueued before still see the old mask. */
static inline Status set_constant_weights(Queue *queue, const Mask *mask) {
    const float *weights;
    TRY(gpu_mask(queue, mask, &weights));
    TRY(gpu_take_constants(queue));
    CUDA_TRY(cudaMemcpyToSymbolAsync(constant_weights, weights,
                                     (size_t)mask->width * (size_t)mask->height * sizeof(float), 0,
                                     cudaMemcpyDeviceToDevice, gpu_queue(queue)->stream));
    return STATUS_OK;
}

static inline bool accepts_constant(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask has more than 15360 weights, which is what constant memory holds";
    return convolve_job(stage)->mask->width * convolve_job(stage)->mask->height <= CONSTANT_WEIGHTS;
}

#endif
