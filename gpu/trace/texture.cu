/* texture.cu: the spheres as a texture of four floats a texel, which comes through the texture unit's cache. */
#include "gpu/trace/trace.cuh"

__global__ void trace_texture(const __grid_constant__ View view, cudaTextureObject_t balls, int count) {
    const Pixel pixel = pixel_of(view);
    Hit hit = hit_none();
    for (int i = 0; i < count; i++)
        offer_ball(&hit, tex1Dfetch<float4>(balls, i), (uint32_t)i, pixel.ray);
    show(view, pixel, hit);
}

extern "C" Status cuda_trace_texture(Device *device, const Stage *stage) {
    GpuScene *scene;
    TRY(gpu_scene(device, trace_job(stage)->scene, &scene));
    View view = view_of(stage, scene);
    void *arguments[] = {&view, &scene->texture, &scene->count};
    return gpu_launch(device, "trace texture", (const void *)trace_texture, launch_of(view), arguments);
}
