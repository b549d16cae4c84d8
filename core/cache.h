/* cache.h: what a device keeps between runs: things made of a mask, a scene or a frame, until room is needed.
 * Owns the entries, the order in which they go, and the count of the bytes that they take. */
#ifndef GLINT_CORE_CACHE_H
#define GLINT_CORE_CACHE_H

#include "core/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Device Device; /* core/backend.h */

/* What one owner keeps: a static descriptor in the owner's file, whose address tells its entries from others. */
typedef struct CacheKind {
    size_t bytes; /* of an entry */
    size_t max;   /* entries at once: one more is made in the place of the one that was not used for longest */
    /* Makes an entry of `from`. It begins zeroed, or as it was made of something else, so that its memory serves again.
     */
    Status (*make)(Device *device, const void *from, void *entry);
    /* Whether an entry was made of something equal; NULL: only the key tells. */
    bool (*same)(const void *entry, const void *from);
    void (*drop)(Device *device, void *entry); /* frees what it holds; accepts what `make` left half-made */
} CacheKind;

typedef struct CacheEntry CacheEntry;

/* A zeroed one is empty and without a limit. */
typedef struct Cache {
    CacheEntry *newest;   /* a list, from what was used last */
    size_t bytes, budget; /* taken by entries and scratch, and how many they should take at most; 0: any */
    uint64_t call;
} Cache;

/* A call of the device begins: what is got from now on stays until the next one begins. */
void cache_begin(Device *device);
/* Finds what was made of `from`, or makes it. Equal keys mean equal things, such as the serial of a mask or a scene; 0
 * says nothing. Fails as `make` does. */
Status cache_get(Device *device, const CacheKind *kind, uint64_t key, const void *from, void **entry);
/* The same, made anew if it is there. */
Status cache_remake(Device *device, const CacheKind *kind, uint64_t key, const void *from, void **entry);
/* Counts bytes that are about to be taken; what this call does not use goes as long as they exceed the budget. */
void cache_reserve(Device *device, size_t bytes);
void cache_release(Device *device, size_t bytes);
/* Drops what was not used for longest, and not in this call; false if there is nothing. */
bool cache_evict(Device *device);
/* Drops the entries of a kind that `which` picks. */
void cache_forget(Device *device, const CacheKind *kind, bool (*which)(const void *entry, const void *context),
                  const void *context);
void cache_clear(Device *device); /* drops all */

#endif
