/* jpeg_plain.c: whether a JPEG is of the plainest kind, and whole. Huffman's code is walked to the end. A device then
 * decodes only files that libjpeg decodes without a word, whatever the device makes of damage. All that is unusual
 * counts as not plain: libjpeg has the last word on that. */
#include "core/codec/jpeg_plain.h"

#include "core/codec/jpeg_scan.h"

#include <stddef.h>
#include <string.h>

enum {
    MARKER_SOF0 = 0xC0,
    MARKER_DHT = 0xC4,
    MARKER_SOI = 0xD8,
    MARKER_SOS = 0xDA,
    MARKER_DQT = 0xDB,
    MARKER_DRI = 0xDD,
    MARKER_APP0 = 0xE0,
    MARKER_APP14 = 0xEE,
    MARKER_APP15 = 0xEF,
    MARKER_COM = 0xFE
};

typedef struct Component {
    int id, across, down; /* blocks in an MCU */
    unsigned quantizer;
} Component;

typedef struct Walk {
    Bytes file;
    size_t at;
    unsigned quantizers, defined; /* a bit for each, and for each Huffman table */
    Component components[JPEG_COMPONENTS];
    size_t width, height;
    bool jfif;
    JpegScan scan; /* its count is 0 as long as the frame's header was not seen */
    JpegTables tables;
} Walk;

static unsigned u8(const Walk *walk, size_t at) {
    return walk->file.data[at];
}

static unsigned u16(const Walk *walk, size_t at) {
    return u8(walk, at) << 8 | u8(walk, at + 1);
}

static bool read_tables(Walk *walk, size_t at, size_t end) {
    while (at < end) {
        if (end - at < 1 + JPEG_CODE_MAX || (u8(walk, at) & ~0x11u) != 0)
            return false;
        const int which = (int)(u8(walk, at) >> 4) * JPEG_DC_TABLES + (int)(u8(walk, at) & 15);
        JpegTable *table = &walk->tables.of[which];
        size_t symbols = 0;
        for (int length = 1; length <= JPEG_CODE_MAX; length++)
            symbols += table->count[length] = u8(walk, at + (size_t)length);
        at += 1 + JPEG_CODE_MAX;
        if (symbols > sizeof table->symbols || symbols > end - at)
            return false;
        memcpy(table->symbols, walk->file.data + at, symbols);
        at += symbols;
        if (!jpeg_table_fill(&walk->tables, which))
            return false;
        walk->defined |= 1u << which;
    }
    return true;
}

static bool read_quantizers(Walk *walk, size_t at, size_t end) {
    enum { VALUES = 64 };
    for (; at < end; at += 1 + VALUES) {
        if (end - at < 1 + VALUES || u8(walk, at) >= 4 || memchr(walk->file.data + at + 1, 0, VALUES))
            return false;
        walk->quantizers |= 1u << u8(walk, at);
    }
    return true;
}

/* ---- headers ---- */

static bool read_frame(Walk *walk, size_t at, size_t end) {
    JpegScan *scan = &walk->scan;
    if (scan->count > 0 || end - at < 6 || u8(walk, at) != 8)
        return false;
    walk->height = u16(walk, at + 1);
    walk->width = u16(walk, at + 3);
    scan->count = (int)u8(walk, at + 5);
    if (walk->width == 0 || walk->height == 0 || (scan->count != 1 && scan->count != JPEG_COMPONENTS) ||
        end - at != 6 + 3 * (size_t)scan->count)
        return false;
    for (int i = 0; i < scan->count; i++) {
        Component *component = &walk->components[i];
        const size_t from = at + 6 + 3 * (size_t)i;
        *component = (Component){.id = (int)u8(walk, from),
                                 .across = (int)u8(walk, from + 1) >> 4,
                                 .down = (int)u8(walk, from + 1) & 15,
                                 .quantizer = u8(walk, from + 2)};
        const int most = i == 0 && scan->count > 1 ? 2 : 1;
        if (component->across < 1 || component->across > most || component->down < 1 || component->down > most ||
            component->quantizer >= 4)
            return false;
    }
    return true;
}

