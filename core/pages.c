/* pages.c: large blocks by mmap, small ones by malloc. */
#include "core/pages.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
    LARGE = 1 << 20 /* bytes: a mapping costs some microseconds, and a block of pages as many bytes as they have */
};

static void *map(size_t bytes) {
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
    (void)madvise(memory, bytes, MADV_HUGEPAGE); /* a system without them goes on with others */
    return memory;
}

void *pages_create(size_t bytes) {
    if (bytes >= LARGE)
        return map(bytes);
    const size_t rounded = (bytes + PAGES_ALIGNMENT - 1) / PAGES_ALIGNMENT * PAGES_ALIGNMENT;
    void *memory = aligned_alloc(PAGES_ALIGNMENT, rounded > 0 ? rounded : PAGES_ALIGNMENT);
    return memory ? memset(memory, 0, rounded) : NULL;
}

void pages_destroy(void *memory, size_t bytes) {
    if (memory && bytes >= LARGE)
        munmap(memory, bytes);
    else
        free(memory);
}
