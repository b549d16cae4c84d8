/* opaque.c: looking at alpha, taking it out, and colours times alpha. */
#include "core/image/opaque.h"

#include "core/math/alpha.h"

#include <math.h>
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

void view_scale_by_alpha(ImageView view, bool divide) {
    const size_t channels = (size_t)view.shape.channels;
    for (size_t y = 0; y < view.shape.height && shape_has_alpha(view.shape); y++) {
        float *pixel = view_row(view, y);
        for (size_t x = 0; x < view.shape.width; x++, pixel += channels) {
            const float alpha = pixel[channels - 1];
            for (size_t c = 0; c + 1 < channels && fabsf(alpha) > (float)ALPHA_NONE; c++)
                pixel[c] = divide ? pixel[c] / alpha : pixel[c] * alpha;
        }
    }
}

void view_premultiply(ImageView view) {
    const size_t channels = (size_t)view.shape.channels;
    for (size_t y = 0; y < view.shape.height && shape_has_alpha(view.shape); y++) {
        float *pixel = view_row(view, y);
        for (size_t x = 0; x < view.shape.width; x++, pixel += channels)
            for (size_t c = 0; c + 1 < channels; c++)
                pixel[c] = pixel[channels - 1] > 0 ? pixel[c] * pixel[channels - 1] : 0;
    }
}

void image_make_straight(Image *image) {
    for (; image; image = image->next) {
        if (image->premultiplied)
            view_scale_by_alpha(image->view, true);
        image->premultiplied = false;
    }
}
