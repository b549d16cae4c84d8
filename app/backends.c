/* backends.c: the list of backends. The order is that of lists and keys; "auto" takes the last one that opens. */
#include "app/backends.h"

#include "core/device/backend.h"
#include "cpu/backend.h"
#include "cpu/isa.h"
#ifdef GLINT_HAS_CUDA
#    include "core/base/trial.h"
#    include "gpu/backend.h"

#    include <dlfcn.h>
#    include <stdio.h>
#    include <string.h>
#    include <unistd.h>
#endif

#ifndef GLINT_HAS_CUDA
static const char no_cuda[] = "this glint was built without CUDA; build it where nvcc is on PATH";
#else
/* Takes 2 ms with a driver of 96 MB. Starting to use a GPU takes tenths of a second. Only a driver without any of its
 * devices (of Linux, of WSL, of Tegra) is asked for GPUs, too: it answers at once. */
static void try_driver(void) {
    int count;
    if (dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL) && access("/dev/nvidiactl", F_OK) != 0 &&
        access("/dev/dxg", F_OK) != 0 && access("/dev/nvmap", F_OK) != 0)
        (void)cuda_backend.device_count(&count);
}

/* The driver is loaded into the process, and would end it if it is damaged. */
static Status register_cuda(void) {
    enum { SECONDS = 10 };
    static char why[160];
    int signal;
    if (trial_survived(try_driver, SECONDS, &signal))
        return backend_register(&cuda_backend);
    snprintf(why, sizeof why, "the driver's library, libcuda.so.1, is damaged: a process that tried it ended (%s)",
             signal ? strsignal(signal) : "without a signal");
    backend_note_absent("cuda", why);
    return STATUS_OK;
}
#endif

static const AbsentLevel absent_levels[] = {
#ifndef GLINT_HAS_CUDA
#    include "absent_levels.def" /* by tools/absent-levels.cmake */
#endif
    {0},
};

const AbsentLevel *backends_absent_level(size_t index) {
    return index + 1 < sizeof absent_levels / sizeof absent_levels[0] ? &absent_levels[index] : NULL;
}

Status backends_register(void) {
    TRY(isa_check());
    TRY(backend_register(&cpu_backend));
#ifdef GLINT_HAS_CUDA
    TRY(register_cuda());
#else
    backend_note_absent("cuda", no_cuda);
#endif
    return STATUS_OK;
}
