/* machine.h: shared by experiments on the CPU. */
#ifndef GLINT_CPU_COURSE_MACHINE_MACHINE_H
#define GLINT_CPU_COURSE_MACHINE_MACHINE_H

#include "core/device/experiment.h"

#include <stdint.h>
#include <stdlib.h>

enum { LINE_BYTES = 64 /* of caches */, PAGE_BYTES = 4096 };

/* Whole pages, to be freed by free(). */
static inline Status machine_memory(size_t bytes, void **memory) {
    *memory = aligned_alloc(PAGE_BYTES, (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES);
    return *memory ? STATUS_OK : fail(STATUS_DEVICE, "no memory for an experiment of %zu MiB", bytes >> 20);
}

/* Something that was computed is wanted, as far as the compiler knows. */
static inline void machine_want(uint64_t value) {
    volatile uint64_t wanted = value;
    (void)wanted;
}

#endif
