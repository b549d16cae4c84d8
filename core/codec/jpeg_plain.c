/* jpeg_plain.c: whether a JPEG is of the plainest kind, and whole: Huffman's code is walked to the end, so that what a
 * device decodes is what libjpeg decodes without a word, whatever the device makes of damage. All that is unusual
 * counts as not plain: libjpeg has the last word on that.
 * Walking takes an eighth of the time of decoding: what values stand for is not asked but for the means of blocks. */
#include "core/codec/jpeg_plain.h"

#include <stddef.h>
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
    HELD = 56,        /* bits that are at hand for two steps: a code and its value take 27, one within PEEK 22 */
    WINDOW = 8192,    /* bytes of the scan that are looked at as a piece, */
    MCU_BYTES = 1536, /* and more than an MCU takes: six blocks of 64 codes with their values, and what is held */
    BLOCK_LAST = 63,  /* values of a block behind the mean */
    BLOCK_ENDS = 128, /* added to these by the code that ends a block */
    LOST = 64,        /* or by bits that no code of PEEK bits or fewer begins: then a block does not end */
    DC_SIZE_MAX = 11, /* bits of a difference of means, and of any other value, of 8-bit samples */
    AC_SIZE_MAX = 10,
    MEAN_MAX = 2047
};

/* What bits lead to: how many belong to codes and their values, and ADVANCE times how far these lead in the block: sums
 * of steps are sums of both. Of a DC table the code alone counts, and ADVANCE times the bits that follow it. */
typedef uint16_t Step;

enum { ADVANCE = 256 };

typedef struct Table {
    bool defined;
    Step single[1 << PEEK], several[1 << PEEK]; /* of one code, and of all that are in sight */
    unsigned count[CODE_MAX + 1];               /* codes of each length */
    uint8_t symbols[256];
} Table;

typedef struct Component {
    int id, across, down, dc, ac; /* blocks in an MCU; tables */
    unsigned quantizer;
    int mean;
} Component;

/* What comes next, in registers while an MCU is walked. */
typedef struct Bits {
    uint64_t bits;           /* the first one highest; behind those that are held, the same as in memory, or zeros */
    int held;                /* of these, those that count */
    const unsigned char *at; /* the first byte that is not held */
} Bits;

