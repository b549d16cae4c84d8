/* peak.cu: how many f32 multiply-adds a second this device does when nothing else holds it up. */
extern "C" {
#include "gpu/interop.h"
}

#include "gpu/kernel.cuh"

enum { CHAINS = 16, ROUNDS = 2048, THREADS = 256, BLOCKS_EACH = 16, PEAK_RUNS = 8 };

/* Sums that do not wait for each other: a multiply-add takes four cycles, and a scheduler starts one in each. */
__global__ void multiply_add(float factor, float *out) {
    float sums[CHAINS];
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sums[i] = (float)(threadIdx.x + i);
    for (int round = 0; round < ROUNDS; round++)
#pragma unroll
        for (int i = 0; i < CHAINS; i++)
            sums[i] = fmaf(sums[i], factor, factor);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < CHAINS; i++)
        sum += sums[i];
    if (sum == -1) /* never, but the compiler does not know */
        *out = sum;
}

/* The best of several runs: the clock rises under load, and a ceiling is a figure that was reached once. */
extern "C" Status cuda_peak(Queue *queue, double *flops) {
    const Backend *backend = queue->device->backend;
    GpuDevice *gpu = gpu_of(queue->device);
    const int blocks = gpu->limits.multiProcessorCount * BLOCKS_EACH;
    const Launch launch = {dim3((unsigned)blocks), dim3(THREADS), 0};
    float factor = 0.5f;
    void *out;
    *flops = 0;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, sizeof(float), &out));
    void *arguments[] = {&factor, &out};
    for (int run = 0; run < PEAK_RUNS; run++) {
        double ms;
        TRY(backend->mark(queue, 0));
        TRY(gpu_launch(queue, "peak", (const void *)multiply_add, launch, arguments));
        TRY(backend->mark(queue, 1));
        TRY(backend->sync(queue));
        TRY(backend->elapsed(queue, 0, 1, &ms));
        const double reached = 2.0 * CHAINS * ROUNDS * THREADS * blocks / ms * 1e3;
        *flops = reached > *flops ? reached : *flops;
    }
    return STATUS_OK;
}
