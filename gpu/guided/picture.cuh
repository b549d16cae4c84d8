/* picture.cuh: a picture of any type for kernels of the guided filter, and results on their way to one. */
#ifndef GLINT_GPU_GUIDED_PICTURE_CUH
#define GLINT_GPU_GUIDED_PICTURE_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/ops/guided.h"
}

typedef struct Picture {
    Plane plane;
    PixelType type;
    int channels;
} Picture;

static inline Picture picture_of(Frame frame) {
    const Picture picture = {plane_of(frame), frame.shape.type, frame.shape.channels};
    return picture;
}

static __device__ __forceinline__ int index_of(BorderMode mode, int i, int n) {
    return (unsigned)i < (unsigned)n ? i : (int)border_index(mode, i, n);
}
static __device__ __forceinline__ double stored_at(const Picture &picture, int x, int y, int c) {
    const int at = x * picture.channels + c;
    return picture.type == PIXEL_U8    ? (double)row_of<uint8_t>(picture.plane, y)[at]
           : picture.type == PIXEL_U16 ? (double)row_of<uint16_t>(picture.plane, y)[at]
                                       : (double)row_of<float>(picture.plane, y)[at];
}

static __device__ __forceinline__ void store_at(const Picture &out, int x, int y, int c, double value) {
    const int at = x * out.channels + c;
    if (out.type == PIXEL_U8)
        row_to<uint8_t>(out.plane, y)[at] = (uint8_t)__double2int_rn(fmin(fmax(value, 0.0), 255.0));
    else if (out.type == PIXEL_U16)
        row_to<uint16_t>(out.plane, y)[at] = Stored<uint16_t>::from(value);
    else
        row_to<float>(out.plane, y)[at] = (float)value;
}

#endif
