/* frames.h: pictures of an animation, each painted over the one before. */
#ifndef GLINT_CORE_CODEC_FRAMES_H
#define GLINT_CORE_CODEC_FRAMES_H

#include "core/base/memory.h"
#include "core/image/image.h"

/* A rectangle of pixels. */
typedef struct Area {
    size_t left, top, width, height;
} Area;

static inline Area area_of(Shape shape) {
    return (Area){0, 0, shape.width, shape.height};
}

static inline bool area_covers(Area area, Area other) {
    return other.width == 0 || other.height == 0 ||
           (area.left <= other.left && area.top <= other.top && area.left + area.width >= other.left + other.width &&
            area.top + area.height >= other.top + other.height);
}

/* The bytes of `count` pictures behind the first, and of the records about each. */
static inline size_t further_bytes(size_t count, Shape shape) {
    enum { PICTURE_BYTES = 1 << 10 };
    return memory_product(count, memory_sum(shape_bytes(shape), PICTURE_BYTES));
}

#endif
