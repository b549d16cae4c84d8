/* host_device.h: arithmetic shared by every backend.
 * What stands in core/math/ compiles as C17 and as CUDA C, so that a formula exists once. */
#ifndef GLINT_CORE_MATH_HOST_DEVICE_H
#define GLINT_CORE_MATH_HOST_DEVICE_H

#ifdef __CUDACC__
#    define GLINT_HD static __host__ __device__ __forceinline__
#else
#    define GLINT_HD static inline
#endif

/* Defines `name`, which reads 32 bytes from a multiple of 16: on GPUs by two loads, where the compiler takes eight. */
#ifdef __CUDA_ARCH__
#    define GLINT_HD_READER(type, name)                                                                                \
        GLINT_HD type name(const type *from) {                                                                         \
            union {                                                                                                    \
                float4 halves[2];                                                                                      \
                type whole;                                                                                            \
            } read;                                                                                                    \
            read.halves[0] = ((const float4 *)from)[0];                                                                \
            read.halves[1] = ((const float4 *)from)[1];                                                                \
            return read.whole;                                                                                         \
        }
#else
#    define GLINT_HD_READER(type, name)                                                                                \
        GLINT_HD type name(const type *from) {                                                                         \
            return *from;                                                                                              \
        }
#endif

#endif
