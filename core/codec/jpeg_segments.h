/* jpeg_segments.h: the segments of a JPEG file's header (ITU-T T.81, annex B). */
#ifndef GLINT_CORE_CODEC_JPEG_SEGMENTS_H
#define GLINT_CORE_CODEC_JPEG_SEGMENTS_H

#include "core/base/input.h"

enum {
    JPEG_MARKER_EOI = 0xD9,
    JPEG_MARKER_SOS = 0xDA,
    JPEG_MARKER_APP1 = 0xE1,
    JPEG_MARKER_APP2 = 0xE2,
    JPEG_MARKER_COM = 0xFE,
    JPEG_SEGMENT_MAX = 65533 /* bytes of its contents */
};

/* How the contents of segments with Exif, XMP and their extensions begin, zeros included. */
#define JPEG_EXIF_TAG     "Exif\0"
#define JPEG_XMP_TAG      "http://ns.adobe.com/xap/1.0/"
#define JPEG_LONG_XMP_TAG "http://ns.adobe.com/xmp/extension/"

/* A segment of the header. */
typedef struct JpegSegment {
    int marker;
    size_t at, size; /* of its contents */
} JpegSegment;

/* The segment that begins at `from` or, as libjpeg reads it, at the first marker behind. False if there is none. */
bool jpeg_next_segment(Input *file, size_t from, JpegSegment *segment);
/* Whether it begins with a tag of up to 40 bytes, its zeros included. */
bool jpeg_segment_begins(Input *file, const JpegSegment *segment, const char *tag, size_t size);

#endif
