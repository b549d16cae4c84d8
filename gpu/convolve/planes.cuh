/* planes.cuh: bytes of pixels sorted by their channels, in registers. */
#ifndef GLINT_GPU_CONVOLVE_PLANES_CUH
#define GLINT_GPU_CONVOLVE_PLANES_CUH

#include "gpu/kernel.cuh"

/* Four pixels of C channels from memory that is aligned to 4 bytes (8 for two channels, 16 for four), one word a
 * channel. */
template <int C> static __device__ __forceinline__ void load_planes(const uint8_t *from, uint32_t (&planes)[C]) {
    if constexpr (C == 1) {
        planes[0] = *(const uint32_t *)from;
    } else if constexpr (C == 2) {
        const uint2 words = *(const uint2 *)from;
        planes[0] = __byte_perm(words.x, words.y, 0x6420);
        planes[1] = __byte_perm(words.x, words.y, 0x7531);
    } else if constexpr (C == 3) {
        uint32_t words[3];
        for (int i = 0; i < 3; i++)
            words[i] = ((const uint32_t *)from)[i];
        planes[0] = __byte_perm(__byte_perm(words[0], words[1], 0x0630), words[2], 0x5210);
        planes[1] = __byte_perm(__byte_perm(words[0], words[1], 0x0741), words[2], 0x6210);
        planes[2] = __byte_perm(__byte_perm(words[0], words[1], 0x0052), words[2], 0x7410);
    } else {
        const uint4 words = *(const uint4 *)from;
        const uint32_t even01 = __byte_perm(words.x, words.y, 0x5140), odd01 = __byte_perm(words.x, words.y, 0x7362);
        const uint32_t even23 = __byte_perm(words.z, words.w, 0x5140), odd23 = __byte_perm(words.z, words.w, 0x7362);
        planes[0] = __byte_perm(even01, even23, 0x5410);
        planes[1] = __byte_perm(even01, even23, 0x7632);
        planes[2] = __byte_perm(odd01, odd23, 0x5410);
        planes[3] = __byte_perm(odd01, odd23, 0x7632);
    }
}

#endif
