/* shape.c: sizes of pixels, rows and images, and which of them there may be. */
#include "core/image/shape.h"

#include "core/base/memory.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    size_t size;
    double white;
} pixel_types[PIXEL_TYPES + 1] = {
    [PIXEL_U8] = {"u8", 1, 255},
    [PIXEL_U16] = {"u16", 2, 65535},
    [PIXEL_F32] = {"f32", 4, 1},
    [PIXEL_U32] = {"u32", 4, UINT32_MAX},
};

size_t pixel_type_size(PixelType type) {
    return pixel_types[type].size;
}
const char *pixel_type_name(PixelType type) {
    return pixel_types[type].name;
}
double pixel_type_white(PixelType type) {
    return pixel_types[type].white;
}

bool shape_equal(Shape a, Shape b) {
    return a.width == b.width && a.height == b.height && a.channels == b.channels && a.type == b.type;
}

Status shape_parse_type(const char *text, Shape *shape) {
    for (int type = 0; type < PIXEL_TYPES; type++) {
        const size_t length = strlen(pixel_types[type].name);
        const char *rest = text + length;
        if (strncmp(text, pixel_types[type].name, length) == 0 && rest[0] == 'x' && rest[1] >= '1' && rest[1] <= '4' &&
            rest[2] == '\0') {
            shape->type = (PixelType)type;
            shape->channels = rest[1] - '0';
            return STATUS_OK;
        }
    }
    return fail(STATUS_USAGE, "type \"%s\": want u8, u16 or f32, an x and 1 to 4 channels, as in u8x4", text);
}

Status shape_parse_size(const char *text, Shape *shape) {
    char *end = NULL;
    const unsigned long long width = isdigit((unsigned char)text[0]) ? strtoull(text, &end, 10) : 0;
    const unsigned long long height =
        end && *end == 'x' && isdigit((unsigned char)end[1]) ? strtoull(end + 1, &end, 10) : 0;
    if (width == 0 || height == 0 || *end != '\0' || width > INT32_MAX || height > INT32_MAX)
        return fail(STATUS_USAGE, "size \"%s\": want WIDTHxHEIGHT in pixels, as in 1920x1080", text);
    shape->width = (size_t)width;
    shape->height = (size_t)height;
    return STATUS_OK;
}

Status shape_exists(Shape shape) {
    if (shape.width == 0 || shape.height == 0)
        return fail(STATUS_INPUT, "an image of %zu x %zu pixels has no pixels", shape.width, shape.height);
    if (shape.channels < 1 || shape.channels > 4)
        return fail(STATUS_INPUT, "an image with %d channels; 1 to 4 can be held", shape.channels);
    return shape.width <= SIZE_MAX / 16 / shape.height
               ? STATUS_OK
               : fail(STATUS_INPUT, "an image of %zu x %zu pixels has more bytes than can be counted", shape.width,
                      shape.height);
}

Status shape_check(Shape shape) {
    const size_t budget = memory_spill_folder() ? SIZE_MAX : memory_budget();
    const size_t pixel = (size_t)shape.channels * pixel_type_size(shape.type);
    TRY(shape_exists(shape));
    if (shape.width > budget / pixel || shape.height > budget / (shape.width * pixel))
        return fail(STATUS_INPUT,
                    "an image of %zu x %zu pixels, %sx%d, needs more than the %zu MiB of memory in the budget "
                    "(GLINT_MEMORY sets it)",
                    shape.width, shape.height, pixel_type_name(shape.type), shape.channels, budget >> 20);
    return STATUS_OK;
}
