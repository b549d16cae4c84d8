/* exif.c: which way up a picture is, tag 0112 in the first directory of a TIFF block (Exif 2.32; TIFF 6.0, section 2),
 * and what of such a block stays true of a picture that was turned. Nothing takes memory, and every directory is read
 * once at most. */
#include "core/codec/formats.h"

#include <math.h>

enum { TIFF_HEADER = 8, TIFF_ENTRY = 12, TAG_ORIENTATION = 0x0112, TYPE_SHORT = 3, TYPE_RATIONAL = 5 };

static size_t number(const unsigned char *bytes, size_t count, bool big_endian) {
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[big_endian ? i : count - 1 - i];
    return value;
}

Status exif_set(ImageBlock *block, const unsigned char *data, size_t size) {
    const size_t stated = size < 4 ? size : 4 + number(data, 4, true), before = stated < size ? stated : 0;
    return image_block_set(block, data + before, size - before);
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

/* ---- what stays of a block ---- */

enum {
    DIRECTORIES_MAX = 8,
    TAG_X_RESOLUTION = 0x011A,
    TAG_Y_RESOLUTION = 0x011B,
    TAG_RESOLUTION_UNIT = 0x0128,
    TAG_THUMBNAIL = 0x0201,
    TAG_THUMBNAIL_SIZE = 0x0202,
    TAG_X_DIMENSION = 0xA002,
    TAG_Y_DIMENSION = 0xA003
};

typedef struct Block {
    ImageBlock bytes;
    bool big;
    size_t end; /* of what was found to be in use */
} Block;

static size_t field(const Block *block, size_t at, size_t count) {
    return number(block->bytes.data + at, count, block->big);
}

static bool use(Block *block, size_t at, size_t size) {
    if (at > block->bytes.size || size > block->bytes.size - at)
        return false;
    block->end = at + size > block->end ? at + size : block->end;
    return true;
}

/* The value of a directory's tag of type SHORT or LONG, 0 without one. */
static size_t value_of(const Block *block, size_t directory, size_t tag) {
    const size_t count = field(block, directory, 2);
    for (size_t i = 0; i < count; i++) {
        const size_t entry = directory + 2 + i * TIFF_ENTRY;
        if (field(block, entry, 2) == tag)
            return field(block, entry + 8, field(block, entry + 2, 2) == TYPE_SHORT ? 2 : 4);
    }
    return 0;
}

/* Marks a directory, its values, and the directories that it leads to. */
static bool use_directory(Block *block, size_t at, int *left) {
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    static const size_t pointers[] = {TAG_EXIF, TAG_GPS, TAG_INTEROPERABILITY};
    if (at < TIFF_HEADER || --*left < 0 || !use(block, at, 2))
        return false;
    const size_t count = field(block, at, 2);
    if (!use(block, at, 2 + count * TIFF_ENTRY + 4))
        return false;
    for (size_t i = 0; i < count; i++) {
        const size_t entry = at + 2 + i * TIFF_ENTRY, tag = field(block, entry, 2), type = field(block, entry + 2, 2);
        const size_t bytes = field(block, entry + 4, 4) * (type < sizeof sizes ? sizes[type] : 1);
        if (bytes > 4 && !use(block, field(block, entry + 8, 4), bytes))
            return false;
        for (size_t k = 0; k < sizeof pointers / sizeof *pointers; k++)
            if (tag == pointers[k] && !use_directory(block, field(block, entry + 8, 4), left))
                return false;
    }
    return true;
}

static void put(const Block *block, size_t at, size_t count, size_t value) {
    for (size_t i = 0; i < count; i++)
        block->bytes.data[at + (block->big ? count - 1 - i : i)] = (unsigned char)(value >> 8 * i);
}

static void set_upright(const Block *block, size_t directory) {
    const size_t count = field(block, directory, 2);
    for (size_t i = 0; i < count; i++) {
        const size_t entry = directory + 2 + i * TIFF_ENTRY;
        if (field(block, entry, 2) == TAG_ORIENTATION)
            put(block, entry + 8, field(block, entry + 2, 2) == TYPE_SHORT ? 2 : 4, 1);
    }
}

static size_t directory_end(const Block *block, size_t directory) {
    return directory + 2 + field(block, directory, 2) * TIFF_ENTRY + 4;
}

/* Takes a directory's entry out; those behind it, and the way to the next directory, move up. */
static void cut_entry(const Block *block, size_t directory, size_t tag) {
    const size_t count = field(block, directory, 2), end = directory_end(block, directory);
    for (size_t i = 0; i < count; i++) {
        const size_t entry = directory + 2 + i * TIFF_ENTRY, next = entry + TIFF_ENTRY;
        if (field(block, entry, 2) != tag)
            continue;
        memmove(block->bytes.data + entry, block->bytes.data + next, end - next);
        memset(block->bytes.data + end - TIFF_ENTRY, 0, TIFF_ENTRY);
        put(block, directory, 2, count - 1);
        return;
    }
}

/* Width and height of the picture, which was turned and may yet be resized: every format says them by itself. A
 * directory that overlaps the first one is left: what moves up in it would change the other. Each cut moves bytes that
 * may belong to others, so that the directory is checked before each. */
static void cut_dimensions(Block *block, size_t directory) {
    static const size_t tags[] = {TAG_X_DIMENSION, TAG_Y_DIMENSION};
    const size_t exif = value_of(block, directory, TAG_EXIF), end = directory_end(block, directory);
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        int left = DIRECTORIES_MAX;
        if (exif != 0 && use_directory(block, exif, &left) && (exif >= end || directory_end(block, exif) <= directory))
            cut_entry(block, exif, tags[i]);
    }
}

