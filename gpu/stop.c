/* stop.c: whether a queue's work shall end. */
#include "gpu/stop.h"

#include "core/device/backend.h"

bool gpu_stops(const Queue *queue) {
    return queue_stops(queue);
}
