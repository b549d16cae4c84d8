/* encoding.c: what encoders take of memory, as measured. */
#include "core/codec/encoding.h"

#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

/* Of libraries that hold a picture in forms of their own: bytes a pixel, for each of its channels besides, and for
 * alpha besides, of pictures of 3 and 12 megapixels by libjxl 0.7 and libwebp 1.2, and a tenth more. Floats as JPEG XL
 * are also read back. */
static const struct {
    const char *format;
    bool lossless;
    unsigned pixel, channel[PIXEL_TYPES], alpha;
} costs[] = {
    {"jxl", false, 46, {2, 0, 0}, 16},
    {"jxl", true, 28, {15, 19, 22}, 0},
    {"webp", false, 9, {0, 0, 0}, 26},
    {"webp", true, 34, {0, 0, 0}, 0},
};

size_t encoding_working(const Format *format, Shape shape, bool lossless) {
    const bool keeps = lossless || shape.type != PIXEL_U8; /* what has more bits is kept as it is */
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
