/* tiff_layout.c: the values of a TIFF's page. */
#include "core/codec/tiff_layout.h"

#include "core/codec/half.h"

#include <math.h>
#include <string.h>

/* Sample number `i` of a row, as the picture has it. */
static double sample(const TiffLayout *layout, const void *from, size_t i) {
    const unsigned char *bytes = from;
    const unsigned bits = layout->bits, max = (1u << (bits & 15)) - 1;
    if (bits < 8) {
        const unsigned value = (unsigned)bytes[i * bits / 8] >> (8 - bits - i * bits % 8) & max;
        return layout->palette ? value : value * 255 / max;
    }
    if (bits == 8)
        return bytes[i];
    if (bits == 64)
        return ((const double *)from)[i];
    if (bits == 32)
        return layout->floating ? (double)((const float *)from)[i] : ((const uint32_t *)from)[i] / 4294967295.0;
    return layout->floating ? (double)half_to_float(((const uint16_t *)from)[i]) : ((const uint16_t *)from)[i];
}

static void put(PixelType type, void *to, size_t i, double value) {
    if (type == PIXEL_U8)
        ((uint8_t *)to)[i] = (uint8_t)value;
    else if (type == PIXEL_U16)
        ((uint16_t *)to)[i] = (uint16_t)value;
    else
        ((float *)to)[i] = (float)value;
}

void tiff_unpack(const TiffLayout *layout, const void *from, int plane, size_t count, void *to) {
    const size_t kept = (size_t)layout->kept, step = layout->separate ? 1 : layout->samples;
    if (step == kept && layout->bits == 8 * pixel_type_size(layout->type) &&
        layout->floating == (layout->type == PIXEL_F32)) {
        memcpy(to, from, count * kept * pixel_type_size(layout->type));
        return;
    }
    for (size_t x = 0; x < count; x++)
        for (size_t c = layout->separate ? (size_t)plane : 0; c < (layout->separate ? (size_t)plane + 1 : kept); c++)
            put(layout->type, to, x * kept + c,
                sample(layout, from, x * step + (layout->separate ? 0 : tiff_sample(layout, (int)c))));
}

static double clamped(double value, double max) {
    return value < max ? nearbyint(value) : max;
}

static void divide(const TiffLayout *layout, ImageView view, size_t x, size_t y) {
    const double white = pixel_type_white(layout->type), alpha = view_value(view, x, y, layout->kept - 1);
    for (int c = 0; c + 1 < layout->kept && alpha > 0; c++) {
        const double value = view_value(view, x, y, c) * white / alpha;
        view_set_value(view, x, y, c, layout->type == PIXEL_F32 ? value : clamped(value, white));
    }
}

static void ink_to_light(ImageView from, ImageView to, size_t x, size_t y) {
    const double white = pixel_type_white(from.shape.type), black = white - view_value(from, x, y, 3);
    for (int c = 0; c < 3; c++)
        view_set_value(to, x, y, c, (white - view_value(from, x, y, c)) * black / white);
}

bool tiff_colours_are_low(const uint16_t *const maps[3], size_t count) {
    unsigned highest = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t c = 0; c < 3; c++)
            highest = maps[c][i] > highest ? maps[c][i] : highest;
    return highest < 256;
}

/* The upper halves of the map's values, or the lower ones. */
static void look_up(const TiffLayout *layout, const uint16_t *const maps[3], ImageView from, ImageView to, size_t x,
                    size_t y) {
    const unsigned char index = ((const unsigned char *)view_row(from, y))[x];
    for (size_t c = 0; c < 3; c++)
        ((unsigned char *)view_row(to, y))[3 * x + c] =
            (unsigned char)(maps[c][index] >> (layout->low_colours ? 0 : 8));
}

void tiff_finish(const TiffLayout *layout, const uint16_t *const maps[3], ImageView samples, ImageView to) {
    const double white = pixel_type_white(layout->type);
    if (!layout->inverted && !layout->divide && !layout->inks && !layout->palette)
        return;
    for (size_t y = 0; y < samples.shape.height; y++)
        for (size_t x = 0; x < samples.shape.width; x++) {
            if (layout->inverted)
                view_set_value(samples, x, y, 0, white - view_value(samples, x, y, 0));
            if (layout->divide)
                divide(layout, samples, x, y);
            if (layout->inks)
                ink_to_light(samples, to, x, y);
            if (layout->palette)
                look_up(layout, maps, samples, to, x, y);
        }
}
