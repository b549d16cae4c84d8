/* scene.c: scenes on the device, and the trees and tables made of them there. */
#include "core/device/cache.h"
#include "core/scene/bounding_spheres.h"
#include "core/scene/shading_context.h"
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

static Status forget(Device *device, GpuScene *kept) {
    kept->built = kept->fitted = kept->collapsed = kept->lit = kept->aimed = false;
    if (kept->texture) {
        CUDA_TRY(cudaSetDevice(gpu_of(device)->index));
        CUDA_TRY(cudaDeviceSynchronize());
        CUDA_TRY(cudaDestroyTextureObject(kept->texture));
        kept->texture = 0;
    }
    return STATUS_OK;
}

static Status upload_spheres(Queue *queue, const Scene *scene, GpuScene *kept) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    const size_t bytes = kept->count * sizeof(Sphere);
    kept->fitted = kept->collapsed = kept->aimed = false;
    if (bytes > 0) {
        CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
        CUDA_TRY(cudaMemcpyAsync(kept->spheres, scene->spheres, bytes, cudaMemcpyHostToDevice, stream));
        TRY(gpu_split(queue, kept));
        CUDA_TRY(cudaStreamSynchronize(stream)); /* the scene may go away */
    }
    kept->moves = scene->moves;
    return STATUS_OK;
}

static Status upload_scene(Queue *queue, const Scene *scene, GpuScene *kept) {
    const size_t count = scene->count,
                 balls = (count * sizeof(Sphere) + GPU_ALIGNMENT - 1) / GPU_ALIGNMENT * GPU_ALIGNMENT;
    void *memory;
    TRY(forget(queue->device, kept));
    TRY(gpu_scratch(queue, &kept->memory, balls + (count + 1) * sizeof(float4), &memory));
    kept->spheres = memory;
    kept->balls = (float4 *)(void *)((char *)memory + balls);
    kept->count = (unsigned)count;
    TRY(upload_spheres(queue, scene, kept));
    return make_texture(kept);
}

static Status make_scene(Queue *queue, const void *scene, void *kept) {
    return upload_scene(queue, scene, kept);
}

bool gpu_has_others(const Scene *scene) {
    return !scene_is_of_spheres(scene);
}

/* Both arrays in one piece of memory; enqueued. */
static Status upload_others(Queue *queue, const Scene *scene, GpuScene *kept) {
    const cudaStream_t stream = gpu_queue(queue)->stream;
    const size_t triangles = scene->triangle_count * sizeof(Triangle),
                 cylinders = scene->cylinder_count * sizeof(Cylinder);
    const size_t behind = (triangles + GPU_ALIGNMENT - 1) / GPU_ALIGNMENT * GPU_ALIGNMENT;
    void *memory;
    TRY(gpu_scratch(queue, &kept->others_memory, behind + cylinders, &memory));
    kept->triangles = memory;
    kept->cylinders = (Cylinder *)(void *)((char *)memory + behind);
    kept->triangle_count = (unsigned)scene->triangle_count;
    if (triangles > 0)
        CUDA_TRY(cudaMemcpyAsync(kept->triangles, scene->triangles, triangles, cudaMemcpyHostToDevice, stream));
    if (cylinders > 0)
        CUDA_TRY(cudaMemcpyAsync(kept->cylinders, scene->cylinders, cylinders, cudaMemcpyHostToDevice, stream));
    return STATUS_OK;
}

/* The scene's triangles and cylinders, and as its spheres those around them. */
static Status make_others(Queue *queue, const void *from, void *entry) {
    const Scene *scene = from;
    GpuScene *kept = entry;
    Scene bounds;
    TRY(bounding_spheres_create(scene, &bounds));
    Status status = upload_others(queue, scene, kept);
    if (status == STATUS_OK)
        status = upload_scene(queue, &bounds, kept); /* waits */
    bounding_spheres_free(&bounds);
    return status;
}

static void drop(Device *device, void *entry) {
    GpuScene *kept = entry;
    (void)forget(device, kept);
    gpu_free(device, &kept->memory);
    gpu_free(device, &kept->others_memory);
    gpu_free(device, &kept->bvh2_memory);
    gpu_free(device, &kept->bvh8_memory);
    gpu_free(device, &kept->lighting);
}

/* A device keeps one scene and one mesh: scenes may take most of its memory, which another one takes over. */
static const CacheKind scenes = {
    .bytes = sizeof(GpuScene), .max = 1, .make = make_scene, .drop = drop, .changes = true};
static const CacheKind meshes = {
    .bytes = sizeof(GpuScene), .max = 1, .make = make_others, .drop = drop, .changes = true};

Status gpu_scene(Queue *queue, const Scene *scene, GpuScene **on_device) {
    void *found;
    TRY(cache_get(queue, &scenes, scene->serial, scene, &found));
    *on_device = found;
    return (*on_device)->moves == scene->moves ? STATUS_OK : upload_spheres(queue, scene, *on_device);
}

/* Cylinders may have moved; triangles never do. */
Status gpu_others(Queue *queue, const Scene *scene, GpuScene **on_device) {
    void *found;
    TRY(cache_get(queue, &meshes, scene->serial, scene, &found));
    *on_device = found;
    const bool moved = scene->cylinder_count > 0 && (*on_device)->moves != scene->moves;
    return moved ? make_others(queue, scene, *on_device) : STATUS_OK;
}

/* Copies `bytes` of host memory behind the bytes there already, or leaves room for them where `from` is NULL; with
 * `memory` NULL only counts. Returns where it will be. */
