/* exif.c: the way up of a picture, and the parts of a block that stay true once it is turned. Tag 0112 tells it, in the
 * first directory of a TIFF block (Exif 2.32; TIFF 6.0, section 2). Every directory is read once at most. Writers take
 * other types of numbers than the standard's: all are understood. */
#include "core/codec/formats.h"

#include <math.h>
#include <stdlib.h>

enum {
    TIFF_HEADER = 8,
    TIFF_ENTRY = 12,
    TAG_ORIENTATION = 0x0112,
    ORIENTATIONS = 8,
    TYPE_SHORT = 3,
    TYPE_RATIONAL = 5,
    TYPE_SRATIONAL = 10,
    TYPE_FLOAT = 11,
    TYPE_DOUBLE = 12
};

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

size_t exif_prefix(const unsigned char *data, size_t size) {
    return size >= 6 && memcmp(data, "Exif\0", 6) == 0 ? 6 : 0;
}

/* Bytes of a whole number, by its type: BYTE, SHORT, LONG, the same with signs, IFD; 0: it is none. */
static size_t whole_size(size_t type) {
    static const unsigned char sizes[] = {0, 1, 0, 2, 4, 0, 1, 0, 2, 4, 0, 0, 0, 4};
    return type < sizeof sizes ? sizes[type] : 0;
}

/* The first whole number that stands within an entry; 0 if there is none. */
static size_t whole_in(const unsigned char *entry, bool big_endian) {
    const size_t size = whole_size(number(entry + 2, 2, big_endian)), count = number(entry + 4, 4, big_endian);
    return count > 0 && size * count <= 4 ? number(entry + 8, size, big_endian) : 0;
}

/* 1 to 8, or 0 if the entry says no orientation. */
static int orientation_in(const unsigned char *entry, bool big_endian) {
    const size_t value = number(entry, 2, big_endian) == TAG_ORIENTATION ? whole_in(entry, big_endian) : 0;
    return value <= ORIENTATIONS ? (int)value : 0;
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
        if (orientation_in(entry, big))
            return orientation_in(entry, big);
    }
    return 0;
}

/* ---- a block made smaller ---- */

enum {
    DIRECTORIES_MAX = 8,
    TAG_WIDTH = 0x0100,
    TAG_HEIGHT = 0x0101,
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
    size_t end; /* of the bytes found to be in use */
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

/* Where a directory's entry of this tag is, 0 without one. */
static size_t entry_of(const Block *block, size_t directory, size_t tag) {
    const size_t count = field(block, directory, 2);
    for (size_t i = 0; i < count; i++)
        if (field(block, directory + 2 + i * TIFF_ENTRY, 2) == tag)
            return directory + 2 + i * TIFF_ENTRY;
    return 0;
}

/* The whole number that a directory's tag says, 0 without one. */
static size_t value_of(const Block *block, size_t directory, size_t tag) {
    const size_t entry = entry_of(block, directory, tag);
    return entry ? whole_in(block->bytes.data + entry, block->big) : 0;
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
            if (tag == pointers[k] && !use_directory(block, whole_in(block->bytes.data + entry, block->big), left))
                return false;
    }
    return true;
}

static void put(const Block *block, size_t at, size_t count, size_t value) {
    for (size_t i = 0; i < count; i++)
        block->bytes.data[at + (block->big ? count - 1 - i : i)] = (unsigned char)(value >> 8 * i);
}

/* Each that was understood, and therefore applied; others stay as they are. */
static void set_upright(const Block *block, size_t directory) {
    const size_t count = field(block, directory, 2);
    for (size_t i = 0; i < count; i++) {
        const size_t entry = directory + 2 + i * TIFF_ENTRY;
        if (orientation_in(block->bytes.data + entry, block->big))
            put(block, entry + 8, whole_size(field(block, entry + 2, 2)), 1);
    }
}

