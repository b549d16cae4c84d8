/* ray_counters.h: what a picture's rays cost. */
#ifndef GLINT_CPU_TRACE_RAY_COUNTERS_H
#define GLINT_CPU_TRACE_RAY_COUNTERS_H

#include "core/backend.h"

/* Backend.count_rays; draws the look of nodes. */
Status cpu_count_rays(Device *device, const Stage *stage, RayCounters *counters);

#endif
