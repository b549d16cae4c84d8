/* jpeg_gain_map.h: the gain map of a JPEG: another JPEG behind it, in the same file (Android's Ultra HDR image format
 * 1.1). The Multi-Picture Format (CIPA DC-007) tells where it begins, or else XMP does. */
#ifndef GLINT_CORE_CODEC_JPEG_GAIN_MAP_H
#define GLINT_CORE_CODEC_JPEG_GAIN_MAP_H

#include "core/base/input.h"
#include "core/codec/gain_metadata.h"

typedef struct JpegGainMap {
    size_t at; /* byte of the file */
    GainCurve curve;
    bool alone; /* no third picture is announced */
} JpegGainMap;

/* Finds the map of the file's first picture by its own header; false, and *found unchanged, if there is none. */
bool jpeg_gain_map_find(Input *file, JpegGainMap *found);

extern const char iso_gain_tag[];
enum { ISO_GAIN_TAG = 28 }; /* its bytes, with its zero */

/* A segment of the Multi-Picture Format for a picture and its map, whose places it does not know yet. */
ImageBlock jpeg_gain_map_directory(void);
/* Appends the map's file, and tells its place in that segment. STATUS_DEVICE without memory. */
Status jpeg_gain_map_append(Bytes *file, size_t *capacity, Bytes map);

#endif
