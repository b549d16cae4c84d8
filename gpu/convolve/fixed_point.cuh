/* fixed_point.cuh: sums of bytes times whole weights (fixed_point.h) become bytes. */
#ifndef GLINT_GPU_CONVOLVE_FIXED_POINT_CUH
#define GLINT_GPU_CONVOLVE_FIXED_POINT_CUH

#include "gpu/convolve/sum.cuh"

extern "C" {
#include "gpu/cache.h"
#include "gpu/convolve/fixed_point.h"
}

/* How sums become results. A bias needs ROUND_DIVIDED. */
typedef enum Rounding {
    ROUND_SHIFTED, /* sums are 2^exponent times the results, and half of that is in them already */
    ROUND_SCALED,  /* results are sum * multiplier / 2^32, and half of a result's unit is in the sum already */
    ROUND_TO_EVEN, /* halves occur, and sums are 2^exponent times the results */
    ROUND_DIVIDED  /* by a divisor that allows halves, in f32 */
} Rounding;

typedef struct Scale {
    Rounding rounding;
    int multiplier, half, exponent;
    float inverse; /* results are sum * inverse, before there is a divisor */
} Scale;

/* The scale for sums with these weights. A whole divisor that is odd allows no halves, and dividing by it is exact as
 * long as sum * divisor is less than 2^32 (Granlund and Montgomery, Division by Invariant Integers using
 * Multiplication, 1994). */
static inline Scale scale_of(const FixedPointMask *whole, const Mask *mask) {
    const long divisor = (long)mask->divisor;
    Scale scale = {ROUND_DIVIDED, 0, 0, whole->exponent, (float)(1 / whole->scale)};
    double sum_of_weights = 0;
    for (int i = 0; i < mask->width * mask->height; i++)
        sum_of_weights += fabs((double)mask->weights[i]);
    if (mask->divisor == 1) {
        scale.rounding = whole->error == 0 ? ROUND_TO_EVEN : whole->power_of_two ? ROUND_SHIFTED : ROUND_SCALED;
        scale.multiplier = whole->multiplier;
        scale.half = whole->error == 0 ? 0 : (int)(whole->scale / 2);
    } else if (whole->error == 0 && whole->exponent == 0 && (float)divisor == mask->divisor && divisor % 2 == 1 &&
               divisor > 1 && (255 * sum_of_weights + (double)divisor) * (double)divisor < 0x1p32) {
        scale.rounding = ROUND_SCALED;
        scale.multiplier = (int)(0xFFFFFFFFL / divisor + 1);
        scale.half = (int)(divisor / 2);
    }
    return scale;
}

/* As GpuKept keeps it. */
typedef union ScaleFacts {
    struct {
        Scale scale;
        int more;
    };
    int facts[KEPT_FACTS];
} ScaleFacts;

/* Two sums as bytes, clamped, the first lower, below 16 bits of another word. */
static __device__ __forceinline__ uint32_t pack(int first, int second, uint32_t above) {
    uint32_t packed;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(second), "r"(first), "r"(above));
    return packed;
}

template <Rounding ROUNDING>
static __device__ __forceinline__ int rounded(const Scale &scale, const Sum &job, int sum) {
    if constexpr (ROUNDING == ROUND_SHIFTED)
        return sum >> scale.exponent;
    else if constexpr (ROUNDING == ROUND_SCALED)
        return __mulhi(sum, scale.multiplier);
    else if constexpr (ROUNDING == ROUND_TO_EVEN)
        return (sum + ((1 << scale.exponent) >> 1) - (scale.exponent ? 1 - (sum >> scale.exponent & 1) : 0)) >>
               scale.exponent;
    else
        return __float2int_rn(finish(job, (float)sum * scale.inverse));
}

#endif
