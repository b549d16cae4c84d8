/* transfers.c: copies between the host's memory and the device's, pageable and pinned. */
#include "core/device/experiment.h"
#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PINNED = 2 /* from this one on */ };

typedef struct Transfer {
    void *to;
    const void *from;
    size_t bytes;
    enum cudaMemcpyKind kind;
} Transfer;

static Status run(Queue *queue, void *job) {
    const Transfer *transfer = job;
    CUDA_TRY(cudaMemcpyAsync(transfer->to, transfer->from, transfer->bytes, transfer->kind, gpu_queue(queue)->stream));
    return STATUS_OK;
}

static Status host_memory(bool pinned, size_t bytes, void **memory) {
    if (pinned)
        CUDA_TRY(cudaHostAlloc(memory, bytes, cudaHostAllocDefault));
    else
        *memory = malloc(bytes);
    if (!*memory)
        return fail(STATUS_DEVICE, "no memory for a transfer");
    memset(*memory, 1, bytes);
    return STATUS_OK;
}

static void free_host_memory(bool pinned, void *memory) {
    if (pinned)
        (void)cudaFreeHost(memory);
    else
        free(memory);
}

static Status measure(Queue *queue, double x, size_t series, double *y) {
    const bool pinned = series >= PINNED, up = series % 2 == 0;
    const size_t bytes = (size_t)x;
    void *device, *host = NULL;
    double ms = 1;
    TRY(gpu_scratch(queue, &gpu_queue(queue)->scratch, bytes, &device));
    CUDA_TRY(cudaMemsetAsync(device, 0, bytes, gpu_queue(queue)->stream));
    TRY(host_memory(pinned, bytes, &host));
    Transfer transfer = {up ? device : host, up ? host : device, bytes,
                         up ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost};
    const Status status = experiment_time_host(queue, run, &transfer, &ms);
    free_host_memory(pinned, host);
    *y = x / ms / 1e6;
    return status;
}

static void tell(const Curve *curve, char *text, size_t size) {
    const double points[] = {64 << 10, 1 << 20, 64 << 20};
    size_t length = (size_t)snprintf(text, size, "%s: ", curve->experiment->series[PINNED]);
    curve_tell_at(curve, PINNED, points, 3, text + length, size - length);
    length = strlen(text);
    length += (size_t)snprintf(text + length, size - length, "; %s: ", curve->experiment->series[0]);
    curve_tell_at(curve, 0, points + 2, 1, text + length, size - length);
}

const Experiment cuda_machine_transfers = {
    .name = "transfers",
    .title = "To the device and back",
    .idea = "so many bytes over the bus, from pageable and from pinned memory of the host, each waited for",
    .advice = "Move few large pieces instead of many small ones, from pinned memory, and leave data on the device that "
              "it needs again.",
    .x = {"moved", "B", false},
    .y = {"rate", "GB/s", false},
    .more_is_better = true,
    .series = {"pageable, up", "pageable, down", "pinned, up", "pinned, down"},
    .points = {0x1p12, 0x1p14, 0x1p16, 0x1p18, 0x1p20, 0x1p22, 0x1p24, 0x1p26},
    .measure = measure,
    .tell = tell,
};
