/* places.c: values from one arrangement to another. */
#include "core/image/places.h"

#include <stdint.h>
#include <string.h>

Places places_settle(Shape shape, Places places) {
    const ptrdiff_t value = (ptrdiff_t)pixel_type_size(shape.type), pixel = shape.channels * value;
    if (shape.channels == 1)
        places.channel = value;
    if (shape.width == 1)
        places.pixel = pixel;
    if (shape.height == 1)
        places.row = (ptrdiff_t)shape_row_bytes(shape);
    return places;
}

bool places_are_view(Shape shape, Places places, ImageView *view) {
    const ptrdiff_t value = (ptrdiff_t)pixel_type_size(shape.type);
    *view = (ImageView){shape, (size_t)places.row, places.first};
    return places.channel == value && places.pixel == shape.channels * value &&
           places.row >= (ptrdiff_t)shape_row_bytes(shape);
}

/* How far the last of `count` lies from the first; false if that overflows. */
static bool reach(size_t count, ptrdiff_t stride, ptrdiff_t *below, ptrdiff_t *above) {
    ptrdiff_t way;
    return count - 1 <= PTRDIFF_MAX && !__builtin_mul_overflow((ptrdiff_t)(count - 1), stride, &way) &&
           !__builtin_add_overflow(way < 0 ? *below : *above, way, way < 0 ? below : above);
}

bool places_span(Shape shape, Places places, uintptr_t *begin, uintptr_t *end) {
    ptrdiff_t below = 0, above = (ptrdiff_t)pixel_type_size(shape.type);
    const uintptr_t first = (uintptr_t)places.first;
    if (!reach(shape.height, places.row, &below, &above) || !reach(shape.width, places.pixel, &below, &above) ||
        !reach((size_t)shape.channels, places.channel, &below, &above))
        return false;
    *begin = first + (uintptr_t)below;
    *end = first + (uintptr_t)above;
    return *begin <= first && *end > first;
}

typedef struct Axis {
    size_t count, stride;
} Axis;

static size_t size_of(ptrdiff_t stride) {
    return stride < 0 ? (size_t)0 - (size_t)stride : (size_t)stride;
}

/* Along each axis, from the smallest stride on, a step leads beyond all that the axes before it reach. */
bool places_are_apart(Shape shape, Places places) {
    Axis axes[] = {{(size_t)shape.channels, size_of(places.channel)},
                   {shape.width, size_of(places.pixel)},
                   {shape.height, size_of(places.row)}};
    enum { AXES = sizeof axes / sizeof axes[0] };
    size_t extent = pixel_type_size(shape.type);
    for (size_t i = 1; i < AXES; i++)
        for (size_t k = i; k > 0 && axes[k].stride < axes[k - 1].stride; k--) {
            const Axis other = axes[k];
            axes[k] = axes[k - 1];
            axes[k - 1] = other;
        }
    for (size_t i = 0; i < AXES; i++) {
        if (axes[i].count > 1 && axes[i].stride < extent)
            return false;
        extent += (axes[i].count - 1) * axes[i].stride;
    }
    return true;
}

/* One channel of a row: a loop for each size of values. */
#define COPY(Type)                                                                                                     \
    static void copy_##Type(size_t count, const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step) {        \
        for (size_t x = 0; x < count; x++, from += from_step, to += to_step)                                           \
            *(Type *)(void *)to = *(const Type *)(const void *)from;                                                   \
    }
COPY(uint8_t)
COPY(uint16_t)
COPY(uint32_t)
#undef COPY

typedef void CopyChannel(size_t count, const char *from, ptrdiff_t from_step, char *to, ptrdiff_t to_step);

void places_copy_row(Shape shape, Places from, Places to) {
    static CopyChannel *const by_size[] = {[1] = copy_uint8_t, [2] = copy_uint16_t, [4] = copy_uint32_t};
    const ptrdiff_t value = (ptrdiff_t)pixel_type_size(shape.type), pixel = shape.channels * value;
    if (from.channel == value && to.channel == value && from.pixel == pixel && to.pixel == pixel) {
        memcpy(to.first, from.first, shape_row_bytes(shape));
        return;
    }
    for (int c = 0; c < shape.channels; c++)
        by_size[value](shape.width, places_from(from, 0, c).first, from.pixel, places_from(to, 0, c).first, to.pixel);
}

void places_copy(Shape shape, Places from, Places to) {
    for (size_t y = 0; y < shape.height; y++)
        places_copy_row(shape, places_from(from, y, 0), places_from(to, y, 0));
}
