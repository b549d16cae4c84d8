/* keys.h: pixels as whole numbers of the same order (core/math/order.h), which order statistics sort.
 * Keys are as wide as the values: uint8_t, uint16_t, and int32_t for f32. */
#ifndef GLINT_CPU_KEYS_H
#define GLINT_CPU_KEYS_H

#include "core/border.h"
#include "core/image.h"

/* `count` pixels of row `y` from `x` on, wherever they lie, as the border continues the picture. */
void keys_load(ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, size_t count, void *keys);
/* The pixels of these keys, stored from (x, y) on. */
void keys_store(const void *keys, size_t count, ImageView out, size_t x, size_t y);
/* One of them as a number; of f32, its key. */
int32_t keys_value(ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, int c);
void keys_set(ImageView out, size_t x, size_t y, int c, int32_t key);

#endif
