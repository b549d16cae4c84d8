/* trace_devices.c: a plan of the trace for each further device. */
#include "app/trace_devices.h"

Status trace_devices_join(const TraceDevices *devices, const Backend *backend, const TraceJob *job, TraceOptions light,
                          Shape shape, PlanOptions options, const char *level, Crew *crew) {
    for (int i = 1; i < devices->count; i++) {
        Device *device;
        Plan *plan;
        int picture;
        TRY(backend->open(devices->numbers[i], devices->threads, &device));
        options.device = device;
        Status status = plan_create(options, &plan);
        if (status == STATUS_OK)
            status = plan_trace(plan, *job, light, shape, &picture);
        if (status != STATUS_OK) {
            plan_destroy(&plan);
            device_close(&device);
            return status;
        }
        TRY(crew_add(crew, device, plan, level));
    }
    return STATUS_OK;
}
