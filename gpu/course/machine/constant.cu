/* constant.cu: lanes of a warp that read different words of constant memory, of device memory, of shared memory. */
#include "gpu/course/machine/machine.cuh"

enum { STEPS = 256, WARPS = 32 };

__constant__ unsigned zeros[WARP]; /* never set */

/* Each load waits for the one before; all words are 0, which the compiler does not know. */
static __device__ __forceinline__ unsigned read_again(const unsigned *words, unsigned mine) {
    unsigned at = mine;
#pragma unroll 8
    for (int i = 0; i < STEPS; i++)
        at = mine + words[at];
    return at;
}

enum Place { CONSTANT, DEVICE, SHARED };

__global__ void __launch_bounds__(WARPS *WARP)
    machine_constant(int place, unsigned addresses, const unsigned *memory, long long *cycles) {
    __shared__ unsigned words[WARP];
    const unsigned mine = threadIdx.x % WARP % addresses;
    unsigned at = mine;
    if (threadIdx.x < WARP)
        words[threadIdx.x] = memory[threadIdx.x];
    __syncthreads();
    const long long start = clock64();
    if (place == CONSTANT) {
#pragma unroll 8
        for (int i = 0; i < STEPS; i++)
            at = mine + zeros[at]; /* by name, so that it is a load from constant memory */
    } else {
        at = place == DEVICE ? read_again(memory, mine) : read_again(words, mine);
    }
    __syncthreads();
    const long long end = clock64();
    if (threadIdx.x == 0)
        cycles[0] = end - start;
    if (at != mine) /* never, but the compiler does not know */
        cycles[1] = at;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    int place = (int)series;
    unsigned addresses = (unsigned)x;
    void *memory;
    double least;
    TRY(machine_memory(queue, 2 * sizeof(long long) + WARP * sizeof(unsigned), &memory));
    void *words = (long long *)memory + 2;
    void *arguments[] = {&place, &addresses, &words, &memory};
    KernelRun run = {"machine constant", (const void *)machine_constant, {dim3(1), dim3(WARPS * WARP), 0}, arguments};
    TRY(machine_cycles(queue, &run, (const long long *)memory, &least));
    *y = least / STEPS / WARPS;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_constant = {
    .name = "constant",
    .title = "Constant memory",
    .idea = "lanes of a warp load so many words side by side from constant memory, device memory through the nearest "
            "cache, and shared memory; 32 warps",
    .advice = "Keep data in constant memory that all lanes read at once, such as a mask's weights, and none that lanes "
              "index: words come in turns.",
    .x = {"different words", "words", false},
    .y = {"time of a warp's load", "cycles", false},
    .series = {"constant", "device", "shared"},
    .points = {1, 2, 4, 8, 16, 32},
    .measure = measure,
};
