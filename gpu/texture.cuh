/* texture.cuh: pixels from textures over frames. There are no textures of three channels: those are read value by
 * value.
 */
#ifndef GLINT_GPU_TEXTURE_CUH
#define GLINT_GPU_TEXTURE_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "gpu/texture.h"
}

/* The texel type of In with N channels, and its channels as an array. */
template <typename In, int N> struct Texel;
#define TEXEL(In, N, Type, ...)                                                                                        \
    template <> struct Texel<In, N> {                                                                                  \
        static __device__ __forceinline__ void read(cudaTextureObject_t texture, int x, int y, In *to) {               \
            const Type t = tex2D<Type>(texture, (float)x, (float)y);                                                   \
            const In values[N] = {__VA_ARGS__};                                                                        \
            for (int c = 0; c < N; c++)                                                                                \
                to[c] = values[c];                                                                                     \
        }                                                                                                              \
    };
TEXEL(uint8_t, 1, uint8_t, t)
TEXEL(uint8_t, 2, uchar2, t.x, t.y)
TEXEL(uint8_t, 4, uchar4, t.x, t.y, t.z, t.w)
TEXEL(uint16_t, 1, uint16_t, t)
TEXEL(uint16_t, 2, ushort2, t.x, t.y)
TEXEL(uint16_t, 4, ushort4, t.x, t.y, t.z, t.w)
TEXEL(float, 1, float, t)
TEXEL(float, 2, float2, t.x, t.y)
TEXEL(float, 4, float4, t.x, t.y, t.z, t.w)

/* By reading texels (N = C) or, where there are none of C channels, single values (N = 1). */
template <typename In, int C>
static __device__ __forceinline__ void texel(cudaTextureObject_t texture, int x, int y, In *to) {
    if (C == 3)
        for (int c = 0; c < C; c++)
            Texel<In, 1>::read(texture, x * C + c, y, to + c);
    else
        Texel<In, C == 3 ? 1 : C>::read(texture, x, y, to);
}

/* How many values a texel holds when a frame of `channels` is read as a texture: three become one. */
static inline int texture_channels(int channels) {
    return channels == 3 ? 1 : channels;
}

/* Whether in[0] is a texture's size. */
static inline bool texture_fits(const Device *device, const Stage *stage, const char **why_not) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    const Shape shape = stage->in[0].shape;
    const size_t texels = shape.width * (size_t)shape.channels / (size_t)texture_channels(shape.channels);
    *why_not = "the picture is larger than a texture can be";
    return texels <= (size_t)limits->maxTexture2DLinear[0] && shape.height <= (size_t)limits->maxTexture2DLinear[1] &&
           shape_row_bytes(shape) <= (size_t)limits->maxTexture2DLinear[2];
}

/* Level.workspace of levels with a texture over in[0]: the copy that gpu_texture may make. */
static inline size_t texture_workspace(const Device *device, const Stage *stage) {
    const Shape shape = stage->in[0].shape;
    return device->backend->frame_stride(shape) * shape.height;
}

#endif
