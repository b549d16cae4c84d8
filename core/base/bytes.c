/* bytes.c: bytes in memory. */
#include "core/base/bytes.h"

#include <stdlib.h>
#include <string.h>

bool bytes_append(Bytes *bytes, size_t *capacity, const void *data, size_t size) {
    if (size > *capacity - bytes->size) {
        const size_t wanted = (bytes->size + size) + (bytes->size + size) / 2 + 4096;
        unsigned char *grown = wanted > bytes->size ? realloc(bytes->data, wanted) : NULL;
        if (!grown)
            return false;
        bytes->data = grown;
        *capacity = wanted;
    }
    if (size > 0)
        memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

bool bytes_put(Bytes *bytes, size_t *capacity, size_t at, const void *data, size_t size) {
    static const char zeros[1 << 12];
    while (bytes->size < at) {
        const size_t gap = at - bytes->size;
        if (!bytes_append(bytes, capacity, zeros, gap < sizeof zeros ? gap : sizeof zeros))
            return false;
    }
    const size_t left = bytes->size - at, over = size < left ? size : left;
    if (over > 0)
        memcpy(bytes->data + at, data, over);
    return over == size || bytes_append(bytes, capacity, (const char *)data + over, size - over);
}

/* FNV-1a (Fowler, Noll and Vo) by words of 8 bytes, whose upper half is folded down: a product carries upwards
 * only. */
static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * UINT64_C(0x100000001b3);
    return hash ^ hash >> 32;
}

uint64_t bytes_hash(Bytes bytes) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
    size_t at = 0;
    for (; at + sizeof word <= bytes.size; at += sizeof word) {
        memcpy(&word, bytes.data + at, sizeof word);
        hash = mix(hash, word);
    }
    for (; at < bytes.size; at++)
        hash = mix(hash, bytes.data[at]);
    return mix(hash, bytes.size);
}

void bytes_free(Bytes *bytes) {
    free(bytes->data);
    *bytes = (Bytes){0};
}
