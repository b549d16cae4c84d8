/* exif.c: which way up a picture is: tag 0112 in the first directory of a TIFF block (Exif 2.32; TIFF 6.0, section 2).
 * Nothing else of Exif is read, nothing is followed, and no memory is taken. */
#include "core/codec/formats.h"

enum { TIFF_HEADER = 8, TIFF_ENTRY = 12, TAG_ORIENTATION = 0x0112, TYPE_SHORT = 3 };

static size_t number(const unsigned char *bytes, size_t count, bool big_endian) {
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[big_endian ? i : count - 1 - i];
    return value;
}

int exif_orientation(Input *file, size_t at, size_t size) {
    unsigned char header[TIFF_HEADER], entry[TIFF_ENTRY];
    if (size < TIFF_HEADER || !input_peek(file, at, header, sizeof header))
        return 0;
    const bool big = header[0] == 'M';
    const size_t directory = number(header + 4, 4, big);
    if (header[0] != header[1] || (header[0] != 'M' && header[0] != 'I') || number(header + 2, 2, big) != 42 ||
        directory > size - 2 || !input_peek(file, at + directory, entry, 2))
        return 0;
    const size_t entries_max = (size - directory - 2) / TIFF_ENTRY, stated = number(entry, 2, big);
    for (size_t i = 0; i < stated && i < entries_max; i++) {
        if (!input_peek(file, at + directory + 2 + i * TIFF_ENTRY, entry, sizeof entry))
            return 0;
        if (number(entry, 2, big) == TAG_ORIENTATION)
            return number(entry + 2, 2, big) == TYPE_SHORT && number(entry + 4, 4, big) == 1
                       ? (int)number(entry + 8, 2, big)
                       : 0;
    }
    return 0;
}
