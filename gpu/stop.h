/* stop.h: core/base/stop.h for kernels' files, whose language lacks its atomics. */
#ifndef GLINT_GPU_STOP_H
#define GLINT_GPU_STOP_H

#include "core/device/backend.h"

/* queue_stops(), for levels that enqueue many kernels. */
bool gpu_stops(const Queue *queue);

#endif
