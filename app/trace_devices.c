/* trace_devices.c: opening them, and a plan of the trace for each. */
#include "app/trace_devices.h"

typedef struct Traced {
    const TraceJob *job;
    TraceOptions light;
    Shape shape;
    PlanOptions options;
} Traced;

static Status plan_other(const void *context, Device *device, Plan **plan) {
    const Traced *traced = context;
    PlanOptions options = traced->options;
    int picture;
    options.device = device;
    TRY(plan_create(options, plan));
    const Status status = plan_trace(*plan, *traced->job, traced->light, traced->shape, &picture);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

Status trace_devices_open(const TraceDevices *devices, const Backend *backend, Crew *crew) {
    for (int i = 1; i < devices->count; i++) {
        Device *device;
        TRY(backend->open(devices->numbers[i], devices->threads, &device));
        TRY(crew_add(crew, device));
    }
    return STATUS_OK;
}

Status trace_devices_join(const TraceDevices *devices, const Backend *backend, const TraceJob *job, TraceOptions light,
                          Shape shape, PlanOptions options, const char *level, Crew *crew) {
    TRY(trace_devices_open(devices, backend, crew));
    return crew_plan(crew, plan_other, &(Traced){job, light, shape, options}, level);
}
