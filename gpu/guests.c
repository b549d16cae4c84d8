/* guests.c: memory and streams that the process's other parts have on a GPU. */
#include "gpu/guests.h"

#include "core/device/cache.h"
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

static bool holds(Device *device, const void *address) {
    struct cudaPointerAttributes attributes;
    const bool known = cudaPointerGetAttributes(&attributes, address) == cudaSuccess;
    if (!known)
        (void)cudaGetLastError();
    return known && (attributes.type == cudaMemoryTypeManaged ||
                     (attributes.type == cudaMemoryTypeDevice && attributes.device == gpu_of(device)->index));
}

/* Levels load and store up to 16 bytes at once, counted from the beginning of a row. */
enum { ACCESS_BYTES = 16 };

static bool takes(Frame frame) {
    return (uintptr_t)frame.pixels % ACCESS_BYTES == 0 && frame.stride % ACCESS_BYTES == 0;
}

/* A graph that a stream records holds no event of another time: plans that it records are of one stream. */
static bool records_graph(cudaStream_t stream) {
    enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    if (cudaStreamIsCapturing(stream, &status) != cudaSuccess)
        (void)cudaGetLastError(); /* the default stream while another one records: the launch tells */
    return status != cudaStreamCaptureStatusNone;
}

static void move(GpuQueue *gpu, cudaStream_t stream) {
    cache_lock(&gpu->queue.device->cache); /* for those who wait for the queue */
    gpu->stream = stream;
    cache_unlock(&gpu->queue.device->cache);
}

/* Two events between streams take longer than a small kernel: the work itself goes to the caller's. */
static Status join(Queue *queue, void *stream) {
    GpuQueue *gpu = gpu_queue(queue);
    const cudaStream_t callers = (cudaStream_t)stream;
    CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
    if (!records_graph(callers)) {
        if (!gpu->is_away)
            CUDA_TRY(cudaEventRecord(gpu->left, gpu->own));
        gpu->is_away = true;
        CUDA_TRY(cudaStreamWaitEvent(callers, gpu->left, 0));
    }
    move(gpu, callers);
    return STATUS_OK;
}

static Status part(Queue *queue) {
    GpuQueue *gpu = gpu_queue(queue);
    const cudaStream_t callers = gpu->stream;
    const bool waits = callers != gpu->own && !records_graph(callers);
    const cudaError_t error = waits ? cudaEventRecord(gpu->left, callers) : cudaSuccess;
    move(gpu, gpu->own);
    CUDA_TRY(error);
    return STATUS_OK;
}

static Status stay(Queue *queue) {
    GpuQueue *gpu = gpu_queue(queue);
    if (gpu->is_away) {
        CUDA_TRY(cudaSetDevice(gpu_of(queue->device)->index));
        CUDA_TRY(cudaStreamWaitEvent(gpu->own, gpu->left, 0));
    }
    gpu->is_away = false;
    return STATUS_OK;
}

const Guests gpu_guests = {.arrange = gpu_arrange,
                           .enter = enter,
                           .leave = leave,
                           .holds = holds,
                           .takes = takes,
                           .join = join,
                           .part = part,
                           .stay = stay};
