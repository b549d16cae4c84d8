/* scene.c: the scene of the last picture, on the device. */
#include "gpu/gpu.h"

#include <float.h>

static Status make_texture(GpuScene *scene) {
    const struct cudaResourceDesc resource = {.resType = cudaResourceTypeLinear,
                                              .res.linear = {.devPtr = scene->balls,
                                                             .desc = {32, 32, 32, 32, cudaChannelFormatKindFloat},
                                                             .sizeInBytes = scene->count * sizeof(float4)}};
    const struct cudaTextureDesc reading = {.readMode = cudaReadModeElementType};
    if (scene->count == 0)
        return STATUS_OK;
    CUDA_TRY(cudaCreateTextureObject(&scene->texture, &resource, &reading, NULL));
    return STATUS_OK;
}

static Status forget(GpuDevice *gpu) {
    GpuScene *kept = &gpu->scene;
    kept->serial = 0;
    kept->built = false;
    if (kept->texture) {
        CUDA_TRY(cudaStreamSynchronize(gpu->stream));
        CUDA_TRY(cudaDestroyTextureObject(kept->texture));
        kept->texture = 0;
    }
    return STATUS_OK;
}

Status gpu_scene(Device *device, const Scene *scene, GpuScene **on_device) {
    GpuDevice *gpu = gpu_of(device);
    GpuScene *kept = &gpu->scene;
    const size_t count = scene->count,
                 balls = (count * sizeof(Sphere) + GPU_ALIGNMENT - 1) / GPU_ALIGNMENT * GPU_ALIGNMENT;
    void *room;
    *on_device = kept;
    if (kept->serial == scene->serial)
        return STATUS_OK;
    TRY(forget(gpu));
    TRY(gpu_scratch(device, &kept->memory, balls + (count + 1) * sizeof(float4), &room));
    kept->spheres = room;
    kept->balls = (float4 *)(void *)((char *)room + balls);
    kept->count = (unsigned)count;
    if (count > 0) {
        CUDA_TRY(cudaMemcpyAsync(kept->spheres, scene->spheres, count * sizeof(Sphere), cudaMemcpyHostToDevice,
                                 gpu->stream));
        TRY(gpu_split(device, kept));
        CUDA_TRY(cudaStreamSynchronize(gpu->stream)); /* the scene may go away */
    }
    TRY(make_texture(kept));
    kept->serial = scene->serial;
    return STATUS_OK;
}

Status gpu_hierarchy(Device *device, GpuScene *scene) {
    return scene->built ? STATUS_OK : gpu_build(device, scene);
}

Status gpu_rebuild(Device *device, const Scene *scene, size_t *bytes) {
    GpuScene *kept;
    TRY(gpu_scene(device, scene, &kept));
    TRY(gpu_build(device, kept));
    *bytes = kept->kept_bytes;
    return STATUS_OK;
}

void gpu_scene_free(GpuDevice *gpu) {
    GpuScene *kept = &gpu->scene;
    if (kept->texture)
        cudaDestroyTextureObject(kept->texture);
    cudaFree(kept->memory.memory);
    cudaFree(kept->hierarchy.memory);
}
