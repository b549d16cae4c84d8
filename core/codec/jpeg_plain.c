/* jpeg_plain.c: whether a JPEG is of the plainest kind, and whole: Huffman's code is walked to the end, so that what a
 * device decodes is what libjpeg decodes without a word, whatever the device makes of damage. All that is unusual
 * counts as not plain: libjpeg has the last word on that.
 * Walking takes a sixth of the time of decoding: what values stand for is not asked but for the means of blocks. */
#include "core/codec/jpeg_plain.h"

#include <string.h>

enum {
    MARKER_SOF0 = 0xC0,
    MARKER_DHT = 0xC4,
    MARKER_RST0 = 0xD0,
    MARKER_SOI = 0xD8,
    MARKER_EOI = 0xD9,
    MARKER_SOS = 0xDA,
    MARKER_DQT = 0xDB,
    MARKER_DRI = 0xDD,
    MARKER_APP0 = 0xE0,
    MARKER_APP14 = 0xEE,
    MARKER_APP15 = 0xEF,
    MARKER_COM = 0xFE
};

enum {
    COMPONENTS = 3,
    TABLES = 2,
    PEEK = 12, /* bits that a step looks at: few codes are longer */
    CODE_MAX = 16,
    SIGHT = 32,       /* bits that are at hand for a step: a code and its value take 27 */
    BLOCK_LAST = 63,  /* values of a block behind the mean */
    BLOCK_ENDS = 128, /* added to these by the code that ends a block */
    DC_SIZE_MAX = 11, /* bits of a difference of means, and of any other value, of 8-bit samples */
    AC_SIZE_MAX = 10,
    MEAN_MAX = 2047
};

/* What bits lead to: how many belong to the code and its value, and how far the code leads in the block. 0 bits: a code
 * longer than PEEK, or none. */
typedef struct Step {
    uint8_t bits, advance;
} Step;

typedef struct Table {
    bool defined;
    Step single[1 << PEEK], paired[1 << PEEK]; /* of one code, and of two if both are in sight */
    unsigned count[CODE_MAX + 1];              /* codes of each length */
    uint8_t symbols[256];
} Table;

typedef struct Component {
    int id, across, down, dc, ac; /* blocks in an MCU; tables */
    unsigned quantizer;
    int mean;
} Component;

typedef struct Reader {
    const unsigned char *at, *end;
    uint64_t bits; /* that come next, the first one highest */
    int held;      /* of these, those that are there */
    int padded;    /* of these, zeros that stand behind the end */
} Reader;

typedef struct Walk {
    Bytes file;
    size_t at;
    Table dc[TABLES], ac[TABLES];
    unsigned quantizers; /* a bit for each that is defined */
    Component components[COMPONENTS];
    int count; /* of components; 0: the frame's header was not seen yet */
    size_t width, height, interval;
    bool jfif;
    Reader reader; /* of the scan */
} Walk;

static unsigned u8(const Walk *walk, size_t at) {
    return walk->file.data[at];
}

static unsigned u16(const Walk *walk, size_t at) {
    return u8(walk, at) << 8 | u8(walk, at + 1);
}

/* ---- tables ---- */

/* The advance of a symbol of an AC table, or -1 for what 8-bit samples do not have. */
static int advance_of(unsigned symbol) {
    const unsigned run = symbol >> 4, size = symbol & 15;
    if (size == 0)
        return run == 0 ? BLOCK_ENDS : run == 15 ? 16 : -1;
    return size <= AC_SIZE_MAX ? (int)run + 1 : -1;
}

/* Each code's symbol at all places that begin with it. Of a DC table the advance is the symbol: how many bits follow.
 */
static bool fill(Table *table, bool is_dc) {
    unsigned code = 0, next = 0;
    memset(table->single, 0, sizeof table->single);
    for (int length = 1; length <= CODE_MAX; length++, code <<= 1)
        for (unsigned i = 0; i < table->count[length]; i++, code++, next++) {
            const unsigned symbol = table->symbols[next];
            const int advance = is_dc ? symbol <= DC_SIZE_MAX ? (int)symbol : -1 : advance_of(symbol);
            if (advance < 0 || code >> length != 0)
                return false;
            const unsigned bits = (unsigned)length + (is_dc ? 0 : symbol & 15), spare = PEEK - (unsigned)length;
            for (unsigned k = 0; length <= PEEK && k < 1u << spare; k++)
                table->single[(code << spare) + k] = (Step){(uint8_t)bits, (uint8_t)advance};
        }
    return true;
}

static void pair(Table *table) {
    for (unsigned i = 0; i < 1u << PEEK; i++) {
        const Step first = table->single[i];
        const Step second = first.bits < PEEK ? table->single[i << first.bits & ((1u << PEEK) - 1)] : (Step){0, 0};
        /* the second code must be in sight as a whole: what it says then does not depend on the zeros behind */
        const bool both =
            first.bits > 0 && first.advance < BLOCK_ENDS && second.bits > 0 && first.bits + second.bits <= PEEK;
        table->paired[i] =
            both ? (Step){(uint8_t)(first.bits + second.bits), (uint8_t)(first.advance + second.advance)} : first;
    }
}

