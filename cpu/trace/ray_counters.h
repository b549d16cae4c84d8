/* ray_counters.h: the costs of a picture's rays. */
#ifndef GLINT_CPU_TRACE_RAY_COUNTERS_H
#define GLINT_CPU_TRACE_RAY_COUNTERS_H

#include "core/device/backend.h"

/* Draws the look of nodes. */
Status cpu_heat(Queue *queue, const Stage *stage);
/* TraceTools.count_rays */
Status cpu_count_rays(Queue *queue, const Stage *stage, RayCounters *counters);

#endif
