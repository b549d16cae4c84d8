/* banks.cu: loads from shared memory whose words lie in the same bank. */
#include "gpu/course/machine/machine.cuh"

enum { STEPS = 512, WORDS = WARP * WARP, WARPS_MAX = 32 };

/* Every word says its own place: lanes read the same one again and again, each after the one before. */
__global__ void __launch_bounds__(WARPS_MAX *WARP) machine_banks(unsigned ways, long long *cycles) {
    __shared__ unsigned words[WORDS];
    for (unsigned i = threadIdx.x; i < WORDS; i += blockDim.x)
        words[i] = i;
    __syncthreads();
    unsigned at = threadIdx.x % WARP * ways;
    const long long start = clock64();
#pragma unroll 8
    for (int i = 0; i < STEPS; i++)
        at = words[at];
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0)
        cycles[0] = end - start;
    if (at >= WORDS) /* never, but the compiler does not know */
        cycles[1] = at;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const unsigned warps = series == 0 ? 1 : WARPS_MAX;
    unsigned ways = (unsigned)x;
    void *cycles;
    double least;
    TRY(machine_memory(queue, 2 * sizeof(long long), &cycles));
    void *arguments[] = {&ways, &cycles};
    KernelRun run = {"machine banks", (const void *)machine_banks, {dim3(1), dim3(warps * WARP), 0}, arguments};
    TRY(machine_cycles(queue, &run, (const long long *)cycles, &least));
    *y = least / STEPS / warps;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_banks = {
    .name = "banks",
    .title = "Bank conflicts",
    .idea = "lanes of a warp load from shared memory, so many of them from different words of one bank; one warp "
            "alone, and 32 in turns",
    .advice = "Pad the rows of a tile by one word, or swizzle it, so that a warp reads 32 banks: each gives one word.",
    .x = {"words of a bank", "ways", false},
    .y = {"time of a warp's load", "cycles", false},
    .series = {"one warp", "one of 32 warps"},
    .points = {1, 2, 4, 8, 16, 32},
    .measure = measure,
};
