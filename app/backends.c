/* backends.c: the list of backends. The order is that of lists and keys; "auto" takes the last one that opens. */
#include "app/backends.h"

#include "core/backend.h"
#include "cpu/backend.h"
#include "cpu/isa.h"
#ifdef GLINT_HAS_CUDA
#    include "gpu/backend.h"
#endif

#ifndef GLINT_HAS_CUDA
static const char no_cuda[] = "this glint was built without CUDA; build it where nvcc is on PATH";
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
    TRY(backend_register(&cuda_backend));
#else
    backend_note_absent("cuda", no_cuda);
#endif
    return STATUS_OK;
}
