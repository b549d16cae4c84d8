/* events.cu: the time of something short, as two events, or the host's clock, measure it. */
#include "gpu/course/machine/machine.cuh"

__global__ void machine_short(void) {}

static Status launch_all(Queue *queue, void *job) {
    const Launch launch = {dim3(1), dim3(WARP), 0};
    void *arguments[] = {NULL};
    for (int i = 0; i < *(const int *)job; i++)
        TRY(gpu_launch(queue, "machine events", (const void *)machine_short, launch, arguments));
    return STATUS_OK;
}

static Status record_all(Queue *queue, void *job) {
    for (int i = 0; i < *(const int *)job; i++)
        TRY(queue->device->backend->mark(queue, BACKEND_MARKS - 1));
    return STATUS_OK;
}

enum { BY_EVENTS = 0, BY_HOST, RECORDS };

static Status measure(Queue *queue, double x, size_t series, double *y) {
    int count = (int)x;
    double ms;
    TRY(series == BY_EVENTS ? experiment_time(queue, launch_all, &count, &ms)
                            : experiment_time_host(queue, series == BY_HOST ? launch_all : record_all, &count, &ms));
    *y = ms * 1e3 / x;
    return STATUS_OK;
}

extern "C" const Experiment cuda_machine_events = {
    .name = "events",
    .title = "Events",
    .idea = "so many kernels that do nothing, between two events and by the host's clock; and so many events alone",
    .advice = "Time by events, which leave out the host's waiting, with some twenty launches of a short kernel between "
              "two: around one they measure themselves.",
    .x = {"in a row", "kernels", false},
    .y = {"measured for one", "µs", false},
    .series = {"between events", "by the host's clock", "events alone"},
    .points = {1, 4, 16, 64, 256},
    .measure = measure,
};
