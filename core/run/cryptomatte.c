/* cryptomatte.c: hashes of names. */
#include "core/run/cryptomatte.h"

#include <stdio.h>
#include <string.h>

static uint32_t rotated(uint32_t value, int left) {
    return value << left | value >> (32 - left);
}

static uint32_t scrambled(uint32_t block) {
    return rotated(block * 0xCC9E2D51U, 15) * 0x1B873593U;
}

static uint32_t murmur(const unsigned char *text, size_t length) {
    uint32_t hash = 0, rest = 0;
    size_t at = 0;
    for (; at + 4 <= length; at += 4) {
        const unsigned char *t = text + at;
        const uint32_t block = (uint32_t)t[0] | (uint32_t)t[1] << 8 | (uint32_t)t[2] << 16 | (uint32_t)t[3] << 24;
        hash = rotated(hash ^ scrambled(block), 13) * 5 + 0xE6546B64U;
    }
    for (size_t i = 0; at + i < length; i++)
        rest |= (uint32_t)text[at + i] << 8 * i;
    hash ^= scrambled(rest) ^ (uint32_t)length;
    hash = (hash ^ hash >> 16) * 0x85EBCA6BU;
    hash = (hash ^ hash >> 13) * 0xC2B2AE35U;
    return hash ^ hash >> 16;
}

uint32_t cryptomatte_hash(const char *name) {
    const uint32_t hash = murmur((const unsigned char *)name, strlen(name)), exponent = hash >> 23 & 255;
    return exponent == 0 || exponent == 255 ? hash ^ 1U << 23 : hash;
}

static Status append(Bytes *manifest, size_t *capacity, const char *text, size_t length) {
    return bytes_append(manifest, capacity, text, length) ? STATUS_OK
                                                          : fail(STATUS_DEVICE, "no memory for the names of objects");
}

Status cryptomatte_list(Bytes *manifest, size_t *capacity, const char *name) {
    char entry[CRYPTOMATTE_NAME + 32];
    const int length = snprintf(entry, sizeof entry, "%s\"%.*s\":\"%08x\"", manifest->size > 0 ? "," : "{",
                                CRYPTOMATTE_NAME, name, (unsigned)cryptomatte_hash(name));
    return append(manifest, capacity, entry, (size_t)length);
}

Status cryptomatte_close(Bytes *manifest, size_t *capacity) {
    return manifest->size > 0 ? append(manifest, capacity, "}", 2) : append(manifest, capacity, "{}", 3);
}
