/* power.h: the device's power. */
#ifndef GLINT_GPU_POWER_H
#define GLINT_GPU_POWER_H

#include "gpu/gpu.h"

/* The backend's `power`: negative where there is no NVML, or where it does not know. */
Power cuda_power(Device *device);

#endif
