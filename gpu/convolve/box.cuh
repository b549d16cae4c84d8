/* box.cuh: the sums of a box and their division, for all kernels of running. */
#ifndef GLINT_GPU_CONVOLVE_BOX_CUH
#define GLINT_GPU_CONVOLVE_BOX_CUH

#include "gpu/convolve/sum.cuh"

enum {
    WARPS = 4,
    THREADS = 32 * WARPS,
    EVEN = 0x00FF00FF,
};

#define MAGIC 8388608.0f /* 2^23 + n has n in its lower bits */

typedef struct Box {
    int left, right;  /* pixels that a strip has beyond its results */
    int results;      /* of a strip in a row */
    int rows, strips; /* rows of results of a strip, strips a row */
    float each;       /* result / sum of pixels, before there is a divisor */
} Box;

/* With EXACT, sums begin with the bits of 2^23 as f32, so that the sum n is the f32 number 2^23 + n. */
template <bool EXACT> static __device__ __forceinline__ uint32_t result_of(float each, const Sum &job, uint32_t sum) {
    if (EXACT)
        return __float_as_uint(fmaf(__uint_as_float(sum) - MAGIC, each, MAGIC));
    return Stored<uint8_t>::from(finish(job, (float)(int)sum * each));
}

/* Whether one rounding divides the whole sums: by an odd number, which allows no halves, or by a power of two. */
static bool divides_exactly(const Mask *mask, float bias) {
    const int count = mask->width * mask->height;
    return mask->weights[0] == 1 && mask->divisor == (float)count && bias == 0 && 255 * count < 1 << 23 &&
           (count % 2 == 1 || (count & (count - 1)) == 0);
}

#endif
