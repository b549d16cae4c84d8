/* texture.cu: the image read through the texture unit. Its cache keeps pixels that are near in both directions, and a
 * pixel of four channels comes with one instruction. The unit itself clamps coordinates outside or answers them with
 * zero. The other borders are mapped in code. There are no textures of three channels: those are read value by
 * value. */
#include "gpu/convolve/constant.cuh"
#include "gpu/texture.cuh"

extern "C" {
#include "gpu/convolve/measured.h"
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
            texel<In, C>(texture, sx, sy, pixel);
            for (int c = 0; c < C; c++)
                row_sums[c] += weight * (!UNIT && (sx < 0 || sy < 0) ? (Acc)job.outside : (Acc)pixel[c]);
        }
        for (int c = 0; c < C; c++)
            sums[c] += row_sums[c];
    }
    for (int c = 0; c < C; c++)
        row_to<Out>(out, y)[x * C + c] = Stored<Out>::from(finish(job, sums[c]));
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
    return accepts_constant(device, stage, why_not) && texture_fits(device, stage, why_not);
}

static Status run(Queue *queue, const Stage *stage) {
    return for_types<Texture>(queue, stage);
}

extern "C" const Level cuda_convolve_texture = {
    .op = &op_convolve,
    .name = "texture",
    .idea = "the image as a texture: the texture unit caches in 2D, and does clamp and zero borders by itself",
    .accepts = accepts,
    .workspace = texture_workspace,
    .predictor = &convolve_measured,
    .run = run,
};
