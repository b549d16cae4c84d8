/* pinned.c: pages of the system that the driver is told of. */
#include "gpu/pinned.h"

#include "gpu/gpu.h"

#include <sys/mman.h>

Status pinned_create(size_t bytes, void **memory) {
    void *const mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    *memory = NULL;
    if (mapped == MAP_FAILED)
        return fail(STATUS_DEVICE, "no memory for pinned buffers (%zu MiB)", bytes >> 20);
    (void)madvise(mapped, bytes, MADV_HUGEPAGE);
    (void)madvise(mapped, bytes, MADV_POPULATE_WRITE); /* before Linux 5.14 the driver does that */
    const cudaError_t error = cudaHostRegister(mapped, bytes, cudaHostRegisterPortable);
    if (error != cudaSuccess) {
        munmap(mapped, bytes);
        return gpu_fail(error, "cudaHostRegister");
    }
    *memory = mapped;
    return STATUS_OK;
}

void pinned_destroy(void *memory, size_t bytes) {
    if (!memory)
        return;
    cudaHostUnregister(memory);
    munmap(memory, bytes);
}
