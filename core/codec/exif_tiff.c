/* exif_tiff.c: Exif in TIFF files, whose directories lie anywhere in the file (Exif 2.32, 4.6; TIFF 6.0, section 2):
 * copied into a block, and back. The block is written in little endian, and has no thumbnail. A block also tells the
 * shot. */
#include "core/codec/formats.h"
#include "core/codec/lens.h"

#include <ctype.h>
#include <stdlib.h>

enum {
    HEADER = 8,
    ENTRY = 12,
    WIDE_ENTRY = 20,
    ENTRIES_MAX = 1024,
    TYPE_ASCII = 2,
    TYPE_LONG = 4,
    TYPE_RATIONAL = 5,
    TYPE_SRATIONAL = 10,
    TYPE_IFD = 13 /* the last one that is not of BigTIFF alone */
};

/* Names of document, picture, maker, model and page; program, time, artist, computer, copyright. */
const unsigned exif_text_tags[] = {0x010D, 0x010E, 0x010F, 0x0110, 0x011D, 0x0131, 0x0132, 0x013B, 0x013C, 0x8298, 0};

typedef struct Entry {
    unsigned tag, type;
    size_t count, bytes; /* of the value */
    size_t at;           /* where it lies */
} Entry;

/* A block that is being written: `base` is where data[0] will lie in the file. */
typedef struct Copy {
    Bytes *bytes;
    size_t *capacity, base, end_max;
} Copy;

static size_t number(const unsigned char *bytes, size_t count, bool big_endian) {
    size_t value = 0;
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[big_endian ? i : count - 1 - i];
    return value;
}

static void put(unsigned char *bytes, size_t count, size_t value) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (unsigned char)(value >> 8 * i);
}

/* Bytes of an element, and of the numbers in it: a fraction is two. The last three are BigTIFF's. */
static size_t element(unsigned type, size_t *unit) {
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4, 0, 0, 8, 8, 8},
                               units[] = {0, 1, 1, 2, 4, 4, 1, 1, 2, 4, 4, 4, 8, 4, 0, 0, 8, 8, 8};
    const bool known = type < sizeof sizes;
    *unit = known ? units[type] : 0;
    return known ? sizes[type] : 0;
}

/* The number of entries, or false. */
static bool count_entries(TiffDirectory in, size_t *count) {
    unsigned char bytes[8];
    const size_t wide = in.wide ? 8 : 2;
    *count = 0;
    if (!input_peek(in.file, in.at, bytes, wide))
        return false;
    *count = number(bytes, wide, in.big_endian);
    return *count <= ENTRIES_MAX;
}

static bool read_entry(TiffDirectory in, size_t index, Entry *entry) {
    unsigned char bytes[WIDE_ENTRY];
    const size_t size = in.wide ? WIDE_ENTRY : ENTRY, long_size = in.wide ? 8 : 4;
    const size_t at = in.at + (in.wide ? 8 : 2) + index * size;
    size_t unit;
    if (!input_peek(in.file, at, bytes, size))
        return false;
    entry->tag = (unsigned)number(bytes, 2, in.big_endian);
    entry->type = (unsigned)number(bytes + 2, 2, in.big_endian);
    entry->count = number(bytes + 4, long_size, in.big_endian);
    const size_t each = element(entry->type, &unit);
    if (entry->count > EXIF_MAX)
        return false;
    entry->bytes = entry->count * each;
    entry->at =
        entry->bytes <= long_size ? at + size - long_size : number(bytes + size - long_size, long_size, in.big_endian);
    return true;
}

static size_t value_of(TiffDirectory in, const Entry *entry) {
    unsigned char bytes[8];
    return entry->bytes > 0 && entry->bytes <= 8 && input_peek(in.file, entry->at, bytes, entry->bytes)
               ? number(bytes, entry->bytes, in.big_endian)
               : 0;
}

static bool is_pointer(unsigned tag) {
    return tag == TAG_EXIF || tag == TAG_GPS || tag == TAG_INTEROPERABILITY;
}

static bool is_text(unsigned tag) {
    for (const unsigned *each = exif_text_tags; *each; each++)
        if (*each == tag)
            return true;
    return false;
}

/* ---- copying ---- */

static Status no_memory(void) {
    return fail(STATUS_DEVICE, "no memory for Exif");
}

/* On an even byte, as TIFF wants. */
static Status append(Copy *copy, const void *data, size_t size) {
    const size_t even = copy->bytes->size + (copy->base + copy->bytes->size) % 2;
    if (even + size > copy->end_max)
        return fail(STATUS_INPUT, "too much Exif");
    return bytes_put(copy->bytes, copy->capacity, even, data, size) ? STATUS_OK : no_memory();
}

