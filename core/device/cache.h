/* cache.h: entries that a device keeps between runs, made of a mask, a scene or a frame, until room is needed.
 * Owns the entries, the order in which they go, the count of the bytes that they take, and the lock around all that.
 * The queues of a device share the entries, also from several threads. A call is a queue's work between cache_begin and
 * cache_end: a level's run, or a build. An entry that a call gets stays until the call ends. The calls of a backend
 * that only enqueues (one without host_frames) exclude each other, since levels go on with their entries. The CPU's do
 * their work meanwhile, and exclude each other only while an entry is looked up or made. */
#ifndef GLINT_CORE_DEVICE_CACHE_H
#define GLINT_CORE_DEVICE_CACHE_H

#include "core/device/backend.h"

/* The rules for one owner's entries: a static descriptor in the owner's file, whose address tells its entries from
 * others. */
typedef struct CacheKind {
    size_t bytes; /* of an entry */
    size_t max;   /* entries at once: one more is made in the place of the one that was not used for longest */
    /* Makes an entry of `from`. It begins zeroed, or as it was made of something else, so that its memory serves again.
     * May only enqueue the work: another queue that gets the entry waits for it. */
    Status (*make)(Queue *queue, const void *from, void *entry);
    /* Whether an entry was made of something equal; NULL: only the key tells. */
    bool (*same)(const void *entry, const void *from);
    /* Frees an entry's contents, once all queues are done with it; accepts those that `make` left half-made. */
    void (*drop)(Device *device, void *entry);
    bool changes; /* calls write to it after it was made: a queue that gets it waits for the one that had it before */
} CacheKind;

void cache_init(Cache *cache);   /* of a zeroed one: empty, without a limit */
void cache_free(Device *device); /* drops all; no call is under way */
void cache_lock(Cache *cache);
void cache_unlock(Cache *cache);

void cache_begin(Queue *queue);
void cache_end(Queue *queue);
/* Forgets the queue, which has no work left. */
void cache_leave(Queue *queue);
/* Finds the entry made of `from`, or makes it. Equal keys mean equal things, such as the serial of a mask or a scene; 0
 * says nothing. Fails as `make` does. */
Status cache_get(Queue *queue, const CacheKind *kind, uint64_t key, const void *from, void **entry);
/* Makes the entry again if it is there; else as cache_get. */
Status cache_remake(Queue *queue, const CacheKind *kind, uint64_t key, const void *from, void **entry);
/* Counts bytes that are about to be taken; entries that no call uses go as long as the bytes exceed the budget. */
void cache_reserve(Device *device, size_t bytes);
void cache_release(Device *device, size_t bytes);
/* Drops the entry that was not used for longest, and that no call under way uses; false if there is none. */
bool cache_evict(Device *device);
/* Drops the entries of a kind that `which` picks. */
void cache_forget(Device *device, const CacheKind *kind, bool (*which)(const void *entry, const void *context),
                  const void *context);

#endif
