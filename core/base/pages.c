/* pages.c: large blocks by mmap, small ones by malloc. */
#include "core/base/pages.h"

#include "core/base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    LARGE = 1 << 20 /* bytes: a mapping costs some microseconds, and a block of pages as many bytes as they have */
};

static Status no_memory(size_t bytes) {
    return fail(STATUS_DEVICE, "no memory for a block of %.4g MiB", (double)bytes / 0x1p20);
}

static Status map(size_t bytes, void **memory) {
    void *pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return no_memory(bytes);
    (void)madvise(pages, bytes, MADV_HUGEPAGE); /* a system without them goes on with others */
    *memory = pages;
    return STATUS_OK;
}

/* Opens a file that ends with its last user. Not all file systems have files that never had a name (open(2),
 * O_TMPFILE). */
static int open_nameless(const char *folder) {
    char path[PATH_MAX];
    int file = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
        return file;
    snprintf(path, sizeof path, "%s/.glint-spill-XXXXXX", folder);
    file = mkostemp(path, O_CLOEXEC);
    if (file >= 0)
        unlink(path);
    return file;
}

static Status map_file(const char *folder, size_t bytes, void **memory) {
    const int file = open_nameless(folder);
    void *pages = MAP_FAILED;
    errno = file < 0 ? errno : posix_fallocate(file, 0, (off_t)bytes);
    if (file >= 0 && errno == 0)
        pages = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    const Status status = pages != MAP_FAILED ? STATUS_OK
                                              : fail(STATUS_DEVICE, "%s: no file of %.4g MiB to spill to: %m", folder,
                                                     (double)bytes / 0x1p20);
    if (file >= 0)
        close(file);
    *memory = status == STATUS_OK ? pages : NULL;
    return status;
}

Status pages_create(size_t bytes, void **memory) {
    const char *folder = memory_spill_folder();
    *memory = NULL;
    if (bytes >= LARGE)
        return folder ? map_file(folder, bytes, memory) : map(bytes, memory);
    const size_t rounded = (bytes + PAGES_ALIGNMENT - 1) / PAGES_ALIGNMENT * PAGES_ALIGNMENT;
    *memory = aligned_alloc(PAGES_ALIGNMENT, rounded > 0 ? rounded : PAGES_ALIGNMENT);
    if (!*memory)
        return no_memory(bytes);
    memset(*memory, 0, rounded);
    return STATUS_OK;
}

void pages_hint(void *memory, size_t bytes) {
    const size_t page = (size_t)sysconf(_SC_PAGESIZE), before = (page - (uintptr_t)memory % page) % page;
    if (bytes >= LARGE)
        (void)madvise((char *)memory + before, bytes - before, MADV_HUGEPAGE);
}

void pages_destroy(void *memory, size_t bytes) {
    if (memory && bytes >= LARGE)
        munmap(memory, bytes);
    else
        free(memory);
}
