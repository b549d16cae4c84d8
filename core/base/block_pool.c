/* block_pool.c: a list of the blocks that are idle, and lists of those in use, by their addresses. An animation has
 * tens of thousands of pictures at once, and a single list would be searched for each. */
#include "core/base/block_pool.h"

#include <stdint.h>
#include <stdlib.h>

enum { CLASS_MIN = 4096, CLASSES = 8 /* an octave */ };

struct PoolBlock {
    PoolBlock *next;
    void *memory;
    size_t bytes;
};

size_t block_class(size_t bytes) {
    size_t step = CLASS_MIN / CLASSES;
    if (bytes <= CLASS_MIN)
        return CLASS_MIN;
    while (step < bytes / (2 * CLASSES))
        step *= 2;
    return bytes <= SIZE_MAX - step ? (bytes + step - 1) / step * step : bytes;
}

void block_pool_init(BlockPool *pool, size_t limit) {
    pthread_mutex_init(&pool->lock, NULL);
    pool->limit = limit;
}

static void push(PoolBlock **list, PoolBlock *block) {
    block->next = *list;
    *list = block;
}

static PoolBlock **users_of(BlockPool *pool, const void *memory) {
    enum { BITS = 10 };
    _Static_assert(1 << BITS == BLOCK_POOL_LISTS, "as many lists as the bits tell apart");
    return &pool->used[(uint64_t)(uintptr_t)memory * 0x9E3779B97F4A7C15u >> (64 - BITS)]; /* Fibonacci hashing */
}

static void drop(BlockPool *pool, PoolBlock *block) {
    pool->drop(pool->context, block->memory, block->bytes);
    free(block);
}

/* Takes blocks beyond the limit out of the idle list, first those that were used longest ago; the caller drops them
 * without the lock. */
static PoolBlock *too_much(BlockPool *pool, size_t limit) {
    PoolBlock *rest = NULL;
    size_t kept = 0;
    for (PoolBlock **at = &pool->idle; *at;) {
        PoolBlock *block = *at;
        if (block->bytes <= limit - kept) {
            kept += block->bytes;
            at = &block->next;
        } else {
            *at = block->next;
            push(&rest, block);
        }
    }
    pool->idle_bytes = kept;
    return rest;
}

static void drop_all(BlockPool *pool, PoolBlock *block) {
    while (block) {
        PoolBlock *next = block->next;
        drop(pool, block);
        block = next;
    }
}

static void keep_only(BlockPool *pool, size_t limit, bool for_good) {
    pthread_mutex_lock(&pool->lock);
    if (for_good)
        pool->limit = limit;
    PoolBlock *rest = pool->idle_bytes > limit ? too_much(pool, limit) : NULL;
    pthread_mutex_unlock(&pool->lock);
    drop_all(pool, rest);
}

void block_pool_limit(BlockPool *pool, size_t limit) {
    keep_only(pool, limit, true);
}

void block_pool_free(BlockPool *pool) {
    keep_only(pool, 0, true);
    pthread_mutex_destroy(&pool->lock);
}

/* The smallest that is large enough, and not twice as large; out of its list. The search ends at one of that size. */
static PoolBlock *find(BlockPool *pool, size_t bytes) {
    PoolBlock **best = NULL;
    for (PoolBlock **at = &pool->idle; *at && !(best && (*best)->bytes == bytes); at = &(*at)->next)
        if ((*at)->bytes >= bytes && (*at)->bytes / 2 < bytes && (!best || (*at)->bytes < (*best)->bytes))
            best = at;
    PoolBlock *found = best ? *best : NULL;
    if (found) {
        *best = found->next;
        pool->idle_bytes -= found->bytes;
    }
    return found;
}

static Status make(BlockPool *pool, size_t bytes, PoolBlock **block) {
    PoolBlock *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a block of memory");
    made->bytes = bytes;
    Status status = pool->make(pool->context, bytes, &made->memory);
    if (status != STATUS_OK) {
        keep_only(pool, 0, false);
        status = pool->make(pool->context, bytes, &made->memory);
    }
    if (status == STATUS_OK)
        *block = made;
    else
        free(made);
    return status;
}

Status block_pool_take(BlockPool *pool, size_t bytes, void **memory, bool *fresh) {
    const size_t class = block_class(bytes);
    pthread_mutex_lock(&pool->lock);
    PoolBlock *block = find(pool, class);
    if (block)
        push(users_of(pool, block->memory), block);
    pthread_mutex_unlock(&pool->lock);
    *fresh = !block;
    if (!block) {
        TRY(make(pool, class, &block));
        pthread_mutex_lock(&pool->lock);
        pool->made++;
        push(users_of(pool, block->memory), block);
        pthread_mutex_unlock(&pool->lock);
    }
    *memory = block->memory;
    return STATUS_OK;
}

void block_pool_give(BlockPool *pool, void *memory) {
    if (!memory)
        return;
    pthread_mutex_lock(&pool->lock);
    PoolBlock **at = users_of(pool, memory);
    while ((*at)->memory != memory)
        at = &(*at)->next;
    PoolBlock *block = *at;
    *at = block->next;
    push(&pool->idle, block);
    pool->idle_bytes += block->bytes;
    PoolBlock *rest = pool->idle_bytes > pool->limit ? too_much(pool, pool->limit) : NULL;
    pthread_mutex_unlock(&pool->lock);
    drop_all(pool, rest);
}

size_t block_pool_made(BlockPool *pool) {
    pthread_mutex_lock(&pool->lock);
    const size_t made = pool->made;
    pthread_mutex_unlock(&pool->lock);
    return made;
}
