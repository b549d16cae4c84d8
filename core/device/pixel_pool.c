/* pixel_pool.c: blocks of the host's memory as a source of pixels. */
#include "core/device/pixel_pool.h"

#include "core/base/memory.h"
#include "core/base/pages.h"

#include <string.h>

static Status make(void *context, size_t bytes, void **memory) {
    const Backend *backend = context;
    if (backend->host_create)
        return backend->host_create(bytes, memory);
    return pages_create(bytes, memory);
}

static void drop(void *context, void *memory, size_t bytes) {
    const Backend *backend = context;
    if (backend->host_create)
        backend->host_destroy(memory, bytes);
    else
        pages_destroy(memory, bytes);
}

static Status take(PixelSource *source, size_t bytes, bool zeroed, void **memory) {
    PixelPool *pool = (PixelPool *)source;
    bool fresh;
    TRY(block_pool_take(&pool->blocks, bytes, memory, &fresh));
    if (zeroed && !fresh)
        memset(*memory, 0, bytes);
    return STATUS_OK;
}

static void give(PixelSource *source, void *memory) {
    block_pool_give(&((PixelPool *)source)->blocks, memory);
}

void pixel_pool_init(PixelPool *pool, const Backend *backend, size_t limit) {
    *pool = (PixelPool){.source = {.take = take, .give = give},
                        .blocks = {.make = make, .drop = drop, .context = (void *)backend}};
    block_pool_init(&pool->blocks, limit);
}

void pixel_pool_free(PixelPool *pool) {
    block_pool_free(&pool->blocks);
}

/* Before the pixels: how many bytes there are, in as many as keep them aligned. */
static Status take_pages(PixelSource *source, size_t bytes, bool zeroed, void **memory) {
    const size_t all = memory_sum(bytes, PAGES_ALIGNMENT);
    (void)source, (void)zeroed;
    TRY(pages_create(all, memory));
    memcpy(*memory, &all, sizeof all);
    *memory = (char *)*memory + PAGES_ALIGNMENT;
    return STATUS_OK;
}

static void give_pages(PixelSource *source, void *memory) {
    void *block = (char *)memory - PAGES_ALIGNMENT;
    size_t all;
    (void)source;
    memcpy(&all, block, sizeof all);
    pages_destroy(block, all);
}

PixelSource pixel_pages = {.take = take_pages, .give = give_pages};
