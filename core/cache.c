/* cache.c: a list of entries, the one that was used last in front. */
#include "core/cache.h"

#include "core/backend.h"

#include <stdlib.h>

struct CacheEntry {
    CacheEntry *older;
    const CacheKind *kind;
    uint64_t key, call; /* that used it last */
    max_align_t made[];
};

static CacheEntry *take_out(CacheEntry **at) {
    CacheEntry *entry = *at;
    *at = entry->older;
    return entry;
}

static void put_in_front(Cache *cache, CacheEntry *entry) {
    entry->older = cache->newest;
    cache->newest = entry;
}

static void destroy(Device *device, CacheEntry *entry) {
    entry->kind->drop(device, entry->made);
    free(entry);
}

/* Keys first: comparing what entries were made of takes longer. */
static CacheEntry **find(Cache *cache, const CacheKind *kind, uint64_t key, const void *from) {
    for (CacheEntry **at = &cache->newest; key != 0 && *at; at = &(*at)->older)
        if ((*at)->kind == kind && (*at)->key == key)
            return at;
    for (CacheEntry **at = &cache->newest; kind->same && *at; at = &(*at)->older)
        if ((*at)->kind == kind && kind->same((*at)->made, from))
            return at;
    return NULL;
}

/* The last in the list that this call does not use, of one kind or of any; NULL: none. */
static CacheEntry **oldest(Cache *cache, const CacheKind *kind) {
    CacheEntry **found = NULL;
    for (CacheEntry **at = &cache->newest; *at; at = &(*at)->older)
        if ((*at)->call != cache->call && (!kind || (*at)->kind == kind))
            found = at;
    return found;
}

static size_t count_of(const Cache *cache, const CacheKind *kind) {
    size_t count = 0;
    for (const CacheEntry *entry = cache->newest; entry; entry = entry->older)
        count += entry->kind == kind;
    return count;
}

void cache_begin(Device *device) {
    device->cache.call++;
}

/* While it is made it is in no list, so that nothing that is made beside it takes its place. */
static Status make(Device *device, CacheEntry *entry, uint64_t key, const void *from, void **made) {
    const Status status = entry->kind->make(device, from, entry->made);
    if (status != STATUS_OK) {
        destroy(device, entry);
        return status;
    }
    entry->key = key;
    entry->call = device->cache.call;
    put_in_front(&device->cache, entry);
    *made = entry->made;
    return STATUS_OK;
}

static Status make_another(Device *device, const CacheKind *kind, uint64_t key, const void *from, void **made) {
    CacheEntry **old = count_of(&device->cache, kind) < kind->max ? NULL : oldest(&device->cache, kind);
    CacheEntry *entry = old ? take_out(old) : calloc(1, sizeof *entry + kind->bytes);
    if (!entry)
        return fail(STATUS_DEVICE, "no memory to keep %zu bytes", kind->bytes);
    entry->kind = kind;
    return make(device, entry, key, from, made);
}

Status cache_get(Device *device, const CacheKind *kind, uint64_t key, const void *from, void **entry) {
    CacheEntry **at = find(&device->cache, kind, key, from);
    *entry = NULL;
    if (!at)
        return make_another(device, kind, key, from, entry);
    CacheEntry *found = take_out(at);
    put_in_front(&device->cache, found);
    found->key = key;
    found->call = device->cache.call;
    *entry = found->made;
    return STATUS_OK;
}

Status cache_remake(Device *device, const CacheKind *kind, uint64_t key, const void *from, void **entry) {
    CacheEntry **at = find(&device->cache, kind, key, from);
    *entry = NULL;
    return at ? make(device, take_out(at), key, from, entry) : make_another(device, kind, key, from, entry);
}

bool cache_evict(Device *device) {
    CacheEntry **at = oldest(&device->cache, NULL);
    if (at)
        destroy(device, take_out(at));
    return at != NULL;
}

void cache_reserve(Device *device, size_t bytes) {
    Cache *cache = &device->cache;
    while (cache->budget > 0 && cache->bytes + bytes > cache->budget && cache_evict(device)) {
    }
    cache->bytes += bytes;
}

void cache_release(Device *device, size_t bytes) {
    device->cache.bytes -= bytes;
}

void cache_forget(Device *device, const CacheKind *kind, bool (*which)(const void *entry, const void *context),
                  const void *context) {
    for (CacheEntry **at = &device->cache.newest; *at;)
        if ((*at)->kind == kind && which((*at)->made, context))
            destroy(device, take_out(at));
        else
            at = &(*at)->older;
}

void cache_clear(Device *device) {
    while (device->cache.newest)
        destroy(device, take_out(&device->cache.newest));
}
