/* global.cu: the course's first program: one thread a pixel, a loop over all spheres, which lie as an array of
 * structures in global memory. */
#include "gpu/kernel.cuh"

__global__ void trace_global(const Sphere *__restrict__ spheres, unsigned count, Camera camera, Plane out,
                             int channels) {
    const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= out.width || py >= out.height)
        return;
    const float x = camera_x(camera, (size_t)px, (size_t)out.width);
    const float y = camera_y(camera, (size_t)py, (size_t)out.height);
    Nearest nearest = nearest_none();
    for (unsigned i = 0; i < count; i++)
        nearest_offer(&nearest, spheres, i, x, y);
    shade_pixel(spheres, &nearest, channels, row_to<unsigned char>(out, py) + px * channels);
}

extern "C" Status cuda_trace_global(Device *device, const Stage *stage) {
    const Scene *scene = stage->trace.scene;
    Camera camera = stage->trace.camera;
    Plane out = plane_of(stage->out);
    int channels = stage->out.shape.channels;
    unsigned count = (unsigned)scene->count;
    void *spheres;
    TRY(gpu_scratch(device, &gpu_of(device)->scratch, (scene->count + 1) * sizeof(Sphere), &spheres));
    CUDA_TRY(cudaMemcpyAsync(spheres, scene->spheres, scene->count * sizeof(Sphere), cudaMemcpyHostToDevice,
                             gpu_of(device)->stream));
    const Launch launch = {dim3(blocks_for(out.width, 32), blocks_for(out.height, 8)), dim3(32, 8), 0};
    void *arguments[] = {&spheres, &count, &camera, &out, &channels};
    return gpu_launch(device, "trace global", (const void *)trace_global, launch, arguments);
}
