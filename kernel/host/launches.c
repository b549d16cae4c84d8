/* launches.c: grids from tasks. */
#include "kernel/host/launches.h"

#include <string.h>

enum { ALIGNMENT = 64 }; /* floats */

static bool launch_once(const KernelTask *task, TaskParameter *parameters,
                        bool (*launch)(const HostLaunch *, KernelAnswer *), KernelAnswer *answer, unsigned *blocks) {
    HostLaunch one = {.task = task, .block = {(unsigned)task->kernel.block[0], (unsigned)task->kernel.block[1], 1}};
    KernelTask sized = *task; /* a later launch of a sum covers less */
    memcpy(sized.parameters, parameters, sizeof sized.parameters);
    host_grid(&sized, one.grid, &one.shared);
    for (int i = 0; i < task->count; i++)
        one.arguments[i] = &parameters[i].value;
    *blocks = one.grid[0];
    return launch(&one, answer);
}

/* The blocks' sums lie in one half of the parameter, and the sums of these in the other; the last lies in front. Both
 * begin at whole ALIGNMENTs, so that kernels can read several values at once; the parameter has room for that. */
static bool sum_again(const HostCall *call, bool (*launch)(const HostLaunch *, KernelAnswer *), KernelAnswer *answer) {
    TaskParameter parameters[TASK_PARAMETERS];
    const size_t half = call->parameters[1].bytes / sizeof(float) / 2 / ALIGNMENT * ALIGNMENT;
    float *const first = call->parameters[1].value.pointer, *sums;
    unsigned blocks, passes = 0;
    memcpy(parameters, call->parameters, sizeof parameters);
    do {
        sums = passes++ % 2 == 0 ? first : first + half;
        parameters[1].value.pointer = sums;
        if (!launch_once(call->task, parameters, launch, answer, &blocks))
            return false;
        parameters[0].value.vector = (KernelVector){sums, (int)blocks};
    } while (blocks > 1);
    if (sums == first)
        return true;
    parameters[1].value.pointer = first; /* one more sum, of one value */
    parameters[0].value.vector = (KernelVector){sums, 1};
    return launch_once(call->task, parameters, launch, answer, &blocks);
}

bool host_launches(const HostCall *call, bool (*launch)(const HostLaunch *, KernelAnswer *), KernelAnswer *answer) {
    unsigned blocks;
    return call->task->kernel.operation == GLINT_reduce
               ? sum_again(call, launch, answer)
               : launch_once(call->task, call->parameters, launch, answer, &blocks);
}
