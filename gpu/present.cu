/* present.cu: a frame stored into a surface: the texels of a texture that OpenGL draws. */
extern "C" {
#include "gpu/interop.h"
}

#include "core/math/texel.h"
#include "gpu/kernel.cuh"

/* The type that holds N values of type T and is stored at once. */
template <typename T, int N> struct Texel;
template <> struct Texel<uint8_t, 1> { typedef uchar1 Type; };
template <> struct Texel<uint8_t, 2> { typedef uchar2 Type; };
template <> struct Texel<uint8_t, 4> { typedef uchar4 Type; };
template <> struct Texel<uint16_t, 1> { typedef ushort1 Type; };
template <> struct Texel<uint16_t, 2> { typedef ushort2 Type; };
template <> struct Texel<uint16_t, 4> { typedef ushort4 Type; };
template <> struct Texel<float, 1> { typedef float1 Type; };
template <> struct Texel<float, 2> { typedef float2 Type; };
template <> struct Texel<float, 4> { typedef float4 Type; };

/* One thread a texel. The fourth value of a pixel that has three is never looked at. */
template <typename T, int C> __global__ void present(Plane in, cudaSurfaceObject_t surface) {
    constexpr int N = TEXEL_CHANNELS(C);
    typedef typename Texel<T, N>::Type Whole;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= in.width || y >= in.height)
        return;
    Whole texel;
    if (C == N) {
        texel = row_of<Whole>(in, y)[x];
    } else {
        T values[N] = {};
#pragma unroll
        for (int c = 0; c < C; c++)
            values[c] = row_of<T>(in, y)[x * C + c];
        memcpy(&texel, values, sizeof texel);
    }
    surf2Dwrite(texel, surface, x * (int)sizeof texel, y);
}

#define BY_CHANNELS(T)                                                                                                 \
    {                                                                                                                  \
        (const void *)present<T, 1>, (const void *)present<T, 2>, (const void *)present<T, 3>,                         \
            (const void *)present<T, 4>                                                                                \
    }
static const void *const kernels[PIXEL_TYPES][4] = {BY_CHANNELS(uint8_t), BY_CHANNELS(uint16_t), BY_CHANNELS(float)};

extern "C" Status gpu_present(Queue *queue, Frame frame, cudaSurfaceObject_t surface) {
    Plane in = plane_of(frame);
    const Launch launch = {dim3(blocks_for(in.width, 32), blocks_for(in.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&in, &surface};
    return gpu_launch(queue, "present", kernels[frame.shape.type][frame.shape.channels - 1], launch, arguments);
}
