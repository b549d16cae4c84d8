/* orient.c: pictures as they are to be seen: upright, and without an alpha channel that nobody wrote. */
#include "core/codec/formats.h"
#include "core/image/opaque.h"

#include <string.h>

Shape shape_oriented(Shape shape, int orientation) {
    return orientation_turn(orientation) & TURN_SWAP ? (Shape){shape.height, shape.width, shape.channels, shape.type}
                                                     : shape;
}

enum { TURN_TILE = 32 /* pixels: columns of the one are rows of the other, and both stay in the nearest cache */ };

/* Pixels of `size` bytes: a constant where this is called. */
static inline void turn_pixels(ImageView from, ImageView to, unsigned turn, size_t left, size_t top, size_t size) {
    const size_t right = left + TURN_TILE < to.shape.width ? left + TURN_TILE : to.shape.width;
    const size_t bottom = top + TURN_TILE < to.shape.height ? top + TURN_TILE : to.shape.height;
    for (size_t y = top; y < bottom; y++) {
        char *pixel = (char *)view_row(to, y) + left * size;
        for (size_t x = left; x < right; x++, pixel += size) {
            size_t sx = turn & TURN_SWAP ? y : x, sy = turn & TURN_SWAP ? x : y;
            sx = turn & TURN_MIRROR_X ? from.shape.width - 1 - sx : sx;
            sy = turn & TURN_MIRROR_Y ? from.shape.height - 1 - sy : sy;
            memcpy(pixel, (const char *)view_row(from, sy) + sx * size, size);
        }
    }
}

/* The tile of the turned picture whose upper left pixel is (x, y). */
static void turn_tile(ImageView from, ImageView to, unsigned turn, size_t x, size_t y) {
    const size_t size = (size_t)to.shape.channels * pixel_type_size(to.shape.type);
    switch (size) {
    case 1:
        turn_pixels(from, to, turn, x, y, 1);
        break;
    case 3:
        turn_pixels(from, to, turn, x, y, 3);
        break;
    case 4:
        turn_pixels(from, to, turn, x, y, 4);
        break;
    case 6:
        turn_pixels(from, to, turn, x, y, 6);
        break;
    default:
        turn_pixels(from, to, turn, x, y, size);
    }
}

Status image_orient(Image **image, int orientation) {
    const unsigned turn = orientation_turn(orientation);
    if (turn == 0)
        return STATUS_OK;
    const ImageView from = (*image)->view;
    const Shape shape = shape_oriented(from.shape, orientation);
    Image *turned = NULL;
    TRY(image_create_unfilled(shape, &turned));
    for (size_t y = 0; y < shape.height; y += TURN_TILE)
        for (size_t x = 0; x < shape.width; x += TURN_TILE)
            turn_tile(from, turned->view, turn, x, y);
    image_replace(image, turned);
    if (turn & TURN_SWAP)
        turned->resolution = (Resolution){turned->resolution.y, turned->resolution.x};
    return turned->gain_map ? image_orient(&turned->gain_map, orientation) : STATUS_OK;
}

void image_drop_blank_alpha(Image *image) {
    const unsigned char *pixels = image->view.pixels;
    const size_t count = image->view.shape.width * image->view.shape.height;
    bool blank = image->view.shape.channels == 4;
    for (size_t i = 0; i < count && blank; i++)
        blank = pixels[4 * i + 3] == 0;
    if (blank)
        image_drop_alpha(image);
}
