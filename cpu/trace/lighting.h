/* lighting.h: a scene's data for paths of light, kept by the device: to sort a million lights takes longer than many a
 * band of rows. */
#ifndef GLINT_CPU_TRACE_LIGHTING_H
#define GLINT_CPU_TRACE_LIGHTING_H

#include "core/device/backend.h"
#include "core/scene/shading_context.h"

/* Valid until the call ends (core/device/cache.h), nothing to free. STATUS_DEVICE if memory is short. */
Status cpu_lighting(Queue *queue, const Scene *scene, ShadingContext *context);

#endif
