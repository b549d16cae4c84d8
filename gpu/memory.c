/* memory.c: device memory for levels, and their launches. */
#include "gpu/note.h"

#include "core/device/cache.h"
#include "core/device/partition.h"

#include <nvtx3/nvToolsExt.h>

static Status start(Queue *queue, const char *where, const void *kernel, Launch launch, void **arguments, bool early) {
    GpuQueue *gpu = gpu_queue(queue);
    const GpuDevice *device = gpu_of(queue->device);
    cudaLaunchAttribute overlap = {.id = cudaLaunchAttributeProgrammaticStreamSerialization,
                                   .val.programmaticStreamSerializationAllowed = 1};
    const cudaLaunchConfig_t config = {.gridDim = launch.grid,
                                       .blockDim = launch.block,
                                       .dynamicSmemBytes = launch.shared,
                                       .stream = gpu->stream,
                                       .attrs = &overlap,
                                       .numAttrs = early && device->limits.major >= 9};
    CUDA_TRY(cudaSetDevice(device->index));
    if (launch.shared > device->limits.sharedMemPerBlock)
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)launch.shared));
    nvtxRangePushA(where); /* for Nsight; free without it */
    const cudaError_t error = cudaLaunchKernelExC(&config, kernel, arguments);
    nvtxRangePop();
    if (error != cudaSuccess)
        return gpu_fail(error, where);
    partition_note((Partition){.grid = {launch.grid.x, launch.grid.y}, .block = {launch.block.x, launch.block.y}});
    gpu_note_launch(gpu, where, kernel, &launch);
    return STATUS_OK;
}

Status gpu_launch(Queue *queue, const char *where, const void *kernel, Launch launch, void **arguments) {
    return start(queue, where, kernel, launch, arguments, false);
}

Status gpu_launch_early(Queue *queue, const char *where, const void *kernel, Launch launch, void **arguments) {
    return start(queue, where, kernel, launch, arguments, true);
}

void gpu_free(Device *device, GpuScratch *scratch) {
    if (!scratch->memory)
        return;
    cudaSetDevice(gpu_of(device)->index);
    cudaDeviceSynchronize();
    cudaFree(scratch->memory);
    cache_release(device, scratch->bytes);
    *scratch = (GpuScratch){0};
}

static bool free_idle(Device *device) {
    GpuScratch *scratch = NULL;
    cache_lock(&device->cache);
    for (Queue *queue = device->idle; queue && !scratch; queue = queue->next)
        scratch = gpu_queue(queue)->scratch.memory ? &gpu_queue(queue)->scratch : NULL;
    if (scratch)
        gpu_free(device, scratch);
    cache_unlock(&device->cache);
    return scratch != NULL;
}

bool gpu_make_room(Device *device) {
    return cache_evict(device) || free_idle(device);
}

/* Entries that nothing needs now make room. */
static Status allocate(Device *device, size_t bytes, void **memory) {
    cudaError_t error;
    cache_reserve(device, bytes);
    while ((error = cudaMalloc(memory, bytes)) == cudaErrorMemoryAllocation && gpu_make_room(device))
        (void)cudaGetLastError();
    if (error != cudaSuccess)
        cache_release(device, bytes);
    CUDA_TRY(error);
    return STATUS_OK;
}

Status gpu_scratch(Queue *queue, GpuScratch *scratch, size_t bytes, void **memory) {
    Device *device = queue->device;
    CUDA_TRY(cudaSetDevice(gpu_of(device)->index));
    if (scratch == &gpu_queue(queue)->scratch && bytes > queue->workspace)
        queue->workspace = bytes;
    if (bytes > scratch->bytes) {
        gpu_free(device, scratch);
        TRY(allocate(device, bytes, &scratch->memory));
        scratch->bytes = bytes;
    }
    *memory = scratch->memory;
    return STATUS_OK;
}

/* ---- constant memory ---- */

static Status make_constants(Queue *queue, const void *from, void *entry) {
    (void)queue, (void)from, (void)entry;
    return STATUS_OK;
}
static void drop_constants(Device *device, void *entry) {
    (void)device, (void)entry;
}

static const CacheKind constants = {.max = 1, .make = make_constants, .drop = drop_constants, .changes = true};

Status gpu_take_constants(Queue *queue) {
    void *nothing;
    return cache_get(queue, &constants, 1, NULL, &nothing);
}
