/* accepts.h: which convolutions several levels can do. */
#ifndef GLINT_GPU_CONVOLVE_ACCEPTS_H
#define GLINT_GPU_CONVOLVE_ACCEPTS_H

#include "core/ops/convolve.h"
#include "gpu/convolve/fixed_point.h"
#include "gpu/gpu.h"

#include <math.h>

static inline bool accepts_separable(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "the mask is no outer product of a row and a column";
    return mask_separable(convolve_job(stage)->mask);
}

/* u8 in, u8 out, and a border's value that is a byte, too. */
static inline bool bytes_only(const Stage *stage, const char **why_not) {
    const float outside = convolve_job(stage)->border.value;
    *why_not = "it works on bytes: u8 in and u8 out";
    if (stage->in[0].shape.type != PIXEL_U8 || stage->out.shape.type != PIXEL_U8)
        return false;
    *why_not = "it works on bytes, and the border's value is none";
    return outside == rintf(outside) && outside >= 0 && outside <= 255;
}

/* Whether the tensor cores can take these pixels. */
static inline bool accepts_bytes(const Device *device, const Stage *stage, const char **why_not) {
    *why_not = "this GPU's tensor cores do not multiply bytes; they do from compute capability 8.0 on";
    return ((const GpuDevice *)device)->limits.major >= 8 && bytes_only(stage, why_not);
}

/* Whether results that are off by a normally distributed error of this deviation, at most `max`, round as the
 * reference's. The rule allows exceptions (core/stage/tolerance.h): one, and one in a thousand. Four fifths of the
 * deviation are the share that rounds differently; small pictures have room for chance. */
static inline bool rounds_alike(const Stage *stage, double deviation, double max) {
    const Shape shape = stage->out.shape;
    const double values = (double)shape.width * (double)shape.height * shape.channels;
    const double differ = 0.8 * deviation * values;
    return deviation <= max && differ + 4 * sqrt(differ) <= 1 + values / 1000;
}

#define TENSOR_ERROR_MAX 7e-4

/* Whether the tensor cores can take this mask as whole numbers. */
static inline bool accepts_fixed_point(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_bytes(device, stage, why_not))
        return false;
    *why_not = "weights of 16 bits would round too many values differently";
    FixedPointMask whole;
    const bool exact = fixed_point_mask(convolve_job(stage)->mask, &whole) == STATUS_OK &&
                       rounds_alike(stage, whole.error, TENSOR_ERROR_MAX);
    fixed_point_mask_free(&whole);
    return exact;
}

#endif
