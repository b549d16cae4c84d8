/* stride.cu: every so manyth word of device memory: how much of the bytes fetched a warp uses. */
#include "gpu/course/machine/machine.cuh"

enum { THREADS = 256, BLOCKS_EACH = 8 };

__global__ void machine_stride(const uint32_t *words, size_t count, size_t stride, uint32_t *out) {
    uint32_t sum = 0;
    const size_t step = (size_t)gridDim.x * blockDim.x;
#pragma unroll 4
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step)
        sum += words[i * stride];
    if (sum == UINT32_MAX) /* never: all are 0 */
        *out = sum;
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    void *memory;
    double ms;
    size_t stride = (size_t)x, count = FAR_BYTES / sizeof(uint32_t) / stride;
    (void)series;
    TRY(machine_memory(queue, FAR_BYTES, &memory));
    void *arguments[] = {&memory, &count, &stride, &memory};
    KernelRun run = {"machine stride",
                     (const void *)machine_stride,
                     {dim3(multiprocessors_of(queue) * BLOCKS_EACH), dim3(THREADS), 0},
                     arguments};
    TRY(experiment_time(queue, run_kernel, &run, &ms));
    *y = (double)count * sizeof(uint32_t) / ms / 1e6;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_stride = {
    .name = "stride",
    .title = "Stride between lanes",
    .idea =
        "lanes of a warp read 32-bit words of 256 MiB that lie so far apart; only the words that are asked for count",
    .advice = "Have neighbouring lanes read neighbouring words: memory comes in sectors of 32 bytes, and from a stride "
              "of 8 words each lane needs its own.",
    .x = {"from lane to lane", "words", false},
    .y = {"rate of what is used", "GB/s", false},
    .more_is_better = true,
    .series = {"from memory"},
    .points = {1, 2, 4, 8, 16, 32},
    .measure = measure,
};
