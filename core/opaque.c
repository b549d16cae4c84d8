/* opaque.c: looking at alpha, and taking it out. */
#include "core/opaque.h"

#include <string.h>

static bool view_is_opaque(ImageView view) {
    const int alpha = view.shape.channels - 1;
    const double white = pixel_type_white(view.shape.type);
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++)
            if (!(view_value(view, x, y, alpha) >= white))
                return false;
    return true;
}

bool image_is_opaque(const Image *image) {
    for (; image; image = image->next)
        if (shape_has_alpha(image->view.shape) && !view_is_opaque(image->view))
            return false;
    return true;
}

static void drop(ImageView *view) {
    const size_t value = pixel_type_size(view->shape.type), pixel = value * (size_t)view->shape.channels;
    unsigned char *to = view->pixels;
    for (size_t y = 0; y < view->shape.height; y++) {
        const unsigned char *row = view_row(*view, y);
        for (size_t x = 0; x < view->shape.width; x++, to += pixel - value)
            memmove(to, row + x * pixel, pixel - value);
    }
    view->shape.channels--;
    view->stride = shape_row_bytes(view->shape);
}

void image_drop_alpha(Image *image) {
    for (; image; image = image->next)
        if (shape_has_alpha(image->view.shape))
            drop(&image->view);
}