/* In little endian. */
static Status read_value(TiffDirectory in, const Entry *entry, unsigned char *to) {
    size_t unit;
    element(entry->type, &unit);
    if (!input_peek(in.file, entry->at, to, entry->bytes))
        return file_ends_early("Exif");
    for (size_t i = 0; in.big_endian && i < entry->bytes; i += unit)
        put(to + i, unit, number(to + i, unit, true));
    return STATUS_OK;
}

static Status copy_value(TiffDirectory in, const Entry *entry, Copy *copy, unsigned char out[ENTRY]) {
    unsigned char *value = entry->bytes <= 4 ? out + 8 : malloc(entry->bytes);
    if (!value)
        return no_memory();
    Status status = read_value(in, entry, value);
    if (value != out + 8) {
        if (status == STATUS_OK)
            status = append(copy, value, entry->bytes);
        put(out + 8, 4, copy->base + copy->bytes->size - entry->bytes);
        free(value);
    }
    return status;
}

/* Appends a directory, all that it leads to first; *placed is where it begins. `left` limits the depth. */
static Status copy_directory(TiffDirectory in, bool first, int left, Copy *copy, size_t *placed);

static Status copy_entry(TiffDirectory in, const Entry *entry, int left, Copy *copy, unsigned char out[ENTRY]) {
    memset(out, 0, ENTRY);
    put(out, 2, entry->tag);
    put(out + 2, 2, entry->type);
    put(out + 4, 4, entry->count);
    if (!is_pointer(entry->tag))
        return copy_value(in, entry, copy, out);
    size_t placed = 0;
    in.at = value_of(in, entry);
    put(out + 2, 2, TYPE_LONG);
    TRY(copy_directory(in, false, left - 1, copy, &placed));
    put(out + 8, 4, placed);
    return STATUS_OK;
}

static Status copy_directory(TiffDirectory in, bool first, int left, Copy *copy, size_t *placed) {
    unsigned char directory[2 + ENTRIES_MAX * ENTRY + 4] = {0};
    size_t count, kept = 0;
    if (left == 0 || !count_entries(in, &count))
        return fail(STATUS_INPUT, "damaged Exif");
    for (size_t i = 0; i < count; i++) {
        Entry entry;
        if (!read_entry(in, i, &entry))
            return file_ends_early("Exif");
        const bool text = is_text(entry.tag) && entry.type == TYPE_ASCII,
                   wanted = !first || text || is_pointer(entry.tag);
        if (wanted && entry.bytes > 0 && (entry.type <= TYPE_IFD || is_pointer(entry.tag)))
            TRY(copy_entry(in, &entry, left, copy, directory + 2 + ENTRY * kept++));
    }
    put(directory, 2, kept);
    const size_t size = 2 + kept * ENTRY + 4;
    TRY(append(copy, directory, size));
    *placed = kept > 0 ? copy->base + copy->bytes->size - size : 0;
    return STATUS_OK;
}

enum { DEPTH = 3 }; /* the page's, Exif's, interoperability's */

Status exif_of_tiff(TiffDirectory directory, ImageBlock *block, unsigned *lost) {
    Bytes made = {0};
    size_t capacity = 0, first = 0;
    Copy copy = {&made, &capacity, 0, EXIF_MAX};
    Status status = append(&copy, "II*\0\0\0\0\0", HEADER);
    if (status == STATUS_OK)
        status = copy_directory(directory, true, DEPTH, &copy, &first);
    if (status == STATUS_OK && first > 0) {
        put(made.data + 4, 4, first);
        *block = (ImageBlock){made.data, made.size};
        return STATUS_OK;
    }
    bytes_free(&made);
    if (status == STATUS_INPUT)
        *lost |= EXTRA_EXIF;
    return status == STATUS_INPUT ? STATUS_OK : status;
}

/* ---- from a block ---- */

static bool find_in(TiffDirectory directory, unsigned tag, Entry *entry) {
    size_t count = 0;
    if (count_entries(directory, &count))
        for (size_t i = 0; i < count && read_entry(directory, i, entry); i++)
            if (entry->tag == tag)
                return true;
    return false;
}

static bool open_first(ImageBlock block, Input *file, TiffDirectory *directory) {
    *file = input_of((Bytes){block.data, block.size});
    if (block.size < HEADER)
        return false;
    const bool big = block.data[0] == 'M';
    *directory = (TiffDirectory){file, number(block.data + 4, 4, big), big, false};
    return true;
}

static bool find_entry(ImageBlock block, Input *file, unsigned tag, TiffDirectory *directory, Entry *entry) {
    return open_first(block, file, directory) && find_in(*directory, tag, entry);
}

static Status append_directory(ImageBlock block, unsigned tag, Copy *copy, size_t *placed) {
    Input file;
    TiffDirectory directory;
    Entry entry;
    *placed = 0;
    if (!find_entry(block, &file, tag, &directory, &entry))
        return STATUS_OK;
    directory.at = value_of(directory, &entry);
    return copy_directory(directory, false, DEPTH - 1, copy, placed);
}

