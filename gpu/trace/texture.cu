/* texture.cu: the spheres as a texture of four floats a texel, which comes through the texture unit's cache. */
#include "gpu/trace/trace.cuh"

extern "C" {
#include "gpu/trace/accepts.h"
}

/* CUDA C++ Programming Guide, technical specifications: 1D texture, linear memory */
enum { TEXELS_MAX = 1 << 27 };

__global__ void trace_texture(const __grid_constant__ View view, cudaTextureObject_t balls, int count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    for (int i = 0; i < count; i++)
        offer_ball(&hit, tex1Dfetch<float4>(balls, i), (uint32_t)i, pixel.ray);
    show(view, pixel, hit);
}

static bool accepts(const Device *device, const Stage *stage, const char **why_not) {
    if (!accepts_nearest(device, stage, why_not))
        return false;
    *why_not = "the scene has more spheres than a texture over memory can have texels";
    return trace_job(stage)->scene->count <= TEXELS_MAX;
}

static Status run(Queue *queue, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(queue, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->texture, &scene->count};
    return gpu_launch(queue, "trace texture", (const void *)trace_texture, launch_of(view), arguments);
}

extern "C" const Level cuda_trace_texture = {
    .op = &op_trace,
    .name = "texture",
    .idea = "the spheres as texels of four floats, through the texture unit",
    .accepts = accepts,
    .run = run,
};
