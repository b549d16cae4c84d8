/* parameters.h: what kernels do, as glint/kernel.h declares it: an operation's parameters, in their order. */
#ifndef GLINT_KERNEL_PARAMETERS_H
#define GLINT_KERNEL_PARAMETERS_H

#include "kernel/host/task.h"

typedef struct KernelParameter {
    ParameterKind kind;
    const char *name;
    bool result; /* the kernel makes it */
} KernelParameter;

typedef struct KernelParameters {
    const char *name;
    KernelParameter parameters[TASK_PARAMETERS];
    int work; /* the parameter whose pixels, or elements, the blocks cover */
} KernelParameters;

extern const KernelParameters kernel_parameters[GLINT_OPERATIONS]; /* by GLINT_convolve, ... */

#endif