Status exif_directories(ImageBlock block, size_t at, Bytes *made, size_t *exif, size_t *gps) {
    size_t capacity = 0;
    Copy copy = {made, &capacity, at, UINT32_MAX - EXIF_MAX};
    TRY(append_directory(block, TAG_EXIF, &copy, exif));
    return append_directory(block, TAG_GPS, &copy, gps);
}

const char *exif_text(ImageBlock block, unsigned tag) {
    Input file;
    TiffDirectory directory;
    Entry entry;
    if (!find_entry(block, &file, tag, &directory, &entry) || entry.type != TYPE_ASCII || entry.bytes == 0 ||
        entry.at > block.size || entry.bytes > block.size - entry.at)
        return NULL;
    const char *text = (const char *)block.data + entry.at;
    return text[entry.bytes - 1] == '\0' ? text : NULL;
}

/* ---- the maker's notes ---- */

/* Apple's begin with these bytes; a directory follows, whose places count from the notes' beginning. */
static const char apple_notes[] = "Apple iOS\0\0\1MM";
enum { APPLE_NOTES = sizeof apple_notes - 1 };

bool exif_apple_fraction(ImageBlock exif, unsigned tag, double *value) {
    enum { MAKER_NOTE = 0x927C };
    Input file, notes;
    TiffDirectory directory;
    Entry entry;
    unsigned char bytes[8];
    if (!find_entry(exif, &file, TAG_EXIF, &directory, &entry))
        return false;
    directory.at = value_of(directory, &entry);
    if (!find_in(directory, MAKER_NOTE, &entry) || entry.bytes <= APPLE_NOTES || entry.at > exif.size ||
        entry.bytes > exif.size - entry.at || memcmp(exif.data + entry.at, apple_notes, APPLE_NOTES) != 0)
        return false;
    notes = input_of((Bytes){exif.data + entry.at, entry.bytes});
    if (!find_in((TiffDirectory){&notes, APPLE_NOTES, true, false}, tag, &entry) || entry.type != TYPE_SRATIONAL ||
        entry.bytes != sizeof bytes || !input_peek(&notes, entry.at, bytes, sizeof bytes))
        return false;
    const int32_t counter = (int32_t)number(bytes, 4, true), divisor = (int32_t)number(bytes + 4, 4, true);
    *value = divisor != 0 ? (double)counter / divisor : 0;
    return divisor != 0;
}

/* ---- the shot ---- */

/* Printable ASCII alone, without blanks around it; "" where it is longer. */
static void read_text(TiffDirectory in, unsigned tag, char *text, size_t size) {
    Entry entry;
    text[0] = '\0';
    if (!find_in(in, tag, &entry) || entry.type != TYPE_ASCII || entry.bytes >= size)
        return;
    unsigned char *bytes = (unsigned char *)text;
    bytes[entry.bytes] = '\0';
    if (!input_peek(in.file, entry.at, bytes, entry.bytes))
        text[0] = '\0';
    size_t length = strlen(text);
    while (length > 0 && bytes[length - 1] == ' ')
        text[--length] = '\0';
    for (size_t i = 0; i < length; i++)
        if (!isprint(bytes[i]))
            text[0] = '\0';
}

/* 0 without one, or where it is infinite. */
static double read_fraction(TiffDirectory in, unsigned tag) {
    unsigned char bytes[8];
    Entry entry;
    if (!find_in(in, tag, &entry) || entry.type != TYPE_RATIONAL || entry.bytes != sizeof bytes ||
        !input_peek(in.file, entry.at, bytes, sizeof bytes))
        return 0;
    const size_t divisor = number(bytes + 4, 4, in.big_endian), most = UINT32_MAX;
    const size_t counter = number(bytes, 4, in.big_endian);
    return divisor > 0 && counter < most ? (double)counter / (double)divisor : 0;
}

void exif_shot(ImageBlock exif, Shot *shot) {
    enum { MAKE = 0x010F, MODEL = 0x0110, F_NUMBER = 0x829D, DISTANCE = 0x9206, FOCAL = 0x920A, LENS = 0xA434 };
    Input file;
    TiffDirectory directory;
    Entry entry;
    *shot = (Shot){.known = true};
    if (!exif.data || !open_first(exif, &file, &directory))
        return;
    read_text(directory, MAKE, shot->maker, sizeof shot->maker);
    read_text(directory, MODEL, shot->model, sizeof shot->model);
    if (!find_in(directory, TAG_EXIF, &entry))
        return;
    directory.at = value_of(directory, &entry);
    read_text(directory, LENS, shot->lens, sizeof shot->lens);
    shot->focal = read_fraction(directory, FOCAL);
    shot->aperture = read_fraction(directory, F_NUMBER);
    shot->distance = read_fraction(directory, DISTANCE);
}
