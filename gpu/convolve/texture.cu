/* texture.cu: the image read through the texture unit. Its cache keeps pixels that are near in both directions, a pixel
 * of four channels comes with one instruction, and coordinates outside are clamped or answered with zero by the unit
 * itself; the other borders are mapped in code. There are no textures of three channels: those are read value by value.
 */
#include "gpu/convolve/constant.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
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
static __device__ __forceinline__ void fetch(cudaTextureObject_t texture, int x, int y, In *to) {
    if (C == 3)
        for (int c = 0; c < C; c++)
            Texel<In, 1>::read(texture, x * C + c, y, to + c);
    else
        Texel<In, C == 3 ? 1 : C>::read(texture, x, y, to);
}

template <typename In, typename Out, int C, bool UNIT>
__global__ void convolve_texture(cudaTextureObject_t texture, Plane in, Plane out, Sum job) {
    typedef typename Accumulator<In>::Type Acc;
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    Acc sums[C] = {};
    for (int j = 0; j < job.height; j++) {
        const int ty = y + j - job.height / 2, sy = UNIT ? ty : inside_index(job.border, ty, in.height);
        Acc row_sums[C] = {};
        for (int i = 0; i < job.width; i++) {
            const int tx = x + i - job.width / 2, sx = UNIT ? tx : inside_index(job.border, tx, in.width);
            const Acc weight = constant_weights[j * job.width + i];
            In pixel[C];
            fetch<In, C>(texture, sx, sy, pixel);
            for (int c = 0; c < C; c++)
                row_sums[c] += weight * (!UNIT && (sx < 0 || sy < 0) ? (Acc)job.outside : (Acc)pixel[c]);
        }
        for (int c = 0; c < C; c++)
            sums[c] += row_sums[c];
    }
    for (int c = 0; c < C; c++)
        row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(finish(job, sums[c]));
}

/* How many values a texel holds when a frame of `channels` is read as a texture: three become one. */
static inline int texture_channels(int channels) {
    return channels == 3 ? 1 : channels;
}

template <typename In, typename Out, int C> struct Texture {
    static Status run(Queue *queue, const Stage *stage) {
        Plane in = plane_of(stage->in[0]), out = plane_of(stage->out);
        Sum job = sum_of(stage);
        const bool by_unit = C != 3 && (job.border == BORDER_CLAMP || job.border == BORDER_ZERO);
        cudaTextureObject_t texture;
        TRY(gpu_texture(queue, stage->in[0], texture_channels(C),
                        job.border == BORDER_ZERO ? cudaAddressModeBorder : cudaAddressModeClamp, &texture));
        TRY(set_constant_weights(queue, convolve_job(stage)->mask));
        const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
        void *arguments[] = {&texture, &in, &out, &job};
        return gpu_launch(queue, "convolve texture",
                          by_unit ? (const void *)convolve_texture<In, Out, C, true>
                                  : (const void *)convolve_texture<In, Out, C, false>,
                          launch, arguments);
    }
};

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    const struct cudaDeviceProp *limits = &((const GpuDevice *)device)->limits;
    const Shape shape = stage->in[0].shape;
    const size_t texels = shape.width * (size_t)shape.channels / (size_t)texture_channels(shape.channels);
    if (!accepts_constant(device, stage, why_not))
        return false;
    *why_not = "the picture is larger than a texture can be";
    return texels <= (size_t)limits->maxTexture2DLinear[0] && shape.height <= (size_t)limits->maxTexture2DLinear[1] &&
           shape_row_bytes(shape) <= (size_t)limits->maxTexture2DLinear[2];
}

static Status run(Queue *queue, const Stage *stage) {
    return for_types<Texture>(queue, stage);
}

extern "C" const Level cuda_convolve_texture = {
    .op = &op_convolve,
    .name = "texture",
    .idea = "the image as a texture: the texture unit caches in 2D, and does clamp and zero borders by itself",
    .accepts = accepts,
    .predictor = &convolve_measured,
    .run = run,
};
