/* tiff_layout.h: how the values of a TIFF's page lie in its file, and how they become a picture's. */
#ifndef GLINT_CORE_CODEC_TIFF_LAYOUT_H
#define GLINT_CORE_CODEC_TIFF_LAYOUT_H

#include "core/image/image.h"

#include <stdint.h>

typedef struct TiffLayout {
    size_t width, height;
    unsigned bits, samples;         /* of a sample; of a pixel, in the file */
    unsigned alpha;                 /* the sample that it is, if the picture has some */
    int kept;                       /* samples that are decoded: colours and alpha */
    bool floating, separate, tiled; /* separate: a plane for each sample */
    bool palette, inks, inverted;
    bool low_colours;           /* the palette's are values of 8 bits, as in files of before TIFF 6.0, not of 16 */
    bool divide, premultiplied; /* the colours are multiplied by alpha, and become straight, or stay so in f32 */
    PixelType type;             /* of the picture */
    int orientation;            /* 1 to 8 */
    bool oriented;              /* the file says so */
    unsigned extras;            /* of enum Extra: data that a picture cannot hold */
} TiffLayout;

/* The shape of the samples, and of the picture before it is turned. */
static inline Shape tiff_sample_shape(const TiffLayout *layout) {
    return (Shape){layout->width, layout->height, layout->kept, layout->type};
}
static inline Shape tiff_picture_shape(const TiffLayout *layout) {
    Shape shape = tiff_sample_shape(layout);
    shape.channels = layout->palette || layout->inks ? 3 : shape.channels;
    return shape;
}

/* The place in the file's pixels of the decoded sample number `c`. */
static inline unsigned tiff_sample(const TiffLayout *layout, int c) {
    return shape_has_alpha(tiff_sample_shape(layout)) && c + 1 == layout->kept ? layout->alpha : (unsigned)c;
}
/* Whether no value of a palette of `count` colours is above 255: then these are values of 8 bits. */
bool tiff_colours_are_low(const uint16_t *const maps[3], size_t count);

/* Unpacks `count` pixels as they are in the file to samples of `to`, a row of tiff_sample_shape. `from` holds all
 * samples of a pixel side by side, or those of number `plane` alone. */
void tiff_unpack(const TiffLayout *layout, const void *from, int plane, size_t count, void *to);
/* Turns rows of samples into rows of the picture: it inverts, divides by alpha, and makes light of inks. It looks
 * indices up in `maps`, of 16 bits a colour. `to` may be `samples` where both have one shape. */
void tiff_finish(const TiffLayout *layout, const uint16_t *const maps[3], ImageView samples, ImageView to);

#endif
