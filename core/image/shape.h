/* shape.h: an image's size, channels and type, without its pixels. */
#ifndef GLINT_CORE_IMAGE_SHAPE_H
#define GLINT_CORE_IMAGE_SHAPE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>

/* The types before PIXEL_TYPES are those of pictures. Counts are values of a plan only: no picture has them. */
typedef enum PixelType { PIXEL_U8, PIXEL_U16, PIXEL_F32, PIXEL_TYPES, PIXEL_U32 = PIXEL_TYPES } PixelType;

/* A picture's size and type, without its pixels. Channels: 1 gray, 2 gray+alpha, 3 RGB, 4 RGB+alpha, interleaved. */
typedef struct Shape {
    size_t width, height; /* pixels */
    int channels;         /* 1 to 4 */
    PixelType type;
} Shape;

size_t pixel_type_size(PixelType type);      /* bytes of one value */
const char *pixel_type_name(PixelType type); /* "u8", "u16", "f32", "u32" */
double pixel_type_white(PixelType type);     /* the value of full intensity: 255, 65535, 1; of counts, the largest */
static inline bool shape_has_alpha(Shape shape) {
    return shape.channels == 2 || shape.channels == 4;
}
static inline Shape shape_with_type(Shape shape, PixelType type) {
    shape.type = type;
    return shape;
}
static inline size_t shape_row_bytes(Shape shape) {
    return shape.width * (size_t)shape.channels * pixel_type_size(shape.type);
}
static inline size_t shape_bytes(Shape shape) {
    return shape.height * shape_row_bytes(shape);
}
bool shape_equal(Shape a, Shape b);

/* Parses "u8x4", "f32x1": type and channels; width and height stay as they are. STATUS_USAGE with the spelling wanted.
 */
Status shape_parse_type(const char *text, Shape *shape);
/* Parses "3840x2160" into width and height, both >= 1. STATUS_USAGE with the spelling wanted. */
Status shape_parse_size(const char *text, Shape *shape);
/* STATUS_INPUT if no picture has this shape: sides of 0, channels out of range, more bytes than can be counted.
 * shape_check is for shapes that shall lie in memory. */
Status shape_exists(Shape shape);
/* STATUS_INPUT if an image of this shape cannot be held: zero or overflowing sizes, channels out of range, or more
 * bytes than memory_budget(). Every size is checked here before anything is multiplied into an allocation. */
Status shape_check(Shape shape);

#endif
