/* bytes.h: bytes in memory: a file's contents, before it is written or after it is read.
 * Owns the type that readers, decoders and encoders pass on. */
#ifndef GLINT_CORE_BASE_BYTES_H
#define GLINT_CORE_BASE_BYTES_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* From malloc; its last holder frees it (bytes_free). */
typedef struct Bytes {
    unsigned char *data;
    size_t size;
} Bytes;

/* Where the bytes of a file go that is written while it is made. */
typedef struct ByteSink ByteSink;
struct ByteSink {
    /* At byte `at`, over the bytes there: only behind the last one unless it `seeks`. */
    Status (*put)(ByteSink *sink, size_t at, const void *data, size_t size);
    bool seeks;
};

/* Appends to *bytes, whose memory holds *capacity; false if memory ran out, *bytes is as it was. */
bool bytes_append(Bytes *bytes, size_t *capacity, const void *data, size_t size);
/* Writes at byte `at` of *bytes, over the bytes there; zeros fill a gap. False as bytes_append. */
bool bytes_put(Bytes *bytes, size_t *capacity, size_t at, const void *data, size_t size);
/* A number that other bytes hardly have: to notice changes, not attacks. */
uint64_t bytes_hash(Bytes bytes);
void bytes_free(Bytes *bytes);

#endif
