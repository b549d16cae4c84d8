/* encoding.c: the memory that encoders take. */
#include "core/codec/encoding.h"

#include "core/base/memory.h"
#include "core/codec/formats.h"

#include <stdlib.h>

bool encoding_keeps(const SaveOptions *options) {
    return save_value(options, "lossless") != 0;
}

/* In several passes over a picture, its coefficients are held. */
static bool passes_twice(const SaveOptions *options) {
    return save_value(options, "progressive") != 0 || save_value(options, "optimize") != 0;
}

size_t encoding_working(const Format *format, Shape shape, const SaveOptions *options) {
    const bool keeps = encoding_keeps(options) || shape.type != PIXEL_U8; /* wider types are kept as they are */
    const size_t pixels = memory_product(shape.width, shape.height), channels = (size_t)shape.channels;
    if (!format)
        return 0;
    const EncodingCost *cost = keeps ? &format->working_exact : &format->working;
    const size_t value = cost->channel[shape.type] + (passes_twice(options) ? format->coefficient : 0);
    const size_t bytes = cost->pixel + value * channels + (shape_has_alpha(shape) ? cost->alpha : 0);
    const size_t file = save_bytes(options), found = file < SIZE_MAX ? file : 0; /* held while a better one is made */
    return memory_sum(memory_product(bytes, pixels), found);
}

Status encoding_probe(const Format *format, size_t bytes) {
    void *volatile probe = malloc(bytes); /* else the compiler knows better */
    const bool found = probe != NULL;
    free(probe);
    return found ? STATUS_OK : fail(STATUS_DEVICE, "no memory to encode %s", format->title);
}
