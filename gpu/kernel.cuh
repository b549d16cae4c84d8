/* kernel.cuh: the parts that kernels share: pixels as values, rounding, and the choice of an instance by pixel types.
 * Kernels are templates over the stored types In and Out and the channels C, which unrolls their inner loops. */
#ifndef GLINT_GPU_KERNEL_CUH
#define GLINT_GPU_KERNEL_CUH

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

extern "C" {
#include "gpu/gpu.h"
}

/* A frame as a kernel sees it. */
typedef struct Plane {
    unsigned char *pixels;
    size_t stride; /* bytes */
    int width, height;
} Plane;

static inline Plane plane_of(Frame frame) {
    const Plane plane = {(unsigned char *)frame.pixels, frame.stride, (int)frame.shape.width, (int)frame.shape.height};
    return plane;
}

static inline unsigned blocks_for(int count, int each) {
    return (unsigned)((count + each - 1) / each);
}

/* Sums of u16 are double: f32 would round one result in a hundred differently from the reference. */
template <typename In> struct Accumulator { typedef float Type; };
template <> struct Accumulator<uint16_t> { typedef double Type; };

template <typename T> __device__ __forceinline__ const T *row_of(Plane plane, int y) {
    return (const T *)(plane.pixels + (size_t)y * plane.stride);
}
template <typename T> __device__ __forceinline__ T *row_to(Plane plane, int y) {
    return (T *)(plane.pixels + (size_t)y * plane.stride);
}

/* Rounds to nearest even and clamps; as wide as the value was. 2^23 + x holds x rounded in its low bits. */
template <typename Out> struct Stored;
template <> struct Stored<uint8_t> {
    static __device__ __forceinline__ uint8_t from(float v) {
        return (uint8_t)__float_as_uint(fminf(fmaxf(v, 0.0f), 255.0f) + 8388608.0f);
    }
};
template <> struct Stored<uint16_t> {
    static __device__ __forceinline__ uint16_t from(float v) {
        return (uint16_t)__float_as_uint(fminf(fmaxf(v, 0.0f), 65535.0f) + 8388608.0f);
    }
    static __device__ __forceinline__ uint16_t from(double v) {
        return (uint16_t)__double2int_rn(fmin(fmax(v, 0.0), 65535.0));
    }
};
template <> struct Stored<float> {
    static __device__ __forceinline__ float from(float v) { return v; }
    static __device__ __forceinline__ float from(double v) { return (float)v; }
};

/* Calls Run<In, Out, C>::run(queue, stage) for the stage's types. out.type is in.type or f32 (core/ops/convolve.h). */
template <template <typename, typename, int> class Run, typename In, typename Out>
static Status for_channels(Queue *queue, const Stage *stage) {
    static Status (*const runs[])(Queue *, const Stage *) = {Run<In, Out, 1>::run, Run<In, Out, 2>::run,
                                                             Run<In, Out, 3>::run, Run<In, Out, 4>::run};
    return runs[stage->out.shape.channels - 1](queue, stage);
}

template <template <typename, typename, int> class Run> static Status for_types(Queue *queue, const Stage *stage) {
    const bool wide = stage->out.shape.type == PIXEL_F32;
    switch (stage->in[0].shape.type) {
    case PIXEL_U8:
        return wide ? for_channels<Run, uint8_t, float>(queue, stage)
                    : for_channels<Run, uint8_t, uint8_t>(queue, stage);
    case PIXEL_U16:
        return wide ? for_channels<Run, uint16_t, float>(queue, stage)
                    : for_channels<Run, uint16_t, uint16_t>(queue, stage);
    default:
        return for_channels<Run, float, float>(queue, stage);
    }
}

/* The one of five for the stage's stored types. */
template <typename T> static T for_stored(const Stage *stage, T u8, T u8_f32, T u16, T u16_f32, T f32) {
    const bool wide = stage->out.shape.type == PIXEL_F32;
    const T choices[PIXEL_TYPES] = {wide ? u8_f32 : u8, wide ? u16_f32 : u16, f32};
    return choices[stage->in[0].shape.type];
}

#endif
