/* whole.cuh: sums of bytes times whole weights (whole.h) become bytes. */
#ifndef GLINT_GPU_CONVOLVE_WHOLE_CUH
#define GLINT_GPU_CONVOLVE_WHOLE_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "gpu/convolve/whole.h"
}

/* How sums relate to results. */
typedef struct Scale {
    int exponent; /* sums are 2^exponent times the result's */
    bool exact;   /* the weights lost nothing: halves are halves, and must be rounded to even */
} Scale;

/* How a sum becomes a result. */
typedef enum Rounding {
    ROUND_AS_IS,   /* half of 2^exponent is in the sum already */
    ROUND_TO_EVEN, /* halves occur */
    ROUND_DIVIDED  /* there is a divisor or a bias */
} Rounding;

/* Two sums as bytes, clamped, the first lower, below 16 bits of another word. */
static __device__ __forceinline__ uint32_t pack(int first, int second, uint32_t above) {
    uint32_t packed;
    asm("cvt.pack.sat.u8.s32.b32 %0, %1, %2, %3;" : "=r"(packed) : "r"(second), "r"(first), "r"(above));
    return packed;
}

template <Rounding ROUNDING>
static __device__ __forceinline__ int rounded(const Scale &scale, const Sum &job, int sum) {
    if constexpr (ROUNDING == ROUND_AS_IS)
        return sum >> scale.exponent;
    else if constexpr (ROUNDING == ROUND_TO_EVEN)
        return (sum + ((1 << scale.exponent) >> 1) - (scale.exponent ? 1 - (sum >> scale.exponent & 1) : 0)) >>
               scale.exponent;
    else
        return __float2int_rn(finish(job, ldexpf((float)sum, -scale.exponent)));
}

#endif
