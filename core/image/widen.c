/* widen.c: gray as RGB. */
#include "core/image/widen.h"

#include <stdlib.h>
#include <string.h>

static void widen(ImageView from, ImageView to) {
    const size_t value = pixel_type_size(from.shape.type), pixel = value * (size_t)from.shape.channels;
    for (size_t y = 0; y < from.shape.height; y++) {
        const unsigned char *gray = view_row(from, y);
        unsigned char *colour = view_row(to, y);
        for (size_t x = 0; x < from.shape.width; x++, gray += pixel)
            for (int c = 0; c < to.shape.channels; c++, colour += value)
                memcpy(colour, c < 3 ? gray : gray + value, value);
    }
}

/* ICC.1:2022, 7.2.6: the colour space of a profile. */
static void drop_gray_profile(Image *image) {
    enum { SPACE_AT = 16, SPACE_SIZE = 4 };
    if (image->profile_size < SPACE_AT + SPACE_SIZE || memcmp(image->profile + SPACE_AT, "GRAY", SPACE_SIZE) != 0)
        return;
    free(image->profile);
    image->profile = NULL;
    image->profile_size = 0;
    image->extras |= EXTRA_PROFILE;
}

Status image_make_rgb(Image **image) {
    for (Image **each = image; *each; each = &(*each)->next) {
        Shape shape = (*each)->view.shape;
        Image *made;
        if (shape.channels > 2)
            continue;
        shape.channels += 2;
        TRY(image_create_unfilled(shape, &made));
        widen((*each)->view, made->view);
        image_replace(each, made);
        drop_gray_profile(made);
    }
    return STATUS_OK;
}
