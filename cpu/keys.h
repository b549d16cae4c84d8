/* keys.h: pixels as whole numbers of the same order (core/math/order.h), which order statistics sort.
 * Keys are as wide as the values: uint8_t, uint16_t, and int32_t for f32. */
#ifndef GLINT_CPU_KEYS_H
#define GLINT_CPU_KEYS_H

#include "core/image/border.h"
#include "core/image/image.h"
#include "core/math/order.h"

#include <string.h>

typedef void KeysConvert(PixelType type, const void *from, size_t values, void *keys);

/* The keys of values that lie side by side, in the includer's instruction set. */
static inline void keys_convert(PixelType type, const void *from, size_t values, void *keys) {
    const int32_t *bits = (const int32_t *)from;
    int32_t *to = (int32_t *)keys;
    if (type == PIXEL_F32)
        for (size_t i = 0; i < values; i++)
            to[i] = order_key(bits[i]);
    else
        memcpy(keys, from, values * pixel_type_size(type));
}

/* `count` pixels of row `y` from `x` on, wherever they lie, as the border continues the picture. */
void keys_load_by(KeysConvert *convert, ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, size_t count,
                  void *keys);
static inline void keys_load(ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, size_t count, void *keys) {
    keys_load_by(keys_convert, in, border, x, y, count, keys);
}
/* The pixels of these keys, stored from (x, y) on. */
void keys_store(const void *keys, size_t count, ImageView out, size_t x, size_t y);
/* The key of one value as a number; for f32, its key in order. */
int32_t keys_value(ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, int c);
void keys_set(ImageView out, size_t x, size_t y, int c, int32_t key);

#endif
