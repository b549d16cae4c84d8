/* exif.c: which way up a picture is (Exif 2.32, tag 0112). */
#include "core/codec/formats.h"

#include <stdlib.h>
#include <string.h>

#include <libexif/exif-data.h>

int exif_orientation(Bytes file) {
    int orientation = 0;
    ExifData *exif = exif_data_new_from_data(file.data, file.size > 0xFFFFFFF ? 0xFFFFFFF : (unsigned)file.size);
    ExifEntry *entry = exif ? exif_content_get_entry(exif->ifd[EXIF_IFD_0], EXIF_TAG_ORIENTATION) : NULL;
    if (entry && entry->format == EXIF_FORMAT_SHORT && entry->size >= 2)
        orientation = exif_get_short(entry->data, exif_data_get_byte_order(exif));
    if (exif)
        exif_data_unref(exif);
    return orientation;
}

int exif_block_orientation(Bytes block) {
    static const char prefix[] = {'E', 'x', 'i', 'f', 0, 0}; /* JPEG has it, PNG leaves it out, libexif wants it */
    Bytes whole = {malloc(sizeof prefix + block.size), sizeof prefix + block.size};
    if (!whole.data)
        return 0;
    memcpy(whole.data, prefix, sizeof prefix);
    memcpy(whole.data + sizeof prefix, block.data, block.size);
    const int orientation = exif_orientation(whole);
    free(whole.data);
    return orientation;
}
