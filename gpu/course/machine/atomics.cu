/* atomics.cu: atomic additions to few addresses. */
#include "gpu/course/machine/machine.cuh"

enum { THREADS = 256, BLOCKS_EACH = 8, ADDITIONS = 32, ADDRESSES_MAX = 1024, APART = 8 /* words: a sector each */ };

static __device__ __forceinline__ unsigned address_of(unsigned thread, unsigned turn, unsigned count) {
    return (thread + turn * 7) & (count - 1);
}

__global__ void machine_atomics_global(unsigned count, unsigned *counters) {
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    for (unsigned i = 0; i < ADDITIONS; i++)
        atomicAdd(&counters[address_of(thread, i, count) * APART], 1u);
}

__global__ void machine_atomics_shared(unsigned count, unsigned *counters) {
    __shared__ unsigned own[ADDRESSES_MAX];
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        own[i] = 0;
    __syncthreads();
    for (unsigned i = 0; i < ADDITIONS; i++)
        atomicAdd(&own[address_of(threadIdx.x, i, count)], 1u);
    __syncthreads();
    for (unsigned i = threadIdx.x; i < count; i += THREADS)
        if (own[i] > THREADS * ADDITIONS) /* never, but the compiler does not know */
            counters[i] = own[i];
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const unsigned blocks = multiprocessors_of(queue) * BLOCKS_EACH;
    const void *const kernels[] = {(const void *)machine_atomics_global, (const void *)machine_atomics_shared};
    unsigned count = (unsigned)x;
    void *counters;
    double ms;
    TRY(machine_memory(queue, ADDRESSES_MAX * APART * sizeof(unsigned), &counters));
    void *arguments[] = {&count, &counters};
    KernelRun run = {"machine atomics", kernels[series], {dim3(blocks), dim3(THREADS), 0}, arguments};
    TRY(experiment_time(queue, run_kernel, &run, &ms));
    *y = (double)blocks * THREADS * ADDITIONS / ms / 1e6;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_atomics = {
    .name = "atomics",
    .title = "Atomic additions",
    .idea = "all threads add to so many counters, in device memory each in a sector of its own, or in each block's "
            "shared memory",
    .advice = "Add up in registers, then in the warp, then in shared memory, then by one atomic a block: atomics on "
              "one address come one after the other.",
    .x = {"addresses", "counters", false},
    .y = {"billions a second", "G/s", false},
    .more_is_better = true,
    .series = {"device memory", "shared memory"},
    .points = {1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024},
    .measure = measure,
};