typedef struct Reader {
    const unsigned char *from, *end; /* of the file, behind what the window holds */
    Bits next;
    size_t filled; /* bytes of the window */
    unsigned char window[WINDOW + MCU_BYTES];
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

static Step make_step(unsigned bits, unsigned advance) {
    return (Step)(bits + ADVANCE * advance);
}

static inline unsigned bits_of(Step step) {
    return step % ADVANCE;
}

static inline unsigned advance_by(Step step) {
    return step / ADVANCE;
}

/* The advance of a symbol of an AC table, or 0 for what 8-bit samples do not have. */
static unsigned advance_of(unsigned symbol) {
    const unsigned run = symbol >> 4, size = symbol & 15;
    if (size == 0)
        return run == 0 ? BLOCK_ENDS : run == 15 ? 16 : 0;
    return size <= AC_SIZE_MAX ? run + 1 : 0;
}

static Step step_of(unsigned length, unsigned symbol, bool is_dc) {
    return is_dc ? make_step(length, symbol) : make_step(length + (symbol & 15), advance_of(symbol));
}

/* Each code's step at all places that begin with it. No code is all ones (T.81, C.2): libjpeg refuses such a table. */
static bool fill(Table *table, bool is_dc) {
    unsigned code = 0, next = 0;
    for (unsigned i = 0; i < 1u << PEEK; i++)
        table->single[i] = make_step(0, LOST);
    for (unsigned length = 1; length <= CODE_MAX; length++, code <<= 1)
        for (unsigned i = 0; i < table->count[length]; i++, code++, next++) {
            const unsigned symbol = table->symbols[next];
            if ((code + 1) >> length != 0 || (is_dc ? symbol > DC_SIZE_MAX : advance_of(symbol) == 0))
                return false;
            const unsigned places = length <= PEEK ? 1u << (PEEK - length) : 0;
            for (unsigned k = 0; k < places; k++)
                table->single[code * places + k] = step_of(length, symbol, is_dc);
        }
    return true;
}

/* Codes must be in sight as a whole: what they say then does not depend on the bits behind. */
static void combine(Table *table) {
    for (unsigned i = 0; i < 1u << PEEK; i++) {
        Step all = table->single[i];
        while (bits_of(all) > 0 && bits_of(all) < PEEK && advance_by(all) < BLOCK_ENDS) {
            const Step next = table->single[i << bits_of(all) & ((1u << PEEK) - 1)];
            if (bits_of(next) == 0 || bits_of(all) + bits_of(next) > PEEK ||
                advance_by(all) + advance_by(next) % BLOCK_ENDS > BLOCK_LAST)
                break;
            all += next;
        }
        table->several[i] = all;
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
            combine(table);
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

/* Whether the window holds the interval to its end. */
static bool has_all(const Reader *reader) {
    return reader->filled < WINDOW;
}

/* Takes bytes in, without the zero that follows each FF, until the window is full or a marker, or the end, stands
 * there. Zeros behind that let an MCU be walked without asking where it ends. */
static void fill_window(Reader *reader) {
    reader->filled -= (size_t)(reader->next.at - reader->window);
    memmove(reader->window, reader->next.at, reader->filled);
    reader->next.at = reader->window;
    while (reader->filled < WINDOW && reader->from < reader->end) {
        const size_t left = (size_t)(reader->end - reader->from), room = WINDOW - reader->filled;
        const size_t most = left < room ? left : room;
        const unsigned char *ff = memchr(reader->from, 0xFF, most);
        const size_t plain = ff ? (size_t)(ff - reader->from) : most;
        memcpy(reader->window + reader->filled, reader->from, plain);
        reader->filled += plain;
        reader->from += plain;
        if (!ff)
            continue;
        if (left - plain < 2 || ff[1] != 0)
            break;
        reader->window[reader->filled++] = 0xFF;
        reader->from += 2;
    }
    if (has_all(reader))
        memset(reader->window + reader->filled, 0, sizeof reader->window - WINDOW);
}

/* Bits behind those that were dropped; negative: more were dropped than there are. */
static long bits_left(const Reader *reader) {
    return 8 * (reader->window + reader->filled - reader->next.at) + reader->next.held;
}

static void begin_interval(Reader *reader) {
    reader->next = (Bits){.at = reader->window};
    reader->filled = 0;
    fill_window(reader);
}

/* Eight bytes, the first one highest. */
static uint64_t load(const unsigned char *from) {
    uint64_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_bswap64(bytes);
}

/* To HELD or more. There is no branch in it: whether one is due nobody could predict. */
static inline void refill(Bits *next) {
    next->bits |= load(next->at) >> next->held;
    next->at += (63 - next->held) >> 3;
    next->held |= HELD;
}

static inline void drop(Bits *next, unsigned bits) {
    next->bits <<= bits;
    next->held -= (int)bits;
}

static inline size_t sight(uint64_t bits) {
    return bits >> (64 - PEEK);
}

/* Of one code, however long; of 0 bits if there is none. */
static inline Step find_step(const Table *table, uint64_t bits, bool is_dc) {
    const Step step = table->single[sight(bits)];
    if (bits_of(step) > 0)
        return step;
    unsigned first = 0, next = 0;
    for (unsigned length = 1; length <= CODE_MAX; length++, first <<= 1) {
        const unsigned code = (unsigned)(bits >> (64 - length)), count = table->count[length];
        if (code - first < count)
            return step_of(length, table->symbols[next + code - first], is_dc);
        first += count;
        next += count;
    }
    return 0;
}

/* The mean of a block: a difference follows its code, and is negative if its first bit is 0 (T.81, F.2.2.1). */
static inline bool walk_mean(const Table *table, Component *component, Bits *next) {
    const Step step = find_step(table, next->bits, true);
    const unsigned size = advance_by(step);
    drop(next, bits_of(step));
    const int value = (int)(next->bits >> 1 >> (63 - size)), negative = next->bits >> 63 ? 0 : (1 << size) - 1;
    drop(next, size);
    component->mean += value - negative;
    return step > 0 && component->mean <= MEAN_MAX && component->mean >= -MEAN_MAX;
}

/* Whether a block ends here: with its last value, or by the code for that before it. */
static inline bool ends_block(unsigned k) {
    return k == BLOCK_LAST || (k >= BLOCK_ENDS && k < BLOCK_ENDS + BLOCK_LAST);
}

/* From k on, as long as steps neither end the block, nor lead beyond it, nor are unknown; *step is the one that does.
 * Most of the time is spent here: one sum counts bits and values, and HELD bits are enough for two steps, of which the
 * second may be the caller's, by a code of any length. */
static inline unsigned walk_codes(const Table *table, unsigned k, Bits *next, Step *step) {
    const unsigned last = BLOCK_LAST * ADVANCE;
    uint64_t bits;
    unsigned sum = k * ADVANCE;
    for (;;) {
        bits = next->bits;
        *step = table->several[sight(bits)];
        if (sum + *step >= last)
            break;
        sum += *step;
        bits <<= bits_of(*step);
        *step = table->several[sight(bits)];
        if (sum + *step >= last)
            break;
        sum += *step;
        drop(next, sum % ADVANCE);
        refill(next);
        sum -= sum % ADVANCE;
    }
    drop(next, sum % ADVANCE);
    return sum / ADVANCE;
}

/* Where several codes lead too far, one of them is the block's last value, and what follows another block's. */
static inline bool walk_block(const Table *dc, const Table *ac, Component *component, Bits *next) {
    refill(next);
    if (!walk_mean(dc, component, next))
        return false;
    for (unsigned k = 0;;) {
        Step step;
        refill(next);
        k = walk_codes(ac, k, next, &step);
        if (!ends_block(k + advance_by(step)))
            step = find_step(ac, next->bits, false);
        drop(next, bits_of(step));
        k += advance_by(step);
        if (step == 0 || k >= BLOCK_LAST)
            return ends_block(k);
    }
}

static bool walk_mcu(Walk *walk) {
    Reader *reader = &walk->reader;
    if (!has_all(reader) && bits_left(reader) < 8 * MCU_BYTES)
        fill_window(reader);
    Bits next = reader->next;
    for (int i = 0; i < walk->count; i++) {
        Component *component = &walk->components[i];
        const Table *dc = &walk->dc[component->dc], *ac = &walk->ac[component->ac];
        for (int k = component->across * component->down; k > 0; k--)
            if (!walk_block(dc, ac, component, &next))
                return false;
    }
    reader->next = next;
    return bits_left(reader) >= 0;
}

/* What is left of a byte, and then this marker. */
static bool end_interval(Walk *walk, unsigned marker) {
    Reader *reader = &walk->reader;
    const long left = bits_left(reader);
    if (left >= 8 || !has_all(reader) || reader->end - reader->from < 2 || reader->from[1] != marker)
        return false;
    reader->from += 2;
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
    Reader *reader = &walk->reader;
    reader->from = walk->file.data + walk->at;
    reader->end = walk->file.data + walk->file.size;
    begin_interval(reader);
    for (size_t i = 0; i < count; i++) {
        if (walk->interval > 0 && i > 0 && i % walk->interval == 0) {
            if (!end_interval(walk, MARKER_RST0 + restarts++ % 8))
                return false;
            begin_interval(reader);
        }
        if (!walk_mcu(walk))
            return false;
    }
    return end_interval(walk, MARKER_EOI);
}

bool jpeg_is_plain(Bytes file, size_t *end) {
    Walk walk;
    memset(&walk, 0, offsetof(Walk, reader));
    walk.file = file;
    const bool plain = read_header(&walk) && walk_scan(&walk);
    *end = plain ? (size_t)(walk.reader.from - file.data) : 0;
    return plain;
}
