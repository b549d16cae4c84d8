/* scratch.h: memory that levels need while they run, kept by the device from run to run. */
#ifndef GLINT_CPU_SCRATCH_H
#define GLINT_CPU_SCRATCH_H

#include "core/device/backend.h"

/* At least `bytes`, 64-byte aligned, its contents left over from the last use; valid until the next call.
 * STATUS_DEVICE if memory is short. */
Status cpu_scratch(Queue *queue, size_t bytes, void **scratch);

#endif
