/* backends.c: the list of backends. The order is that of lists and keys; "auto" takes the last one that opens. */
#include "app/backends.h"

#include "core/backend.h"
#include "cpu/backend.h"
#ifdef GLINT_HAS_CUDA
#    include "gpu/backend.h"
#endif

Status backends_register(void) {
    TRY(backend_register(&cpu_backend));
#ifdef GLINT_HAS_CUDA
    TRY(backend_register(&cuda_backend));
#else
    backend_note_absent("cuda", "this glint was built without CUDA; build it where nvcc is on PATH");
#endif
    return STATUS_OK;
}
