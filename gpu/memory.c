/* memory.c: device memory for levels, and their launches. */
#include "gpu/gpu.h"

#include <nvtx3/nvToolsExt.h>

Status gpu_launch(Device *device, const char *where, const void *kernel, Launch launch, void **arguments) {
    GpuDevice *gpu = gpu_of(device);
    CUDA_TRY(cudaSetDevice(gpu->index));
    if (launch.shared > gpu->limits.sharedMemPerBlock)
        CUDA_TRY(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)launch.shared));
    nvtxRangePushA(where); /* for Nsight; free without it */
    const cudaError_t error =
        cudaLaunchKernel(kernel, launch.grid, launch.block, arguments, launch.shared, gpu->stream);
    nvtxRangePop();
    if (error != cudaSuccess)
        return gpu_fail(error, where);
    gpu->kernel = kernel;
    gpu->launch = (LaunchFacts){.threads = (int)(launch.block.x * launch.block.y * launch.block.z),
                                .shared_bytes = launch.shared};
    return STATUS_OK;
}

void gpu_free(Device *device, GpuScratch *scratch) {
    if (!scratch->memory)
        return;
    cudaStreamSynchronize(gpu_of(device)->stream);
    cudaFree(scratch->memory);
    cache_release(device, scratch->bytes);
    *scratch = (GpuScratch){0};
}

/* What no level needs now makes room. */
static Status allocate(Device *device, size_t bytes, void **memory) {
    cudaError_t error;
    cache_reserve(device, bytes);
    while ((error = cudaMalloc(memory, bytes)) == cudaErrorMemoryAllocation && cache_evict(device))
        (void)cudaGetLastError();
    if (error != cudaSuccess)
        cache_release(device, bytes);
    CUDA_TRY(error);
    return STATUS_OK;
}

Status gpu_scratch(Device *device, GpuScratch *scratch, size_t bytes, void **memory) {
    CUDA_TRY(cudaSetDevice(gpu_of(device)->index));
    if (bytes > scratch->bytes) {
        gpu_free(device, scratch);
        TRY(allocate(device, bytes, &scratch->memory));
        scratch->bytes = bytes;
    }
    *memory = scratch->memory;
    return STATUS_OK;
}
