/* block_pool.h: blocks of memory that serve again: of the host, of a device, pinned.
 * Owns the blocks that nobody uses now, up to a limit, and forgets first the one that was used longest ago. Sizes are
 * rounded up to one of eight classes an octave. After a while pictures of all sizes therefore find blocks that others
 * have left. */
#ifndef GLINT_CORE_BASE_BLOCK_POOL_H
#define GLINT_CORE_BASE_BLOCK_POOL_H

#include "core/base/status.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct BlockPool BlockPool;
typedef struct PoolBlock PoolBlock;

enum { BLOCK_POOL_LISTS = 1024 };

struct BlockPool {
    /* Where blocks come from; `context` is the maker's. Memory that is made is all 0. Called without the lock. */
    Status (*make)(void *context, size_t bytes, void **memory);
    void (*drop)(void *context, void *memory, size_t bytes);
    void *context;
    pthread_mutex_t lock;              /* guards the members below */
    PoolBlock *idle;                   /* the one used last is first */
    PoolBlock *used[BLOCK_POOL_LISTS]; /* each in the list that its address chooses */
    size_t idle_bytes, limit;
    size_t made; /* blocks, so far */
};

/* The least class that holds so many bytes. */
size_t block_class(size_t bytes);

/* Keeps up to `limit` bytes that nobody uses. */
void block_pool_init(BlockPool *pool, size_t limit);
/* Drops all that is idle; nothing is in use. */
void block_pool_free(BlockPool *pool);
/* Hands out a block of at least `bytes`; *fresh says that all of it is 0, else it holds its last user's bytes. The pool
 * drops its idle blocks before this fails as `make` does. */
Status block_pool_take(BlockPool *pool, size_t bytes, void **memory, bool *fresh);
/* Accepts NULL. */
void block_pool_give(BlockPool *pool, void *memory);
/* From now on keeps no more than that. */
void block_pool_limit(BlockPool *pool, size_t limit);
/* How many blocks were made. */
size_t block_pool_made(BlockPool *pool);

#endif
