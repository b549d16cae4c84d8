/* places.h: values of a picture anywhere in memory: interleaved, in planes, from right to left.
 * Owns the question whether levels take them as they lie, and the way from one arrangement to another. */
#ifndef GLINT_CORE_IMAGE_PLACES_H
#define GLINT_CORE_IMAGE_PLACES_H

#include "core/image/image.h"

/* Borrows pixels, is passed by value. The value of column x, row y, channel c begins at first + y * row + x * pixel +
 * c * channel; the strides are bytes, of any sign. */
typedef struct Places {
    void *first;
    ptrdiff_t row, pixel, channel;
} Places;

static inline Places places_of(ImageView view) {
    const ptrdiff_t value = (ptrdiff_t)pixel_type_size(view.shape.type);
    const Places places = {view.pixels, (ptrdiff_t)view.stride, view.shape.channels * value, value};
    return places;
}
/* The same places, with the strides of sides of 1, which count for nothing, as packed pictures have them. */
Places places_settle(Shape shape, Places places);
/* Whether they are an ImageView's, which *view then is. The places are settled. */
bool places_are_view(Shape shape, Places places, ImageView *view);
/* The bytes that they take, from *begin to before *end, as addresses. False if these overflow. */
bool places_span(Shape shape, Places places, uintptr_t *begin, uintptr_t *end);
/* Whether no two values surely share memory. */
bool places_are_apart(Shape shape, Places places);
/* The same places from row `y` on, from channel `c` on. */
static inline Places places_from(Places places, size_t y, int c) {
    places.first = (void *)((uintptr_t)places.first + (uintptr_t)((ptrdiff_t)y * places.row + c * places.channel));
    return places;
}
/* Copies one row of values, the places' first. */
void places_copy_row(Shape shape, Places from, Places to);
/* Copies all rows. */
void places_copy(Shape shape, Places from, Places to);

#endif
