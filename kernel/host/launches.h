/* launches.h: a task's launches on a GPU, real or emulated. Most operations need one. A sum needs several: it is summed
 * again until one value is left. */
#ifndef GLINT_KERNEL_HOST_LAUNCHES_H
#define GLINT_KERNEL_HOST_LAUNCHES_H

#include "kernel/host/device.h"

typedef struct HostLaunch {
    const KernelTask *task;
    unsigned grid[3], block[3];
    size_t shared; /* bytes of dynamic shared memory */
    void *arguments[TASK_PARAMETERS];
} HostLaunch;

/* Launches the task's kernel by `launch`, as often as a run needs it. The result of a sum is the first value of its
 * parameter. */
bool host_launches(const HostCall *call, bool (*launch)(const HostLaunch *launch, KernelAnswer *answer),
                   KernelAnswer *answer);

#endif
