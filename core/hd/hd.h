/* hd.h: arithmetic shared by every backend.
 * What stands in core/hd/ compiles as C17 and as CUDA C, so that a formula exists once. */
#ifndef GLINT_CORE_HD_HD_H
#define GLINT_CORE_HD_HD_H

#ifdef __CUDACC__
#    define HD static __host__ __device__ __forceinline__
#else
#    define HD static inline
#endif

/* Defines `name`, which reads 32 bytes from a multiple of 16: on GPUs by two loads, where the compiler takes eight. */
#ifdef __CUDA_ARCH__
#    define HD_READER(type, name)                                                                                      \
        HD type name(const type *from) {                                                                               \
            union {                                                                                                    \
                float4 halves[2];                                                                                      \
                type whole;                                                                                            \
            } read;                                                                                                    \
            read.halves[0] = ((const float4 *)from)[0];                                                                \
            read.halves[1] = ((const float4 *)from)[1];                                                                \
            return read.whole;                                                                                         \
        }
#else
#    define HD_READER(type, name)                                                                                      \
        HD type name(const type *from) {                                                                               \
            return *from;                                                                                              \
        }
#endif

#endif
