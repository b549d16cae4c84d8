/* palette.h: pictures in few colours, for formats that hold no more. */
#ifndef GLINT_CORE_CODEC_PALETTE_H
#define GLINT_CORE_CODEC_PALETTE_H

#include "core/image/image.h"

enum { PALETTE_MAX = 256 };

typedef struct Palette {
    unsigned char colours[PALETTE_MAX][3];
    int count;
    int transparent; /* the index of pixels that are not seen; -1: there are none */
    unsigned lost;   /* of enum Extra: data that the picture had and this has not */
} Palette;

/* The colours of a picture of u8 and an index for each pixel (from malloc, row by row). They are its own colours if
 * they are few enough, else those of median cut, with Floyd and Steinberg's dithering. Alpha below a half is
 * transparent. STATUS_DEVICE without memory; STATUS_INTERRUPTED once a signal was caught, if the call gives up. */
Status palette_of(ImageView view, bool gives_up, Palette *palette, unsigned char **indices);

#endif
