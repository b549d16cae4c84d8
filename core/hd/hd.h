/* hd.h: arithmetic shared by every backend.
 * What stands in core/hd/ compiles as C17 and as CUDA C, so that a formula exists once. */
#ifndef GLINT_CORE_HD_HD_H
#define GLINT_CORE_HD_HD_H

#ifdef __CUDACC__
#    define HD static __host__ __device__ __forceinline__
#else
#    define HD static inline
#endif

#endif
