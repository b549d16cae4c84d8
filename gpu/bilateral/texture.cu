/* texture.cu: `constant` with the picture read through the texture unit. Its cache keeps pixels that are near in both
 * directions, and a pixel of several channels comes with one instruction. The unit itself clamps coordinates outside or
 * answers them with zero, so that no thread tests for them. The other borders are mapped in code. There are no textures
 * of three channels; read value by value, they are slower than without. */
#include "gpu/bilateral/tables.cuh"
#include "gpu/texture.cuh"

template <typename T, int C, bool UNIT>
__global__ void bilateral_texture(cudaTextureObject_t texture, const __grid_constant__ Plane out,
                                  const __grid_constant__ Window window) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out.width || y >= out.height)
        return;
    const auto fetch = [&](int i, int j, float(&values)[C]) {
        const int sx = UNIT ? x + i : bilateral_index(window.border, x + i, out.width);
        const int sy = UNIT ? y + j : bilateral_index(window.border, y + j, out.height);
        T pixel[C];
        texel<T, C>(texture, sx, sy, pixel);
#pragma unroll
        for (int c = 0; c < C; c++)
            values[c] = !UNIT && (sx < 0 || sy < 0) ? window.outside : (float)pixel[c];
    };
    float results[C];
    sum_window<C>(window.radius, fetch, results);
#pragma unroll
    for (int c = 0; c < C; c++)
        row_to<T>(out, y)[x * C + c] = Stored<T>::from(results[c]);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_single(stage, why_not) || !texture_fits(device, stage, why_not))
        return false;
    *why_not = "there are no textures of three channels";
    return stage->in[0].shape.channels != 3;
}

static Status run(Queue *queue, const Stage *stage) {
#define KERNELS(T, UNIT)                                                                                               \
    {                                                                                                                  \
        (const void *)bilateral_texture<T, 1, UNIT>, (const void *)bilateral_texture<T, 2, UNIT>, NULL,                \
            (const void *)bilateral_texture<T, 4, UNIT>                                                                \
    }
    static const void *const kernels[2][2][4] = {{KERNELS(uint8_t, false), KERNELS(uint8_t, true)},
                                                 {KERNELS(float, false), KERNELS(float, true)}};
    const Shape shape = stage->out.shape;
    Plane out = plane_of(stage->out);
    Window window = window_of(bilateral_job(stage));
    const bool zero = window.border == BORDER_ZERO, by_unit = window.border == BORDER_CLAMP || zero;
    cudaTextureObject_t texture;
    TRY(gpu_texture(queue, stage->in[0], shape.channels, zero ? cudaAddressModeBorder : cudaAddressModeClamp,
                    &texture));
    TRY(set_tables(queue, bilateral_job(stage)));
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&texture, &out, &window};
    return gpu_launch(queue, "bilateral texture", kernels[shape.type == PIXEL_F32][by_unit][shape.channels - 1], launch,
                      arguments);
}

extern "C" const Level cuda_bilateral_texture = {
    .op = &op_bilateral,
    .name = "texture",
    .idea = "the picture as a texture: the texture unit caches in 2D, and does clamp and zero borders by itself",
    .accepts = accepts,
    .workspace = texture_workspace,
    .run = run,
};