/* Rows of the picture became columns: so do the dots an inch. Type, count and value change places. */
static void turn_resolution(const Block *block, size_t directory) {
    enum { FROM = 2, BYTES = TIFF_ENTRY - FROM };
    unsigned char swapped[BYTES];
    const size_t x = entry_of(block, directory, TAG_X_RESOLUTION), y = entry_of(block, directory, TAG_Y_RESOLUTION);
    if (x == 0 || y == 0)
        return;
    unsigned char *const a = block->bytes.data + x + FROM, *const b = block->bytes.data + y + FROM;
    memcpy(swapped, a, BYTES);
    memcpy(a, b, BYTES);
    memcpy(b, swapped, BYTES);
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

/* Width and height of the picture, which was turned and may yet be resized: every format says them by itself.
 * Directories that overlap are left: entries that move up in one would change the other. Each cut moves bytes that may
 * belong to others, so that the directory is checked before each. */
static void cut_dimensions(Block *block, size_t directory) {
    static const size_t tags[] = {TAG_WIDTH, TAG_HEIGHT, TAG_X_DIMENSION, TAG_Y_DIMENSION};
    for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
        int left = DIRECTORIES_MAX;
        if (!use_directory(block, directory, &left)) /* blanks, or a cut, may have changed a directory */
            return;
        const size_t exif = value_of(block, directory, TAG_EXIF), end = directory_end(block, directory);
        const size_t from = tags[i] < TAG_EXIF ? directory : exif;
        if (from != 0 && (exif == 0 || exif >= end || directory_end(block, exif) <= directory))
            cut_entry(block, from, tags[i]);
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

/* Without a sign: none has a meaning here. */
static double fraction(const Block *block, size_t at) {
    const size_t divisor = field(block, at + 4, 4);
    return divisor > 0 ? (double)field(block, at, 4) / (double)divisor : 0;
}

static double floating(const Block *block, size_t at, size_t bytes) {
    const uint64_t bits = field(block, at, bytes);
    const uint32_t low = (uint32_t)bits;
    float single;
    double value;
    memcpy(&single, &low, sizeof single);
    memcpy(&value, &bits, sizeof value);
    value = bytes == sizeof single ? (double)single : value;
    return value >= 0 && isfinite(value) ? value : 0;
}

/* The number that a directory's tag says, of any type; 0 without one. */
static double amount_of(const Block *block, size_t directory, size_t tag) {
    const size_t entry = entry_of(block, directory, tag), type = entry ? field(block, entry + 2, 2) : 0;
    const size_t at = entry ? field(block, entry + 8, 4) : 0;
    if (entry == 0 || type == TYPE_FLOAT || whole_size(type) > 0)
        return type == TYPE_FLOAT ? floating(block, entry + 8, 4) : (double)value_of(block, directory, tag);
    if (field(block, entry + 4, 4) != 1 || at < TIFF_HEADER || block->bytes.size < 8 || at > block->bytes.size - 8)
        return 0;
    return type == TYPE_RATIONAL || type == TYPE_SRATIONAL ? fraction(block, at)
           : type == TYPE_DOUBLE                           ? floating(block, at, 8)
                                                           : 0;
}

/* Unit 3 is the centimetre, 1 is none; all others are inches. */
static Resolution resolution(const Block *block, size_t directory) {
    const size_t unit = value_of(block, directory, TAG_RESOLUTION_UNIT);
    const double x = amount_of(block, directory, TAG_X_RESOLUTION), y = amount_of(block, directory, TAG_Y_RESOLUTION),
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

bool exif_is_sound(ImageBlock exif) {
    Block block;
    return open_block(exif, &block);
}

/* As exif_settle, for a block that does not contradict itself. */
static void settle(Block *block, Image *image) {
    const size_t directory = field(block, 4, 4);
    Input file = input_of((Bytes){block->bytes.data, block->bytes.size});
    if (orientation_turn(exif_orientation(&file, 0, block->bytes.size)) & TURN_SWAP)
        turn_resolution(block, directory);
    if (image->resolution.x <= 0)
        image->resolution = resolution(block, directory);
    set_upright(block, directory);
    cut_thumbnail(block, directory);
    cut_dimensions(block, directory);
    image->exif.size = block->bytes.size;
}

void exif_settle(Image *image) {
    Block block;
    if (!image->exif.data)
        return;
    if (open_block(image->exif, &block))
        settle(&block, image);
    if (!open_block(image->exif, &block)) { /* from the beginning, or by a cut */
        image_block_free(&image->exif);
        image->extras |= EXTRA_EXIF;
    }
}

/* ---- resolutions ---- */

static bool says_resolution(const Block *block, Resolution want) {
    const double near = fmin(50, 0.02 * want.x); /* a metre: JFIF's are whole numbers an inch or a centimetre */
    const Resolution has = resolution(block, field(block, 4, 4));
    return has.x > 0 && fabs(has.x - want.x) <= near && fabs(has.y - want.y) <= near;
}

static void put_entry(const Block *block, size_t at, size_t tag, size_t type, size_t value) {
    put(block, at, 2, tag);
    put(block, at + 2, 2, type);
    put(block, at + 4, 4, 1);
    put(block, at + 8, type == TYPE_SHORT ? 2 : 4, value);
}

static void put_fraction(const Block *block, size_t at, double metre) {
    enum { PARTS = 10000 };
    put(block, at, 4, (size_t)(metre * 0.0254 * PARTS + 0.5));
    put(block, at + 4, 4, PARTS);
}

enum { ADDED = 3 }; /* entries */

static size_t entries(const Block *block) {
    const size_t directory = field(block, 4, 4);
    return directory ? field(block, directory, 2) : 0;
}

/* Behind the old block, which stays where it is: both resolutions, and the first directory once more, with them. */
static Status add_resolution(const Block *old, Resolution resolution, ImageBlock *made) {
    enum { VALUES = 16, INCH = 2 };
    static const size_t tags[ADDED] = {TAG_X_RESOLUTION, TAG_Y_RESOLUTION, TAG_RESOLUTION_UNIT};
    const size_t from = field(old, 4, 4), count = entries(old);
    const size_t values = (old->bytes.size + 1) / 2 * 2, directory = values + VALUES;
    const size_t offsets[ADDED] = {values, values + 8, INCH};
    size_t to = directory + 2, next = 0;
    unsigned char *bytes = calloc(1, directory + 2 + (count + ADDED) * TIFF_ENTRY + 4);
    if (!bytes)
        return fail(STATUS_DEVICE, "no memory for a picture's metadata");
    memcpy(bytes, old->bytes.data, old->bytes.size);
    const Block block = {.bytes.data = bytes, .big = old->big};
    put(&block, 4, 4, directory);
    put_fraction(&block, values, resolution.x);
    put_fraction(&block, values + 8, resolution.y);
    for (size_t i = 0; i <= count; i++) { /* ascending */
        const size_t entry = from + 2 + i * TIFF_ENTRY, tag = i < count ? field(old, entry, 2) : SIZE_MAX;
        for (; next < ADDED && tags[next] <= tag; to += TIFF_ENTRY, next++)
            put_entry(&block, to, tags[next], next < 2 ? TYPE_RATIONAL : TYPE_SHORT, offsets[next]);
        if (i == count || tag == TAG_X_RESOLUTION || tag == TAG_Y_RESOLUTION || tag == TAG_RESOLUTION_UNIT)
            continue;
        memcpy(bytes + to, old->bytes.data + entry, TIFF_ENTRY);
        to += TIFF_ENTRY;
    }
    put(&block, directory, 2, (to - directory - 2) / TIFF_ENTRY);
    *made = (ImageBlock){bytes, to + 4};
    return STATUS_OK;
}

static bool is_sayable(double metre) {
    return metre >= 1 && metre <= 1e7; /* 254000 an inch */
}

Status exif_with_resolution(const Image *image, ImageBlock *made, ImageBlock *exif, unsigned *lost) {
    unsigned char none[TIFF_HEADER] = {'I', 'I', 42};
    Block block = {.bytes = {none, sizeof none}};
    const Resolution resolution = image->resolution;
    *made = (ImageBlock){0};
    *exif = image->exif;
    if (!(resolution.x > 0))
        return STATUS_OK;
    const bool known = !exif->data || open_block(*exif, &block);
    if (exif->data && known && says_resolution(&block, resolution))
        return STATUS_OK;
    if (!known || entries(&block) + ADDED > UINT16_MAX || !is_sayable(resolution.x) || !is_sayable(resolution.y)) {
        *lost |= EXTRA_RESOLUTION;
        return STATUS_OK;
    }
    TRY(add_resolution(&block, resolution, made));
    *exif = *made;
    return STATUS_OK;
}
