/* trace_devices.h: the further devices of glint trace --devices. */
#ifndef GLINT_APP_TRACE_DEVICES_H
#define GLINT_APP_TRACE_DEVICES_H

#include "app/device_list.h"
#include "core/tracer/crew.h"

/* The devices of one command. */
typedef struct TraceDevices {
    int numbers[DEVICE_LIST_MAX], count; /* all; count is 0 without --devices */
    int threads;                         /* of each that is the host */
} TraceDevices;

/* Opens all but the first, each with a plan of this trace, which is carried out by `level`. Fails as
 * Backend.open, plan_trace and crew_add do. */
Status trace_devices_join(const TraceDevices *devices, const Backend *backend, const TraceJob *job, TraceOptions light,
                          Shape shape, PlanOptions options, const char *level, Crew *crew);

#endif
