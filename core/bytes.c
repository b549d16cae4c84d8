/* bytes.c: bytes in memory. */
#include "core/bytes.h"

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
    memcpy(bytes->data + bytes->size, data, size);
    bytes->size += size;
    return true;
}

void bytes_free(Bytes *bytes) {
    free(bytes->data);
    *bytes = (Bytes){0};
}
