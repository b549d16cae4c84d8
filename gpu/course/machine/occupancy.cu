/* occupancy.cu: the rate of memory by how many warps a multiprocessor holds, which shared memory limits here. */
#include "gpu/course/machine/machine.cuh"

extern "C" {
#include "core/device/occupancy.h"
}

enum { THREADS = 64, WARPS_OF_BLOCK = THREADS / WARP };

/* One load under way in each thread, or four. */
template <int LOADS> __global__ void machine_occupancy(const uint32_t *words, size_t count, uint32_t *out) {
    const size_t step = (size_t)gridDim.x * THREADS;
    uint32_t sum = 0;
#pragma unroll 1
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i + (LOADS - 1) * step < count; i += LOADS * step) {
        uint32_t loaded[LOADS];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            loaded[k] = words[i + k * step];
#pragma unroll
        for (int k = 0; k < LOADS; k++)
            sum += loaded[k];
    }
    if (sum == UINT32_MAX) /* never: all are 0 */
        *out = sum;
}

/* The shared memory of a block with which `blocks` blocks fit, and no more. */
static size_t shared_for(const struct cudaDeviceProp *limits, size_t blocks) {
    const size_t unit = multiprocessor_shared_at_once(limits->major);
    const size_t each = limits->sharedMemPerMultiprocessor / blocks / unit * unit;
    return each - limits->reservedSharedMemPerBlock;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const struct cudaDeviceProp *limits = &gpu_of(queue->device)->limits;
    const unsigned blocks = (unsigned)x / WARPS_OF_BLOCK;
    const void *const kernels[] = {(const void *)machine_occupancy<1>, (const void *)machine_occupancy<4>};
    size_t count = FAR_BYTES / sizeof(uint32_t);
    void *memory;
    double ms;
    *y = NAN;
    if ((int)blocks > limits->maxBlocksPerMultiProcessor || (int)blocks * THREADS > limits->maxThreadsPerMultiProcessor)
        return STATUS_OK;
    TRY(machine_memory(queue, FAR_BYTES, &memory));
    void *arguments[] = {&memory, &count, &memory};
    KernelRun run = {"machine occupancy",
                     kernels[series],
                     {dim3(multiprocessors_of(queue) * blocks), dim3(THREADS), shared_for(limits, blocks)},
                     arguments};
    TRY(experiment_time(queue, run_kernel, &run, &ms));
    *y = FAR_BYTES / ms / 1e6;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_occupancy = {
    .name = "occupancy",
    .title = "Occupancy",
    .idea =
        "256 MiB are read with so many warps on each multiprocessor, whose threads have one load under way, or four",
    .advice = "Have enough bytes under way: by more warps, whose threads need fewer registers and less shared memory, "
              "or by several loads a thread at once.",
    .x = {"on a multiprocessor", "warps", false},
    .y = {"rate", "GB/s", false},
    .more_is_better = true,
    .series = {"one load a thread", "four loads a thread"},
    .points = {2, 4, 8, 16, 32, 48, 64},
    .measure = measure,
};