static bool read_tables(Walk *walk, size_t at, size_t end) {
    while (at < end) {
        if (end - at < 1 + CODE_MAX || u8(walk, at) >> 5 != 0 || (u8(walk, at) & 15) >= TABLES)
            return false;
        const bool is_dc = u8(walk, at) >> 4 == 0;
        Table *table = is_dc ? &walk->dc[u8(walk, at) & 15] : &walk->ac[u8(walk, at) & 15];
        size_t symbols = 0;
        for (int length = 1; length <= CODE_MAX; length++)
            symbols += table->count[length] = u8(walk, at + (size_t)length);
        at += 1 + CODE_MAX;
        if (symbols > 256 || symbols > end - at)
            return false;
        memcpy(table->symbols, walk->file.data + at, symbols);
        at += symbols;
        if (!fill(table, is_dc))
            return false;
        if (!is_dc)
            pair(table);
        table->defined = true;
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
    if (walk->count > 0 || end - at < 6 || u8(walk, at) != 8)
        return false;
    walk->height = u16(walk, at + 1);
    walk->width = u16(walk, at + 3);
    walk->count = (int)u8(walk, at + 5);
    if (walk->width == 0 || walk->height == 0 || (walk->count != 1 && walk->count != COMPONENTS) ||
        end - at != 6 + 3 * (size_t)walk->count)
        return false;
    for (int i = 0; i < walk->count; i++) {
        Component *component = &walk->components[i];
        const size_t from = at + 6 + 3 * (size_t)i;
        *component = (Component){.id = (int)u8(walk, from),
                                 .across = (int)u8(walk, from + 1) >> 4,
                                 .down = (int)u8(walk, from + 1) & 15,
                                 .quantizer = u8(walk, from + 2)};
        const int most = i == 0 && walk->count > 1 ? 2 : 1;
        if (component->across < 1 || component->across > most || component->down < 1 || component->down > most ||
            component->quantizer >= 4)
            return false;
    }
    return true;
}

/* All components in one scan, whole. */
static bool read_scan(Walk *walk, size_t at, size_t end) {
    const size_t count = (size_t)walk->count;
    if (count == 0 || end - at != 4 + 2 * count || u8(walk, at) != count || u8(walk, end - 3) != 0 ||
        u8(walk, end - 2) != BLOCK_LAST || u8(walk, end - 1) != 0)
        return false;
    for (size_t i = 0; i < count; i++) {
        Component *component = &walk->components[i];
        const unsigned tables = u8(walk, at + 2 + 2 * i);
        component->dc = (int)tables >> 4;
        component->ac = (int)tables & 15;
        if ((int)u8(walk, at + 1 + 2 * i) != component->id || component->dc >= TABLES || component->ac >= TABLES ||
            !walk->dc[component->dc].defined || !walk->ac[component->ac].defined ||
            !(walk->quantizers >> component->quantizer & 1))
            return false;
    }
    return true;
}

/* Colours are luma and chroma, and all who read such a file say so: by JFIF's marker, Adobe's, or how components are
 * numbered. */
static bool is_ycc(const Walk *walk) {
    const Component *of = walk->components;
    const bool numbered = of[0].id == 1 && of[1].id == 2 && of[2].id == 3;
    return walk->count == 1 || numbered || (walk->jfif && of[0].id != 'R');
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
        walk->interval = u16(walk, at);
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

/* ---- the scan ---- */

/* A zero byte in it, where there is an FF. */
static bool has_ff(uint64_t bytes) {
    const uint64_t low = 0x0101010101010101u, inverse = ~bytes;
    return ((inverse - low) & ~inverse & low << 7) != 0;
}

/* Eight bytes, the first one highest. */
static uint64_t load(const unsigned char *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_bswap64(bytes);
}

/* One byte at a time; zeros where a marker, or the end, stands. */
static void refill_slowly(Reader *reader) {
    while (reader->held <= 56) {
        const size_t left = (size_t)(reader->end - reader->at);
        const bool stuffed = left >= 2 && reader->at[0] == 0xFF && reader->at[1] == 0;
        if (stuffed || (left >= 1 && reader->at[0] != 0xFF)) {
            reader->bits |= (uint64_t)reader->at[0] << (56 - reader->held);
            reader->at += stuffed ? 2 : 1;
        } else {
            reader->padded += 8;
        }
        reader->held += 8;
    }
}

/* To 57 bits or more, of less than SIGHT. */
static inline void refill(Reader *reader) {
    if (reader->end - reader->at >= 8) {
        const uint64_t bytes = load(reader->at);
        if (!has_ff(bytes)) {
            const int taken = (63 - reader->held) >> 3;
            reader->bits |= bytes >> reader->held; /* what is more than is counted comes again, the same */
            reader->at += taken;
            reader->held += 8 * taken;
            return;
        }
    }
    /* what is more than is counted may not come again */
    reader->bits = reader->held > 0 ? reader->bits >> (64 - reader->held) << (64 - reader->held) : 0;
    Reader whole = *reader; /* whose address is taken, so that the reader's is not */
    refill_slowly(&whole);
    *reader = whole;
}

static inline void drop(Reader *reader, int bits) {
    reader->bits <<= bits;
    reader->held -= bits;
}

/* A code that is longer than a step sees; 0 bits for none. */
static Step find_long(const Table *table, uint64_t bits, bool is_dc) {
    unsigned first = 0, next = 0;
    for (int length = 1; length <= CODE_MAX; length++, first <<= 1) {
        const unsigned code = (unsigned)(bits >> (64 - length)), count = table->count[length];
        if (code - first < count) {
            const unsigned symbol = table->symbols[next + code - first];
            return is_dc ? (Step){(uint8_t)length, (uint8_t)symbol}
                         : (Step){(uint8_t)((unsigned)length + (symbol & 15)), (uint8_t)advance_of(symbol)};
        }
        first += count;
        next += count;
    }
    return (Step){0, 0};
}

/* The mean of a block: a difference follows its code. */
static bool walk_mean(Walk *walk, Component *component) {
    const Table *table = &walk->dc[component->dc];
    Reader *reader = &walk->reader;
    if (reader->held < SIGHT)
        refill(reader);
    Step step = table->single[reader->bits >> (64 - PEEK)];
    if (step.bits == 0)
        step = find_long(table, reader->bits, true);
    drop(reader, step.bits);
    if (step.advance > 0) {
        const int value = (int)(reader->bits >> (64 - step.advance)), half = 1 << (step.advance - 1);
        component->mean += value < half ? value - 2 * half + 1 : value;
        drop(reader, step.advance);
    }
    return step.bits > 0 && component->mean <= MEAN_MAX && component->mean >= -MEAN_MAX;
}

/* Two codes lead too far where the first one ends the block: what follows is another one's. */
static inline bool leads_too_far(unsigned k) {
    return k > BLOCK_LAST && (k < BLOCK_ENDS || k >= BLOCK_ENDS + BLOCK_LAST);
}

/* The reader is a copy while a block is walked: it stays in registers. */
static bool walk_block(Walk *walk, Component *component) {
    const Table *table = &walk->ac[component->ac];
    unsigned k = 0;
    if (!walk_mean(walk, component))
        return false;
    Reader reader = walk->reader;
    while (k < BLOCK_LAST) {
        if (reader.held < SIGHT)
            refill(&reader);
        const size_t sight = reader.bits >> (64 - PEEK);
        Step step = table->paired[sight];
        if (leads_too_far(k + step.advance))
            step = table->single[sight];
        if (step.bits == 0)
            step = find_long(table, reader.bits, false);
        if (step.bits == 0)
            return false;
        drop(&reader, step.bits);
        k += step.advance;
    }
    walk->reader = reader;
    return !leads_too_far(k);
}

static bool walk_mcu(Walk *walk) {
    for (int i = 0; i < walk->count; i++)
        for (int k = walk->components[i].across * walk->components[i].down; k > 0; k--)
            if (!walk_block(walk, &walk->components[i]))
                return false;
    return walk->reader.padded <= walk->reader.held;
}

/* What is left of a byte, and then this marker. */
static bool end_interval(Walk *walk, unsigned marker) {
    Reader *reader = &walk->reader;
    const int left = reader->held - reader->padded;
    if (left < 0 || left >= 8 || reader->end - reader->at < 2 || reader->at[0] != 0xFF || reader->at[1] != marker)
        return false;
    *reader = (Reader){.at = reader->at + 2, .end = reader->end};
    for (int i = 0; i < walk->count; i++)
        walk->components[i].mean = 0;
    return true;
}

static size_t mcus(const Walk *walk) {
    const size_t across = 8 * (size_t)walk->components[0].across, down = 8 * (size_t)walk->components[0].down;
    return (walk->width + across - 1) / across * ((walk->height + down - 1) / down);
}

static bool walk_scan(Walk *walk) {
    const size_t count = mcus(walk);
    unsigned restarts = 0;
    walk->reader = (Reader){.at = walk->file.data + walk->at, .end = walk->file.data + walk->file.size};
    for (size_t i = 0; i < count; i++) {
        if (walk->interval > 0 && i > 0 && i % walk->interval == 0 && !end_interval(walk, MARKER_RST0 + restarts++ % 8))
            return false;
        if (!walk_mcu(walk))
            return false;
    }
    return end_interval(walk, MARKER_EOI);
}

bool jpeg_is_plain(Bytes file, size_t *end) {
    Walk walk = {.file = file};
    const bool plain = read_header(&walk) && walk_scan(&walk);
    *end = plain ? (size_t)(walk.reader.at - file.data) : 0;
    return plain;
}
