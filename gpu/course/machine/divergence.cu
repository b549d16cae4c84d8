/* divergence.cu: lanes of a warp, or warps of a block, that take different paths. */
#include "gpu/course/machine/machine.cuh"

enum { ROUNDS = 256, WARPS = 32 };

/* All paths are as long; a warp goes through those that its lanes take, one after the other. */
__global__ void __launch_bounds__(WARPS *WARP)
    machine_divergence(unsigned paths, bool by_lane, float factor, float *out, long long *cycles) {
    const unsigned mine = (by_lane ? threadIdx.x % WARP : threadIdx.x / WARP) % paths;
    float value = (float)threadIdx.x;
    __syncthreads();
    const long long start = clock64();
#pragma unroll 1
    for (unsigned path = 0; path < paths; path++)
        if (mine == path) {
#pragma unroll 8
            for (int i = 0; i < ROUNDS; i++)
                value = fmaf(value, factor, (float)path);
        }
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0)
        *cycles = end - start;
    if (value == -1) /* never, but the compiler does not know */
        *out = value;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    unsigned paths = (unsigned)x;
    bool by_lane = series == 0;
    float factor = 0.5f;
    void *cycles;
    double least;
    TRY(machine_memory(queue, 2 * sizeof(long long), &cycles));
    void *out = (long long *)cycles + 1;
    void *arguments[] = {&paths, &by_lane, &factor, &out, &cycles};
    KernelRun run = {
        "machine divergence", (const void *)machine_divergence, {dim3(1), dim3(WARPS * WARP), 0}, arguments};
    TRY(machine_cycles(queue, &run, (const long long *)cycles, &least));
    *y = least / ROUNDS;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_divergence = {
    .name = "divergence",
    .title = "Divergent paths",
    .idea =
        "1024 threads each do one of so many loops of multiply-adds, chosen by the lane or by the warp; one round of "
        "all of them",
    .advice = "Let branches go by warps, not by lanes, or sort the work by branch: a warp takes all paths of its "
              "lanes, in turns.",
    .x = {"branches", "paths", false},
    .y = {"time of a round", "cycles", false},
    .series = {"chosen by the lane", "chosen by the warp"},
    .points = {1, 2, 4, 8, 16, 32},
    .measure = measure,
};
