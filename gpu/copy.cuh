/* copy.cuh: copies from device to shared memory that go on while the threads compute (cp.async). */
#ifndef GLINT_GPU_COPY_CUH
#define GLINT_GPU_COPY_CUH

#include <stddef.h>
#include <stdint.h>

static __device__ __forceinline__ uint32_t shared_address(const void *shared) {
    return (uint32_t)__cvta_generic_to_shared(shared);
}

/* BYTES, 4 or 16, of which the first `there` are read and the others become 0. */
template <int BYTES> static __device__ __forceinline__ void copy_async(uint32_t to, const void *from, int there) {
#if __CUDA_ARCH__ >= 800
    if (BYTES == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(there));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(there));
#endif
}
template <int BYTES> static __device__ __forceinline__ void copy_async(uint32_t to, const void *from) {
    static_assert(BYTES == 16, "the widest");
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from));
#endif
}
/* Ends a group of copies. */
static __device__ __forceinline__ void copies_end() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
/* Waits for all groups but the last `PENDING`. */
template <int PENDING> static __device__ __forceinline__ void copies_wait() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

#endif
