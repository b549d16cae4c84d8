/* cache.c: a list of entries, the one that was used last in front. */
#include "core/device/cache.h"

#include <stdlib.h>

struct CacheEntry {
    CacheEntry *older;
    const CacheKind *kind;
    uint64_t key, call; /* the last to begin of those that used it */
    Queue *pending;     /* may still have work enqueued that makes or changes it; NULL: none */
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

/* Keys first: comparing the sources of entries takes longer. */
static CacheEntry **find(Cache *cache, const CacheKind *kind, uint64_t key, const void *from) {
    for (CacheEntry **at = &cache->newest; key != 0 && *at; at = &(*at)->older)
        if ((*at)->kind == kind && (*at)->key == key)
            return at;
    for (CacheEntry **at = &cache->newest; kind->same && *at; at = &(*at)->older)
        if ((*at)->kind == kind && kind->same((*at)->made, from))
            return at;
    return NULL;
}

/* The first of the calls under way; entries that were used since may be in use. */
static uint64_t oldest_call(const Device *device) {
    uint64_t oldest = UINT64_MAX;
    for (const Queue *queue = device->queues; queue; queue = queue->next)
        if (queue->call != 0 && queue->call < oldest)
            oldest = queue->call;
    return oldest;
}

/* The last in the list that no call uses, of one kind or of any; NULL: none. */
static CacheEntry **oldest(Device *device, const CacheKind *kind) {
    const uint64_t in_use = oldest_call(device);
    CacheEntry **found = NULL;
    for (CacheEntry **at = &device->cache.newest; *at; at = &(*at)->older)
        if ((*at)->call < in_use && (!kind || (*at)->kind == kind))
            found = at;
    return found;
}

static size_t count_of(const Cache *cache, const CacheKind *kind) {
    size_t count = 0;
    for (const CacheEntry *entry = cache->newest; entry; entry = entry->older)
        count += entry->kind == kind;
    return count;
}

void cache_init(Cache *cache) {
    pthread_mutexattr_t recursive;
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&cache->lock, &recursive); /* cannot fail with these attributes */
    pthread_mutexattr_destroy(&recursive);
}

void cache_free(Device *device) {
    while (device->cache.newest)
        destroy(device, take_out(&device->cache.newest));
    pthread_mutex_destroy(&device->cache.lock);
}

void cache_lock(Cache *cache) {
    pthread_mutex_lock(&cache->lock);
}
void cache_unlock(Cache *cache) {
    pthread_mutex_unlock(&cache->lock);
}

void cache_begin(Queue *queue) {
    Cache *cache = &queue->device->cache;
    cache_lock(cache);
    queue->call = ++cache->call;
    if (queue->device->backend->host_frames)
        cache_unlock(cache);
}

void cache_end(Queue *queue) {
    Cache *cache = &queue->device->cache;
    if (queue->device->backend->host_frames)
        cache_lock(cache);
    queue->call = 0;
    cache_unlock(cache);
}

void cache_leave(Queue *queue) {
    for (CacheEntry *entry = queue->device->cache.newest; entry; entry = entry->older)
        if (entry->pending == queue)
            entry->pending = NULL;
}

/* Now the newest, and in use by the queue's call. */
static void use(Queue *queue, CacheEntry *entry, uint64_t key) {
    entry->key = key;
    if (entry->call < queue->call)
        entry->call = queue->call;
    put_in_front(&queue->device->cache, entry);
}

/* Work that other queues enqueued may read memory that is about to be written over. */
static Status wait_for_others(Queue *queue) {
    for (Queue *other = queue->device->queues; other; other = other->next)
        if (other != queue)
            TRY(queue->device->backend->sync(other));
    return STATUS_OK;
}

/* While it is made it is in no list, so that nothing that is made meanwhile takes its place. */
static Status make(Queue *queue, CacheEntry *entry, uint64_t key, const void *from, void **made) {
    Status status = entry->kind->make(queue, from, entry->made);
    if (status != STATUS_OK) {
        destroy(queue->device, entry);
        return status;
    }
    entry->pending = queue;
    use(queue, entry, key);
    *made = entry->made;
    return STATUS_OK;
}

static Status make_over(Queue *queue, CacheEntry *entry, uint64_t key, const void *from, void **made) {
    const Status status = wait_for_others(queue);
    if (status == STATUS_OK)
        return make(queue, entry, key, from, made);
    destroy(queue->device, entry);
    return status;
}

static Status make_another(Queue *queue, const CacheKind *kind, uint64_t key, const void *from, void **made) {
    Device *device = queue->device;
    CacheEntry **old = count_of(&device->cache, kind) < kind->max ? NULL : oldest(device, kind);
    if (old)
        return make_over(queue, take_out(old), key, from, made);
    CacheEntry *entry = calloc(1, sizeof *entry + kind->bytes);
    if (!entry)
        return fail(STATUS_DEVICE, "no memory to keep %zu bytes", kind->bytes);
    entry->kind = kind;
    return make(queue, entry, key, from, made);
}

static Status get(Queue *queue, const CacheKind *kind, uint64_t key, const void *from, void **made) {
    CacheEntry **at = find(&queue->device->cache, kind, key, from);
    if (!at)
        return make_another(queue, kind, key, from, made);
    CacheEntry *found = take_out(at);
    use(queue, found, key);
    if (found->pending != queue) {
        if (found->pending)
            TRY(queue->device->backend->sync(found->pending));
        found->pending = kind->changes ? queue : NULL;
    }
    *made = found->made;
    return STATUS_OK;
}

Status cache_get(Queue *queue, const CacheKind *kind, uint64_t key, const void *from, void **entry) {
    Cache *cache = &queue->device->cache;
    *entry = NULL;
    cache_lock(cache);
    const Status status = get(queue, kind, key, from, entry);
    cache_unlock(cache);
    return status;
}

Status cache_remake(Queue *queue, const CacheKind *kind, uint64_t key, const void *from, void **entry) {
    Cache *cache = &queue->device->cache;
    *entry = NULL;
    cache_lock(cache);
    CacheEntry **at = find(cache, kind, key, from);
    const Status status =
        at ? make_over(queue, take_out(at), key, from, entry) : make_another(queue, kind, key, from, entry);
    cache_unlock(cache);
    return status;
}

bool cache_evict(Device *device) {
    cache_lock(&device->cache);
    CacheEntry **at = oldest(device, NULL);
    if (at)
        destroy(device, take_out(at));
    cache_unlock(&device->cache);
    return at != NULL;
}

void cache_reserve(Device *device, size_t bytes) {
    Cache *cache = &device->cache;
    cache_lock(cache);
    while (cache->budget > 0 && cache->bytes + bytes > cache->budget && cache_evict(device)) {
    }
    cache->bytes += bytes;
    cache_unlock(cache);
}

void cache_release(Device *device, size_t bytes) {
    cache_lock(&device->cache);
    device->cache.bytes -= bytes;
    cache_unlock(&device->cache);
}

void cache_forget(Device *device, const CacheKind *kind, bool (*which)(const void *entry, const void *context),
                  const void *context) {
    cache_lock(&device->cache);
    for (CacheEntry **at = &device->cache.newest; *at;)
        if ((*at)->kind == kind && which((*at)->made, context))
            destroy(device, take_out(at));
        else
            at = &(*at)->older;
    cache_unlock(&device->cache);
}
