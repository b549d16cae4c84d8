/* narrow.c: rounding values to fewer bits. */
#include "core/narrow.h"

static void narrow(ImageView from, ImageView to) {
    const double scale = pixel_type_white(to.shape.type) / pixel_type_white(from.shape.type);
    for (size_t y = 0; y < to.shape.height; y++)
        for (size_t x = 0; x < to.shape.width; x++)
            for (int c = 0; c < to.shape.channels; c++)
                view_set_value(to, x, y, c, scale * view_value(from, x, y, c));
}

Status image_narrow(Image **image, PixelType type) {
    for (Image **each = image; *each; each = &(*each)->next) {
        const ImageView view = (*each)->view;
        Image *made;
        if (view.shape.type <= type)
            continue;
        TRY(image_create_unfilled(shape_with_type(view.shape, type), &made));
        narrow(view, made->view);
        image_replace(each, made);
    }
    return STATUS_OK;
}
