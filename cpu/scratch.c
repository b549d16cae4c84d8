/* scratch.c: one piece of memory that grows as it is asked for. */
#include "cpu/scratch.h"

#include "cpu/device.h"

#include <stdlib.h>

Status cpu_scratch(Queue *queue, size_t bytes, void **scratch) {
    CpuQueue *cpu = (CpuQueue *)queue;
    queue->workspace = bytes > queue->workspace ? bytes : queue->workspace;
    if (bytes > cpu->scratch_bytes) {
        free(cpu->scratch);
        cpu->scratch_bytes = (bytes + FRAME_ALIGNMENT - 1) / FRAME_ALIGNMENT * FRAME_ALIGNMENT;
        cpu->scratch = aligned_alloc(FRAME_ALIGNMENT, cpu->scratch_bytes);
    }
    *scratch = cpu->scratch;
    if (cpu->scratch)
        return STATUS_OK;
    cpu->scratch_bytes = 0;
    return fail(STATUS_DEVICE, "no memory for %zu KiB of scratch", bytes >> 10);
}
