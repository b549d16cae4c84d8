/* scratch.c: one piece of memory that grows as it is asked for. */
#include "cpu/scratch.h"

#include "core/base/memory.h"
#include "core/base/pages.h"
#include "cpu/device.h"

Status cpu_scratch(Queue *queue, size_t bytes, void **scratch) {
    CpuQueue *cpu = (CpuQueue *)queue;
    queue->workspace = bytes > queue->workspace ? bytes : queue->workspace;
    const bool spills = memory_spill_folder();
    if (bytes > cpu->scratch_bytes || cpu->spilled != spills) { /* without spilling, no file is wanted */
        pages_destroy(cpu->scratch, cpu->scratch_bytes);
        cpu->scratch = NULL;
        cpu->scratch_bytes = 0;
        TRY(pages_create(bytes, &cpu->scratch));
        cpu->scratch_bytes = bytes;
        cpu->spilled = spills;
    }
    *scratch = cpu->scratch;
    return STATUS_OK;
}
