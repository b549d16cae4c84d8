/* device.h: the CPU's device as the files of cpu/ share it. */
#ifndef GLINT_CPU_DEVICE_H
#define GLINT_CPU_DEVICE_H

#include "core/backend.h"

typedef struct CpuDevice {
    Device device; /* first, so that a Device * is ours */
    double marks[BACKEND_MARKS];
    void *scratch; /* cpu/scratch.c */
    size_t scratch_bytes;
} CpuDevice;

enum { FRAME_ALIGNMENT = 64 };

#endif
