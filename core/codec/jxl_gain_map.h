/* jxl_gain_map.h: the gain map of a JPEG XL: another codestream, in a box "jhgm" of the same file (ISO/IEC 18181-2,
 * second edition; libjxl's jxl/gain_map.h). */
#ifndef GLINT_CORE_CODEC_JXL_GAIN_MAP_H
#define GLINT_CORE_CODEC_JXL_GAIN_MAP_H

#include "core/base/input.h"
#include "core/codec/gain_metadata.h"

typedef struct JxlGainMap {
    size_t at, size; /* of the codestream: bytes of the file */
    GainCurve curve;
} JxlGainMap;

/* Whether a file has such a box: *found says what is in it. It has no size if that makes no sense. Streams of unknown
 * size have none. */
bool jxl_gain_map_find(Input *file, JxlGainMap *found);

/* The contents of a box for a map's codestream; STATUS_DEVICE without memory. */
Status jxl_gain_map_box(const GainCurve *curve, Bytes stream, Bytes *box);

#endif
