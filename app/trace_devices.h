/* trace_devices.h: the further devices of --devices, which trace together with the first. */
#ifndef GLINT_APP_TRACE_DEVICES_H
#define GLINT_APP_TRACE_DEVICES_H

#include "app/device_list.h"
#include "core/tracer/crew.h"

/* The devices of one command. */
typedef struct TraceDevices {
    int numbers[DEVICE_LIST_MAX], count; /* all; count is 0 without --devices */
    int threads;                         /* of each that is the host */
} TraceDevices;

/* Opens all but the first. Fails as Backend.open and crew_add do. */
Status trace_devices_open(const TraceDevices *devices, const Backend *backend, Crew *crew);
/* The same, each with a plan of this trace, which is carried out by `level`. Fails also as plan_trace and crew_plan. */
Status trace_devices_join(const TraceDevices *devices, const Backend *backend, const TraceJob *job, TraceOptions light,
                          Shape shape, PlanOptions options, const char *level, Crew *crew);

#endif
