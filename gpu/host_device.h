/* host_device.h: definitions that core/math/host_device.h leaves to a GPU's compiler. Every .cu begins with it
 * (gpu/CMakeLists.txt). */
#ifndef GLINT_GPU_HOST_DEVICE_H
#define GLINT_GPU_HOST_DEVICE_H

#define GLINT_HD static __host__ __device__ __forceinline__

#ifdef __CUDA_ARCH__
#    define GLINT_ON_DEVICE
#    define GLINT_HD_READER(type, name)                                                                                \
        GLINT_HD type name(const type *from) {                                                                         \
            union {                                                                                                    \
                float4 parts[sizeof(type) / sizeof(float4)];                                                           \
                type whole;                                                                                            \
            } read;                                                                                                    \
            for (unsigned i = 0; i < sizeof read.parts / sizeof *read.parts; i++)                                      \
                read.parts[i] = ((const float4 *)from)[i];                                                             \
            return read.whole;                                                                                         \
        }
#endif

#endif
