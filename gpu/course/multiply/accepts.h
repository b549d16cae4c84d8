/* accepts.h: checks that levels of the product share. */
#ifndef GLINT_GPU_COURSE_MULTIPLY_ACCEPTS_H
#define GLINT_GPU_COURSE_MULTIPLY_ACCEPTS_H

#include "core/ops/multiply.h"
#include "gpu/gpu.h"

static inline bool multiply_accepts_f32(const Device *device, const Stage *stage, const char **why_not) {
    (void)device;
    *why_not = "it takes values as they are, and tf32 and bf16 are for tensor cores";
    return multiply_job(stage)->precision == PRECISION_F32;
}

#endif
