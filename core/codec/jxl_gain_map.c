/* jxl_gain_map.c: the box of a gain map: its version, metadata of ISO 21496-1, the colours and the profile of the HDR
 * picture, and the codestream. */
#include "core/codec/jxl_gain_map.h"

#include "core/codec/boxes.h"

#include <string.h>

enum {
    HEADER = 3 /* bytes: the version, and the size of the metadata */,
    FURTHER = 5 /* sizes of colours and profile */
};

/* Steps over a field behind its size of `width` bytes. */
static size_t behind(Input *file, size_t at, size_t width) {
    return at + width + (size_t)box_number(file, at, width);
}

static bool read_curve(Input *file, size_t at, size_t size, GainCurve *curve) {
    unsigned char data[ISO_GAIN_MAX];
    return size <= sizeof data && input_peek(file, at, data, size) && gain_curve_of_iso(data, size, curve);
}

bool jxl_gain_map_find(Input *file, JxlGainMap *found) {
    Box box;
    if (file->size == SIZE_MAX || box_number(file, 0, 4) != 12 || !box_find(file, 0, file->size, "jhgm", &box))
        return false;
    const size_t end = box.end < file->size ? box.end : file->size;
    const size_t metadata = behind(file, box.data + 1, 2), at = behind(file, behind(file, metadata, 1), 4);
    *found = (JxlGainMap){.at = at};
    if (box_number(file, box.data, 1) == 0 && at < end && box_number(file, at, 2) == 0xFF0A &&
        read_curve(file, box.data + HEADER, metadata - box.data - HEADER, &found->curve))
        found->size = end - at;
    return true;
}

Status jxl_gain_map_box(const GainCurve *curve, Bytes stream, Bytes *box) {
    unsigned char head[HEADER + ISO_GAIN_MAX + FURTHER] = {0}; /* no colours, no profile: the picture's */
    const size_t size = gain_curve_to_iso(curve, head + HEADER);
    size_t capacity = 0;
    head[1] = (unsigned char)(size >> 8);
    head[2] = (unsigned char)size;
    memset(head + HEADER + size, 0, FURTHER);
    *box = (Bytes){0};
    if (bytes_append(box, &capacity, head, HEADER + size + FURTHER) &&
        bytes_append(box, &capacity, stream.data, stream.size))
        return STATUS_OK;
    bytes_free(box);
    return fail(STATUS_DEVICE, "no memory to encode JPEG XL");
}
