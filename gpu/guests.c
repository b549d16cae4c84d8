/* guests.c: memory and streams that the process's other parts have on a GPU. */
#include "gpu/guests.h"

#include "gpu/gpu.h"

static int enter(Device *device) {
    int before = 0;
    const int index = gpu_of(device)->index;
    if (cudaGetDevice(&before) != cudaSuccess) {
        (void)cudaGetLastError();
        before = index;
    }
    if (before == index)
        return -1;
    cudaSetDevice(index);
    return before;
}

static void leave(int before) {
    if (before >= 0)
        cudaSetDevice(before);
}

/* As frames of the backend's own do, rows begin on boundaries that textures and 16-byte loads need. Allocations of the
 * driver end on such boundaries, too, so that a load may run over a row's end. */
static bool takes(Device *device, Frame frame, bool *inside) {
    struct cudaPointerAttributes attributes;
    const bool known = cudaPointerGetAttributes(&attributes, frame.pixels) == cudaSuccess;
    if (!known)
        (void)cudaGetLastError();
    *inside = known && (attributes.type == cudaMemoryTypeManaged ||
                        (attributes.type == cudaMemoryTypeDevice && attributes.device == gpu_of(device)->index));
    return *inside && (uintptr_t)frame.pixels % GPU_ALIGNMENT == 0 && frame.stride % GPU_ALIGNMENT == 0;
}

/* A wait is for what the event stands for when the wait is enqueued: one event serves all. */
static Status chain(GpuQueue *gpu, cudaStream_t first, cudaStream_t then) {
    CUDA_TRY(cudaSetDevice(gpu_of(gpu->queue.device)->index));
    if (!gpu->guest)
        CUDA_TRY(cudaEventCreateWithFlags(&gpu->guest, cudaEventDisableTiming));
    CUDA_TRY(cudaEventRecord(gpu->guest, first));
    CUDA_TRY(cudaStreamWaitEvent(then, gpu->guest, 0));
    return STATUS_OK;
}

static Status follow(Queue *queue, void *stream) {
    return chain(gpu_queue(queue), (cudaStream_t)stream, gpu_queue(queue)->stream);
}

static Status lead(Queue *queue, void *stream) {
    return chain(gpu_queue(queue), gpu_queue(queue)->stream, (cudaStream_t)stream);
}

const Guests gpu_guests = {
    .arrange = gpu_arrange, .enter = enter, .leave = leave, .takes = takes, .follow = follow, .lead = lead};
