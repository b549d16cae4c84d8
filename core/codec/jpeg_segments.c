/* jpeg_segments.c: from marker to marker. */
#include "core/codec/jpeg_segments.h"

#include <string.h>

enum { STRAY_MAX = 1 << 16 /* bytes that may stand between two segments */ };

static size_t be16(const unsigned char *bytes) {
    return (size_t)bytes[0] << 8 | bytes[1];
}

bool jpeg_next_segment(Input *file, size_t from, JpegSegment *segment) {
    unsigned char bytes[2] = {0};
    size_t at = from;
    for (;; at++) {
        if (at - from > STRAY_MAX || !input_peek(file, at, bytes, 2))
            return false;
        if (bytes[0] == 0xFF && bytes[1] != 0xFF && bytes[1] != 0)
            break;
    }
    segment->marker = bytes[1];
    segment->at = at + 4;
    if (segment->marker == JPEG_MARKER_EOI || !input_peek(file, at + 2, bytes, 2) || be16(bytes) < 2)
        return false;
    segment->size = be16(bytes) - 2;
    return true;
}

bool jpeg_segment_begins(Input *file, const JpegSegment *segment, const char *tag, size_t size) {
    char found[40];
    return segment->size >= size && input_peek(file, segment->at, found, size) && memcmp(found, tag, size) == 0;
}
