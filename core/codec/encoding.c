/* encoding.c: the memory that encoders take, as measured. */
#include "core/codec/encoding.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Bytes that encoders hold for noise: for each pixel, for each of its channels, and for alpha. libjxl 0.7 and libwebp
 * 1.2 hold it in forms of their own, twice as large as those of photographs. JPEG XL reads floats back, too. GIF has
 * its pixels by a palette, and codes of 12 bits for some. JPEG at quality 100 takes up to two bytes for a value. */
static const struct {
    const char *format;
    bool lossless;
    unsigned pixel, channel[PIXEL_TYPES], alpha;
} costs[] = {
    {"jxl", false, 52, {8, 0, 0}, 12}, {"jxl", true, 30, {15, 19, 22}, 8}, {"webp", false, 30, {0, 0, 0}, 10},
    {"webp", true, 64, {0, 0, 0}, 0},  {"gif", false, 2, {0, 0, 0}, 0},    {"gif", true, 2, {0, 0, 0}, 0},
    {"jpg", false, 0, {1, 0, 0}, 0},   {"jpg", true, 0, {1, 0, 0}, 0},
};

size_t encoding_working(const Format *format, Shape shape, bool lossless) {
    const bool keeps = lossless || shape.type != PIXEL_U8; /* wider types are kept as they are */
    const size_t pixels = memory_product(shape.width, shape.height), channels = (size_t)shape.channels;
    size_t bytes = 0;
    for (size_t i = 0; format && i < sizeof costs / sizeof *costs; i++)
        if (strcmp(costs[i].format, format->name) == 0 && costs[i].lossless == keeps)
            bytes = costs[i].pixel + costs[i].channel[shape.type] * channels +
                    (shape_has_alpha(shape) ? costs[i].alpha : 0);
    return memory_product(bytes, pixels);
}

Status encoding_probe(const Format *format, size_t bytes) {
    void *volatile probe = malloc(bytes); /* else the compiler knows better */
    const bool found = probe != NULL;
    free(probe);
    return found ? STATUS_OK : fail(STATUS_DEVICE, "no memory to encode %s", format->title);
}