static void *put(const GpuQueue *gpu, char *memory, size_t *used, const void *from, size_t bytes, cudaError_t *error) {
    char *to = memory ? memory + *used : NULL;
    *used += (bytes + GPU_ALIGNMENT - 1) / GPU_ALIGNMENT * GPU_ALIGNMENT;
    if (memory && from && bytes > 0 && *error == cudaSuccess)
        *error = cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, gpu->stream);
    return to;
}

static cudaError_t put_context(const GpuQueue *gpu, const Scene *scene, const ShadingContext *host, char *memory,
                               size_t *used, ShadingContext *to) {
    cudaError_t error = cudaSuccess;
    to->materials = put(gpu, memory, used, host->materials, scene->material_count * sizeof(Material), &error);
    to->albedos = put(gpu, memory, used, host->albedos, host->albedo_count * sizeof(float), &error);
    to->lights = put(gpu, memory, used, host->lights, host->light_count * sizeof(Light), &error);
    to->light_spheres =
        put(gpu, memory, used, host->light_spheres, host->light_sphere_count * sizeof(uint32_t), &error);
    to->direct_lights =
        put(gpu, memory, used, host->direct_lights, host->direct_light_count * sizeof(uint32_t), &error);
    to->emitters = put(gpu, memory, used, host->emitters, host->emitter_count * sizeof(Emitter), &error);
    to->leaves = put(gpu, memory, used, host->leaves, host->leaf_count * sizeof(uint32_t), &error);
    to->nodes = put(gpu, memory, used, NULL, (size_t)2 * host->leaf_count * sizeof(EmitterNode), &error); /* gpu_aim */
    const size_t width = host->image.width, height = host->image.height;
    to->image.texels = put(gpu, memory, used, host->image.texels, width * height * sizeof(Vec), &error);
    to->image.rows = put(gpu, memory, used, host->image.rows, height ? (height + 1) * sizeof(float) : 0, &error);
    to->image.columns = put(gpu, memory, used, host->image.columns, height * (width + 1) * sizeof(float), &error);
    return error == cudaSuccess && memory ? cudaStreamSynchronize(gpu->stream) : error;
}

static Status light(Queue *queue, const Scene *scene, GpuScene *on_device) {
    const GpuQueue *gpu = gpu_queue(queue);
    ShadingContext host, *kept = &on_device->context;
    void *memory = NULL;
    size_t used = 0;
    TRY(shading_context_create(scene, &host));
    *kept = host;
    kept->spheres = on_device->spheres;
    (void)put_context(gpu, scene, &host, NULL, &used, kept);
    Status status = gpu_scratch(queue, &on_device->lighting, used, &memory);
    used = 0;
    const cudaError_t error = status == STATUS_OK ? put_context(gpu, scene, &host, memory, &used, kept) : cudaSuccess;
    if (error != cudaSuccess)
        status = gpu_fail(error, "the upload of lights");
    shading_context_free(&host);
    on_device->lit = status == STATUS_OK;
    on_device->aimed = false;
    return status;
}

Status gpu_shading_context(Queue *queue, const Scene *scene, GpuScene *on_device) {
    GpuScene *bounds = NULL;
    if (!on_device->lit)
        TRY(light(queue, scene, on_device));
    if (gpu_has_others(scene)) /* they may have gone, and come again elsewhere, since the lights were uploaded */
        TRY(gpu_others(queue, scene, &bounds));
    on_device->context.triangles = bounds ? bounds->triangles : NULL;
    on_device->context.cylinders = bounds ? bounds->cylinders : NULL;
    return on_device->aimed ? STATUS_OK : gpu_aim(queue, on_device);
}

Status gpu_bvh2(Queue *queue, GpuScene *scene) {
    if (!scene->built)
        return gpu_build(queue, scene);
    return scene->fitted ? STATUS_OK : gpu_refit(queue, scene);
}

Status gpu_bvh8(Queue *queue, GpuScene *scene) {
    TRY(gpu_bvh2(queue, scene));
    return scene->collapsed ? STATUS_OK : gpu_collapse(queue, scene);
}

static Status rebuild(Queue *queue, const Scene *scene, size_t *bytes) {
    GpuScene *kept;
    TRY(gpu_scene(queue, scene, &kept));
    const bool wide = kept->collapsed;
    TRY(gpu_build(queue, kept));
    kept->lit = false; /* the tree over emitters is arranged again, too */
    if (wide)
        TRY(gpu_collapse(queue, kept));
    *bytes = kept->bvh2_bytes + (wide ? kept->bvh8_bytes : 0);
    return STATUS_OK;
}

static Status refit(Queue *queue, const Scene *scene) {
    GpuScene *kept;
    TRY(gpu_scene(queue, scene, &kept));
    return kept->built ? gpu_refit(queue, kept) : gpu_build(queue, kept);
}

/* As after upload_spheres(), the trees are still where the spheres were. */
static Status follow(Queue *queue, const Scene *scene, Frame state, float scale) {
    void *found;
    TRY(cache_get(queue, &scenes, scene->serial, scene, &found));
    GpuScene *kept = found;
    const size_t bodies = state.shape.width;
    kept->fitted = kept->collapsed = kept->aimed = false;
    kept->moves = scene->moves;
    return gpu_place(queue, kept, state.pixels, scale, bodies < kept->count ? (unsigned)bodies : kept->count);
}

Status gpu_follow(Queue *queue, const Scene *scene, Frame state, float scale) {
    cache_begin(queue);
    const Status status = follow(queue, scene, state, scale);
    cache_end(queue);
    return status;
}

Status gpu_rebuild(Queue *queue, const Scene *scene, size_t *bytes) {
    cache_begin(queue);
    const Status status = rebuild(queue, scene, bytes);
    cache_end(queue);
    return status;
}

Status gpu_refit_scene(Queue *queue, const Scene *scene) {
    cache_begin(queue);
    const Status status = refit(queue, scene);
    cache_end(queue);
    return status;
}
