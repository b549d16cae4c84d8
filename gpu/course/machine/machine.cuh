/* machine.cuh: shared by experiments on a GPU: a kernel as the thing timed, device memory for a figure, and cycles that
 * a kernel counts itself. */
#ifndef GLINT_GPU_COURSE_MACHINE_MACHINE_CUH
#define GLINT_GPU_COURSE_MACHINE_MACHINE_CUH

#include "gpu/kernel.cuh"

extern "C" {
#include "core/device/experiment.h"
}

enum { WARP = 32, FAR_BYTES = 256 << 20 /* more than caches hold */ };

typedef struct KernelRun {
    const char *where;
    const void *kernel;
    Launch launch;
    void **arguments;
} KernelRun;

static inline Status run_kernel(Queue *queue, void *job) {
    const KernelRun *run = (const KernelRun *)job;
    return gpu_launch(queue, run->where, run->kernel, run->launch, run->arguments);
}

/* The queue's scratch, zeroed; for this figure. */
static inline Status machine_memory(Queue *queue, size_t bytes, void **memory) {
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, bytes, memory));
    CUDA_TRY(cudaMemsetAsync(*memory, 0, bytes, gpu_queue(queue)->stream));
    return STATUS_OK;
}

static inline unsigned multiprocessors_of(Queue *queue) {
    return (unsigned)gpu_of(queue->device)->limits.multiProcessorCount;
}

/* Runs a kernel several times that leaves in *on_device how many cycles it took; the minimum. */
static inline Status machine_cycles(Queue *queue, KernelRun *run, const long long *on_device, double *least) {
    enum { TIMES = 5 };
    long long cycles = 0;
    *least = 0;
    for (int i = 0; i < TIMES; i++) {
        TRY(run_kernel(queue, run));
        CUDA_TRY(cudaMemcpyAsync(&cycles, on_device, sizeof cycles, cudaMemcpyDeviceToHost, gpu_queue(queue)->stream));
        CUDA_TRY(cudaStreamSynchronize(gpu_queue(queue)->stream));
        *least = i == 0 || (double)cycles < *least ? (double)cycles : *least;
    }
    return STATUS_OK;
}

#endif
