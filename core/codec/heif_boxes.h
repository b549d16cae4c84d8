/* heif_boxes.h: facts of a file that libheif does not tell, or does not heed. */
#ifndef GLINT_CORE_CODEC_HEIF_BOXES_H
#define GLINT_CORE_CODEC_HEIF_BOXES_H

#include "core/base/input.h"

#include <stdbool.h>

enum { HEIF_PATCHES = 32 };

typedef struct HeifBoxes {
    bool still;      /* there is a picture besides a sequence */
    unsigned extras; /* of enum Extra */
    /* How the primary picture is to be turned (TIFF 6.0, Orientation) once the bytes at `patches` are read as zeros; 1:
     * the library turns it. */
    int orientation;
    size_t patches[HEIF_PATCHES], count;
} HeifBoxes;

/* Walks through the boxes; of a stream, as far as the pixels. */
HeifBoxes heif_boxes(Input *file);

#endif