/* Blanks the thumbnail, which the second directory leads to, and takes the way there. */
static void cut_thumbnail(Block *block, size_t directory) {
    const size_t link = directory + 2 + field(block, directory, 2) * TIFF_ENTRY, second = field(block, link, 4);
    Block probe = *block;
    int left = 1;
    if (second != 0 && use_directory(&probe, second, &left)) {
        const size_t at = value_of(block, second, TAG_THUMBNAIL), size = value_of(block, second, TAG_THUMBNAIL_SIZE);
        if (at >= TIFF_HEADER && at <= block->bytes.size && size <= block->bytes.size - at)
            memset(block->bytes.data + at, 0, size);
    }
    put(block, link, 4, 0);
    block->bytes.size = block->end;
}

/* The fraction at `at`, which value_of gave; 0 without one. */
static double fraction(const Block *block, size_t at) {
    const bool inside = at >= TIFF_HEADER && block->bytes.size >= 8 && at <= block->bytes.size - 8;
    const size_t divisor = inside ? field(block, at + 4, 4) : 0;
    return divisor > 0 ? (double)field(block, at, 4) / (double)divisor : 0;
}

/* Unit 3 is the centimetre, 1 is none; all others are inches. */
static Resolution resolution(const Block *block, size_t directory) {
    const size_t unit = value_of(block, directory, TAG_RESOLUTION_UNIT);
    const double x = fraction(block, value_of(block, directory, TAG_X_RESOLUTION)),
                 y = fraction(block, value_of(block, directory, TAG_Y_RESOLUTION)),
                 scale = unit == 1   ? 0
                         : unit == 3 ? 100
                                     : 1 / 0.0254;
    return (Resolution){scale * x, scale * (y > 0 ? y : x)};
}

/* False if it contradicts itself. */
static bool open_block(ImageBlock bytes, Block *block) {
    int left = DIRECTORIES_MAX;
    const unsigned char *head = bytes.data;
    *block = (Block){.bytes = bytes, .big = head[0] == 'M', .end = TIFF_HEADER};
    return bytes.size >= TIFF_HEADER && head[0] == head[1] && (head[0] == 'M' || head[0] == 'I') &&
           field(block, 2, 2) == 42 && use_directory(block, field(block, 4, 4), &left);
}

void exif_settle(Image *image) {
    Block block;
    if (!image->exif.data)
        return;
    if (!open_block(image->exif, &block)) {
        image_block_free(&image->exif);
        image->extras |= EXTRA_EXIF;
        return;
    }
    if (image->resolution.x <= 0)
        image->resolution = resolution(&block, field(&block, 4, 4));
    set_upright(&block, field(&block, 4, 4));
    cut_thumbnail(&block, field(&block, 4, 4));
    int left = DIRECTORIES_MAX; /* what was blanked may have been part of a directory */
    if (use_directory(&block, field(&block, 4, 4), &left))
        cut_dimensions(&block, field(&block, 4, 4));
    image->exif.size = block.bytes.size;
}

/* ---- resolutions ---- */

static bool says_resolution(const Image *image) {
    const double near = 0.005; /* JFIF's are whole numbers */
    Block block;
    if (!open_block(image->exif, &block))
        return false;
    const Resolution has = resolution(&block, field(&block, 4, 4)), want = image->resolution;
    return fabs(has.x - want.x) <= near * want.x && fabs(has.y - want.y) <= near * want.y;
}

static void put_entry(const Block *block, size_t at, size_t tag, size_t type, size_t value) {
    put(block, at, 2, tag);
    put(block, at + 2, 2, type);
    put(block, at + 4, 4, 1);
    put(block, at + 8, type == TYPE_SHORT ? 2 : 4, value);
}

/* One directory of three entries, and behind it two fractions of an inch. */
static Status make_block(Resolution resolution, ImageBlock *made) {
    enum { ENTRIES = 3, FIRST = TIFF_HEADER + 2, VALUES = FIRST + ENTRIES * TIFF_ENTRY + 4, PARTS = 10000, INCH = 2 };
    static const unsigned char head[VALUES + 16] = {'I', 'I', 42, 0, TIFF_HEADER, 0, 0, 0, ENTRIES};
    TRY(image_block_set(made, head, sizeof head));
    const Block block = {.bytes = *made};
    put_entry(&block, FIRST, TAG_X_RESOLUTION, TYPE_RATIONAL, VALUES);
    put_entry(&block, FIRST + TIFF_ENTRY, TAG_Y_RESOLUTION, TYPE_RATIONAL, VALUES + 8);
    put_entry(&block, FIRST + 2 * TIFF_ENTRY, TAG_RESOLUTION_UNIT, TYPE_SHORT, INCH);
    for (int i = 0; i < 2; i++) {
        put(&block, VALUES + 8 * (size_t)i, 4, (size_t)((i ? resolution.y : resolution.x) * 0.0254 * PARTS + 0.5));
        put(&block, VALUES + 8 * (size_t)i + 4, 4, PARTS);
    }
    return STATUS_OK;
}

Status exif_with_resolution(const Image *image, ImageBlock *made, ImageBlock *exif, unsigned *lost) {
    const double most = 1e7; /* a metre; 254000 an inch */
    const Resolution resolution = image->resolution;
    *made = (ImageBlock){0};
    *exif = image->exif;
    if (!(resolution.x > 0) || (exif->data && says_resolution(image)))
        return STATUS_OK;
    if (exif->data || !(resolution.x <= most && resolution.y > 0 && resolution.y <= most)) {
        *lost |= EXTRA_RESOLUTION;
        return STATUS_OK;
    }
    TRY(make_block(resolution, made));
    *exif = *made;
    return STATUS_OK;
}
