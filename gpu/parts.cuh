/* parts.cuh: device memory laid out in parts. */
#ifndef GLINT_GPU_PARTS_CUH
#define GLINT_GPU_PARTS_CUH

#include <stddef.h>

/* Divides `memory` into parts, one after the other; with memory NULL only adds up their sizes. */
typedef struct Parts {
    unsigned char *memory;
    size_t used;
} Parts;

template <typename T> static T *part(Parts *parts, size_t count) {
    T *at = (T *)(parts->memory + parts->used);
    parts->used += (count * sizeof(T) + 255) / 256 * 256;
    return at;
}

#endif
