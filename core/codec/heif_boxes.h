/* heif_boxes.h: facts of a file that libheif does not tell, or does not heed. */
#ifndef GLINT_CORE_CODEC_HEIF_BOXES_H
#define GLINT_CORE_CODEC_HEIF_BOXES_H

#include "core/base/input.h"
#include "core/codec/gain_metadata.h"

#include <stdbool.h>
#include <stdint.h>

enum { HEIF_PATCHES = 32 };

/* The gain map of the primary picture, by an item of ISO 21496-1 ("tmap"). */
typedef struct HeifGainMap {
    uint64_t id;   /* of the map's item; 0: there is none that makes sense */
    size_t hiding; /* byte by which the library takes it for hidden: one of `patches`; or 0 */
    GainCurve curve;
} HeifGainMap;

typedef struct HeifBoxes {
    bool still;      /* there is a picture besides a sequence */
    unsigned extras; /* of enum Extra */
    /* How the primary picture is to be turned (TIFF 6.0, Orientation) once the bytes at `patches` are read as zeros; 1:
     * the library turns it. Its gain map is turned alike. */
    int orientation;
    size_t patches[HEIF_PATCHES], count;
    HeifGainMap map;
} HeifBoxes;

/* Walks through the boxes; of a stream, as far as the pixels. */
HeifBoxes heif_boxes(Input *file);
/* The channels that a coded item says it has ("pixi"); 0 where it does not. */
int heif_item_channels(Input *file, uint64_t id);

#endif
