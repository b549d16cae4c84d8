/* raw_signature.c: the first bytes of RAW files. Most are TIFFs (TIFF 6.0, section 2). Tags of cameras tell these from
 * others: those of DNG (1.6.0.0, chapters 3 and 4), colour filters, and compressions of makers. */
#include "core/codec/raw_signature.h"

#include "core/base/memory.h"
#include "core/codec/formats.h"

#include <string.h>

enum { TIFF_HEADER = 8, ENTRY = 12, TYPE_SHORT = 3, DEPTH_MAX = 3, DIRECTORIES_MAX = 64 };

/* Tags, and values of them. */
enum {
    NEW_SUBFILE_TYPE = 254,
    COMPRESSION = 259,
    PHOTOMETRIC = 262,
    MAKE = 271,
    SUB_DIRECTORIES = 330,
    CFA_REPEAT = 33421, /* rows and columns of CFA_PATTERN, which has a byte for each place */
    CFA_PATTERN = 33422,
    DNG_VERSION = 50706,
    COLOUR_FILTERS = 32803, /* of PHOTOMETRIC */
    LINEAR_RAW = 34892
};

/* A TIFF that is walked through. */
typedef struct Walk {
    Input *file;
    bool big_endian;
    Status status;   /* of the last numbers: STATUS_INPUT where the file ends before them */
    int directories; /* walked so far */
    bool is_dng;     /* values that are not in the file count */
    size_t pattern;  /* bytes of a colour filter's pattern that its rows and columns do not explain; 0: none */
} Walk;

/* A number of up to 4 bytes; 0 beyond the end of the file. */
static size_t peek(Walk *walk, size_t at, size_t count) {
    unsigned char bytes[4];
    size_t value = 0;
    if (!input_peek(walk->file, at, bytes, count)) {
        walk->status = file_ends_early("RAW");
        return 0;
    }
    for (size_t i = 0; i < count; i++)
        value = value << 8 | bytes[walk->big_endian ? i : count - 1 - i];
    return value;
}

/* Compressions of Sony, Nikon, Kodak, Pentax, Samsung. */
static bool is_makers(size_t compression) {
    static const size_t known[] = {32767, 32769, 32770, 32772, 34713, 65000, 65535};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (compression == known[i])
            return true;
    return false;
}

static Walk walk_from(TiffDirectory directory) {
    return (Walk){.file = directory.file, .big_endian = directory.big_endian, .status = STATUS_OK};
}

bool raw_directory(Input *file, TiffDirectory *first) {
    const Bytes head = file->bytes;
    *first = (TiffDirectory){.file = file};
    if (head.size < TIFF_HEADER || (memcmp(head.data, "II*\0", 4) != 0 && memcmp(head.data, "MM\0*", 4) != 0))
        return false;
    first->big_endian = head.data[0] == 'M';
    Walk walk = walk_from(*first);
    first->at = peek(&walk, 4, 4);
    return true;
}

/* By the first directory: it is RAW itself, or a camera's small picture with others below it. */
static bool is_raw_tiff(TiffDirectory first) {
    Walk walk = walk_from(first);
    const size_t at = first.at;
    size_t count = peek(&walk, at, 2), reduced = 0;
    bool make = false, below = false;
    for (size_t i = 0; i < count && walk.status == STATUS_OK; i++) {
        const size_t entry = at + 2 + i * ENTRY, tag = peek(&walk, entry, 2);
        const bool is_short = peek(&walk, entry + 2, 2) == TYPE_SHORT;
        const size_t value = peek(&walk, entry + 8, is_short ? 2 : 4);
        if (tag == DNG_VERSION || tag == CFA_PATTERN || (tag == COMPRESSION && is_makers(value)) ||
            (tag == PHOTOMETRIC && (value == COLOUR_FILTERS || value == LINEAR_RAW)))
            return walk.status == STATUS_OK;
        make |= tag == MAKE;
        below |= tag == SUB_DIRECTORIES;
        reduced |= tag == NEW_SUBFILE_TYPE ? value & 1 : 0;
    }
    return make && below && reduced && walk.status == STATUS_OK;
}

