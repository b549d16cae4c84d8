/* keys.c: rows of pixels as keys, with the pixels beyond the border. */
#include "cpu/keys.h"

#include "core/math/order.h"

#include <math.h>
#include <string.h>

/* The border's value as stored: rounding keeps the order, so that it may be rounded before. */
static int32_t outside_key(PixelType type, float value) {
    const double white = pixel_type_white(type);
    int32_t bits;
    if (type != PIXEL_F32)
        return (int32_t)nearbyint(fmin(fmax((double)value, 0), white));
    memcpy(&bits, &value, sizeof bits);
    return order_key(bits);
}

static void fill(PixelType type, int32_t key, size_t values, void *keys) {
    if (type == PIXEL_U8)
        memset(keys, key, values);
    else if (type == PIXEL_U16)
        for (size_t i = 0; i < values; i++)
            ((uint16_t *)keys)[i] = (uint16_t)key;
    else
        for (size_t i = 0; i < values; i++)
            ((int32_t *)keys)[i] = key;
}

void keys_load_by(KeysConvert *convert, ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, size_t count,
                  void *keys) {
    const PixelType type = in.shape.type;
    const size_t channels = (size_t)in.shape.channels, pixel = channels * pixel_type_size(type);
    const ptrdiff_t width = (ptrdiff_t)in.shape.width, end = x + (ptrdiff_t)count;
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    const int32_t outside = outside_key(type, border.value);
    if (sy < 0) {
        fill(type, outside, count * channels, keys);
        return;
    }
    const char *row = view_row(in, (size_t)sy);
    char *to = keys;
    while (x < end) { /* pixel by pixel, but those inside at once */
        const ptrdiff_t sx = border_index(border.mode, x, width);
        const size_t run = x >= 0 && x < width ? (size_t)((end < width ? end : width) - x) : 1;
        if (sx < 0)
            fill(type, outside, channels, to);
        else
            convert(type, row + (size_t)sx * pixel, run * channels, to);
        to += run * pixel;
        x += (ptrdiff_t)run;
    }
}

void keys_store(const void *keys, size_t count, ImageView out, size_t x, size_t y) {
    const size_t values = count * (size_t)out.shape.channels;
    char *to = (char *)view_row(out, y) + x * (size_t)out.shape.channels * pixel_type_size(out.shape.type);
    if (out.shape.type == PIXEL_F32)
        for (size_t i = 0; i < values; i++)
            ((int32_t *)(void *)to)[i] = order_bits(((const int32_t *)keys)[i]);
    else
        memcpy(to, keys, values * pixel_type_size(out.shape.type));
}

int32_t keys_value(ImageView in, Border border, ptrdiff_t x, ptrdiff_t y, int c) {
    const ptrdiff_t sx = border_index(border.mode, x, (ptrdiff_t)in.shape.width);
    const ptrdiff_t sy = border_index(border.mode, y, (ptrdiff_t)in.shape.height);
    if (sx < 0 || sy < 0)
        return outside_key(in.shape.type, border.value);
    const void *row = view_row(in, (size_t)sy);
    const size_t i = (size_t)sx * (size_t)in.shape.channels + (size_t)c;
    return in.shape.type == PIXEL_U8    ? ((const uint8_t *)row)[i]
           : in.shape.type == PIXEL_U16 ? ((const uint16_t *)row)[i]
                                        : order_key(((const int32_t *)row)[i]);
}

void keys_set(ImageView out, size_t x, size_t y, int c, int32_t key) {
    void *row = view_row(out, y);
    const size_t i = x * (size_t)out.shape.channels + (size_t)c;
    if (out.shape.type == PIXEL_U8)
        ((uint8_t *)row)[i] = (uint8_t)key;
    else if (out.shape.type == PIXEL_U16)
        ((uint16_t *)row)[i] = (uint16_t)key;
    else
        ((int32_t *)row)[i] = order_bits(key);
}