/* All components in one scan, whole. */
static bool read_scan(Walk *walk, size_t at, size_t end) {
    enum { BLOCK_LAST = 63 };
    JpegScan *scan = &walk->scan;
    const size_t count = (size_t)scan->count;
    if (count == 0 || end - at != 4 + 2 * count || u8(walk, at) != count || u8(walk, end - 3) != 0 ||
        u8(walk, end - 2) != BLOCK_LAST || u8(walk, end - 1) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        const Component *component = &walk->components[i];
        const unsigned tables = u8(walk, at + 2 + 2 * i), dc = tables >> 4, ac = JPEG_DC_TABLES + (tables & 15);
        if ((int)u8(walk, at + 1 + 2 * i) != component->id || dc >= JPEG_DC_TABLES || ac >= JPEG_TABLES ||
            !(walk->defined >> dc & walk->defined >> ac & walk->quantizers >> component->quantizer & 1))
            return false;
        scan->components[i] = (JpegComponent){component->across, component->down, (int)dc, (int)ac};
    }
    return true;
}

/* Colours are luma and chroma, and all readers of such a file say so: by JFIF's marker, Adobe's, or how components are
 * numbered. */
static bool is_ycc(const Walk *walk) {
    const Component *of = walk->components;
    const bool numbered = of[0].id == 1 && of[1].id == 2 && of[2].id == 3;
    return walk->scan.count == 1 || numbered || (walk->jfif && of[0].id != 'R');
}

/* Adobe's transform 1 is luma and chroma; other values, and other lengths, are for libjpeg to judge. */
static bool read_application(Walk *walk, unsigned marker, size_t at, size_t end) {
    enum { ADOBE_TRANSFORM = 11 };
    const unsigned char *data = walk->file.data + at;
    if (marker == MARKER_APP0 && end - at >= 5 && memcmp(data, "JFIF", 5) == 0)
        walk->jfif = true;
    return marker != MARKER_APP14 || end - at < 5 || memcmp(data, "Adobe", 5) != 0 ||
           (end - at > ADOBE_TRANSFORM && data[ADOBE_TRANSFORM] == 1);
}

static bool read_segment(Walk *walk, unsigned marker, size_t at, size_t end) {
    if (marker >= MARKER_APP0 && marker <= MARKER_APP15)
        return read_application(walk, marker, at, end);
    if (marker == MARKER_DRI && end - at == 2)
        walk->scan.interval = u16(walk, at);
    return marker == MARKER_DHT    ? read_tables(walk, at, end)
           : marker == MARKER_DQT  ? read_quantizers(walk, at, end)
           : marker == MARKER_SOF0 ? read_frame(walk, at, end)
           : marker == MARKER_SOS  ? read_scan(walk, at, end)
                                   : marker == MARKER_COM || (marker == MARKER_DRI && end - at == 2);
}

/* Up to the scan's first bit. */
static bool read_header(Walk *walk) {
    const Bytes file = walk->file;
    if (file.size < 4 || file.data[0] != 0xFF || file.data[1] != MARKER_SOI)
        return false;
    for (size_t at = 2; file.size - at >= 4;) {
        const unsigned marker = u8(walk, at + 1);
        const size_t size = u16(walk, at + 2), end = at + 2 + size;
        if (u8(walk, at) != 0xFF || size < 2 || size > file.size - at - 2 || !read_segment(walk, marker, at + 4, end))
            return false;
        walk->at = at = end;
        if (marker == MARKER_SOS)
            return is_ycc(walk);
    }
    return false;
}

static size_t mcus(const Walk *walk) {
    const size_t across = 8 * (size_t)walk->components[0].across, down = 8 * (size_t)walk->components[0].down;
    return (walk->width + across - 1) / across * ((walk->height + down - 1) / down);
}

bool jpeg_is_plain(Bytes file, size_t *end) {
    Walk walk;
    memset(&walk, 0, offsetof(Walk, tables));
    walk.file = file;
    *end = 0;
    if (!read_header(&walk))
        return false;
    walk.scan.tables = &walk.tables;
    walk.scan.mcus = mcus(&walk);
    return jpeg_scan_walk(&walk.scan, file, walk.at, end);
}