bool raw_recognize(Input *file) {
    static const struct {
        size_t at, length;
        const char *bytes;
    } signatures[] = {
        {8, 2, "CR"},   /* CR2, in a TIFF */
        {0, 4, "IIRO"}, /* ORF */
        {0, 4, "IIRS"},
        {0, 4, "MMOR"},
        {0, 4, "IIU\0"},            /* RW2, RWL */
        {0, 15, "FUJIFILMCCD-RAW"}, /* RAF */
        {4, 8, "ftypcrx "},         /* CR3 */
        {6, 8, "HEAPCCDR"},         /* CRW */
        {0, 4, "\0MRM"},            /* MRW */
        {0, 4, "FOVb"},             /* X3F */
        {8, 4, "IIII"},             /* IIQ, in a TIFF */
    };
    const Bytes head = file->bytes;
    TiffDirectory first;
    const bool tiff = raw_directory(file, &first);
    for (size_t i = 0; i < sizeof signatures / sizeof *signatures; i++)
        if (head.size >= signatures[i].at + signatures[i].length && (signatures[i].at != 8 || tiff) &&
            memcmp(head.data + signatures[i].at, signatures[i].bytes, signatures[i].length) == 0)
            return true;
    return tiff && is_raw_tiff(first);
}

/* ---- what a DNG says is there ---- */

static void check_directory(Walk *walk, size_t at, int depth);

/* Whether the values of an entry are in the file: the library takes any bytes for those that are not. */
static void check_entry(Walk *walk, size_t at, int depth) {
    static const unsigned char sizes[] = {0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4};
    const size_t tag = peek(walk, at, 2), type = peek(walk, at + 2, 2);
    const size_t count = peek(walk, at + 4, 4), value = peek(walk, at + 8, 4);
    const size_t bytes = type < sizeof sizes ? count * sizes[type] : 0;
    if (walk->is_dng && walk->status == STATUS_OK && bytes > 4)
        walk->status = file_must_hold(walk->file, memory_sum(value, bytes), "RAW");
    for (size_t i = 0; tag == SUB_DIRECTORIES && i < count && walk->status == STATUS_OK; i++)
        check_directory(walk, count == 1 ? value : peek(walk, value + 4 * i, 4), depth + 1);
}

static void check_directory(Walk *walk, size_t at, int depth) {
    if (++walk->directories > DIRECTORIES_MAX || depth > DEPTH_MAX)
        return;
    enum { ANY_PATTERN = 16 }; /* bytes that the library takes without rows and columns; of more, 0.20 loses count */
    const size_t count = peek(walk, at, 2);
    size_t pattern = 0, explained = 0;
    for (size_t i = 0; i < count && walk->status == STATUS_OK; i++) {
        const size_t entry = at + 2 + i * ENTRY, tag = peek(walk, entry, 2);
        if (tag == CFA_PATTERN)
            pattern = peek(walk, entry + 4, 4);
        if (tag == CFA_REPEAT && peek(walk, entry + 2, 2) == TYPE_SHORT && peek(walk, entry + 4, 4) == 2)
            explained = peek(walk, entry + 8, 2) * peek(walk, entry + 10, 2);
        check_entry(walk, entry, depth);
    }
    if (pattern > ANY_PATTERN && pattern != explained)
        walk->pattern = pattern;
}

static bool is_dng(Walk *walk, size_t at) {
    const size_t count = peek(walk, at, 2);
    for (size_t i = 0; i < count && walk->status == STATUS_OK; i++)
        if (peek(walk, at + 2 + i * ENTRY, 2) == DNG_VERSION)
            return true;
    return false;
}

Status raw_check_directories(TiffDirectory first) {
    Walk walk = walk_from(first);
    walk.is_dng = is_dng(&walk, first.at);
    walk.status = STATUS_OK;
    check_directory(&walk, first.at, 0);
    if (walk.pattern > 0)
        return fail(STATUS_INPUT, "damaged RAW: %zu bytes of colour filters, which no rows and columns explain",
                    walk.pattern);
    return walk.is_dng ? walk.status : STATUS_OK;
}
