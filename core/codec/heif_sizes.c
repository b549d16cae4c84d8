/* heif_sizes.c: sequence headers of AV1 and parameter sets of HEVC, wherever a HEIF has them. */
#include "core/codec/heif_sizes.h"

#include "core/base/memory.h"
#include "core/codec/heif_items.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITEMS = 1 << 16,   /* numbers of items */
    UNITS = 1 << 20,   /* of all items */
    UNIT_BYTES = 1024, /* of a unit, in which its header is */
    HVCC_HEADER = 22,
    AV1C_HEADER = 4
};

typedef enum Coding { OTHER, AV1, HEVC } Coding;

typedef HeifItem Item;

/* The fields of a sequence header that frame headers depend on. */
typedef struct Sequence {
    size_t most; /* the pixels of a frame that says its size itself */
    bool known, reduced, has_times, has_ids, chooses_tools, forces_tools, chooses_vectors;
    unsigned time_bits, id_bits;
} Sequence;

typedef struct Search {
    Input *file;
    unsigned char codings[ITEMS]; /* of items, by their numbers */
    size_t pixels, units;
    Sequence sequence; /* of the item that is looked at */
} Search;

static void note_size(Search *search, size_t width, size_t height) {
    const size_t pixels = memory_product(width, height);
    search->pixels = pixels > search->pixels ? pixels : search->pixels;
}

static bool is(const Box *box, const char *type) {
    return memcmp(box->type, type, 4) == 0;
}

/* ---- bits ---- */

typedef struct Bits {
    unsigned char data[UNIT_BYTES]; /* zeros behind the unit's bytes */
    size_t at;                      /* bit */
} Bits;

static unsigned bit(Bits *bits) {
    const size_t at = bits->at++;
    return at / 8 < UNIT_BYTES ? (unsigned)bits->data[at / 8] >> (7 - at % 8) & 1 : 0;
}

static size_t number(Bits *bits, unsigned count) {
    size_t value = 0;
    while (count-- > 0)
        value = value << 1 | bit(bits);
    return value;
}

/* Exp-Golomb: as many bits behind the first 1 as there are zeros before it. */
static size_t golomb(Bits *bits) {
    unsigned zeros = 0;
    while (zeros < 32 && !bit(bits))
        zeros++;
    return number(bits, zeros) + ((size_t)1 << zeros) - 1;
}

/* ---- items ---- */

static void unit_bits(const Item *item, size_t at, size_t size, Bits *bits) {
    *bits = (Bits){.at = 0};
    (void)heif_item_read(item, at, bits->data, size < UNIT_BYTES ? size : UNIT_BYTES);
}

static size_t item_number(const Item *item, size_t at, size_t bytes) {
    unsigned char data[4] = {0};
    size_t value = 0;
    if (!heif_item_read(item, at, data, bytes))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        value = value << 8 | data[i];
    return value;
}

/* ---- AV1 ---- */

/* AV1 Bitstream Specification, 5.5.3 and 5.5.4: clocks. */
static void read_clocks(Bits *bits, Sequence *sequence, unsigned *delay_bits) {
    bool equal = false;
    if (bit(bits)) {
        number(bits, 64);
        equal = bit(bits);
        if (equal)
            golomb(bits);
        if (bit(bits)) {
            *delay_bits = (unsigned)number(bits, 5) + 1;
            number(bits, 32 + 5);
            sequence->time_bits = (unsigned)number(bits, 5) + 1;
            sequence->has_times = !equal;
        }
    }
}

static void read_points(Bits *bits, unsigned delay_bits) {
    const bool has_delay = bit(bits);
    for (size_t left = number(bits, 5) + 1; left > 0; left--) {
        number(bits, 12);
        if (number(bits, 5) > 7)
            bit(bits);
        if (delay_bits > 0 && bit(bits))
            number(bits, 2 * delay_bits + 1);
        if (has_delay && bit(bits))
            number(bits, 4);
    }
}

/* Tools that frames' headers ask for, up to the last that decides where the size stands. */
static void read_tools(Bits *bits, Sequence *sequence) {
    sequence->has_ids = bit(bits);
    if (sequence->has_ids) {
        const unsigned delta = (unsigned)number(bits, 4) + 2;
        sequence->id_bits = (unsigned)number(bits, 3) + delta + 1;
    }
    number(bits, 3 + 4);
    if (bit(bits)) /* order hints */
        number(bits, 2);
    sequence->chooses_tools = bit(bits);
    sequence->forces_tools = sequence->chooses_tools || bit(bits);
    sequence->chooses_vectors = !sequence->forces_tools || bit(bits);
}

/* Sequence header OBU, 5.5.1. */
static void read_sequence(Search *search, Bits *bits) {
    Sequence *sequence = &search->sequence;
    unsigned delay_bits = 0;
    *sequence = (Sequence){.known = true};
    number(bits, 3 + 1);
    sequence->reduced = bit(bits);
    if (sequence->reduced) {
        number(bits, 5);
    } else {
        read_clocks(bits, sequence, &delay_bits);
        read_points(bits, delay_bits);
    }
    const unsigned width_bits = (unsigned)number(bits, 4) + 1, height_bits = (unsigned)number(bits, 4) + 1;
    const size_t width = number(bits, width_bits) + 1, height = number(bits, height_bits) + 1;
    sequence->most = (size_t)1 << (width_bits + height_bits);
    note_size(search, width, height);
    if (!sequence->reduced)
        read_tools(bits, sequence);
}

/* Uncompressed header, 5.9.2, up to frame_size_override_flag. */
static bool says_its_size(const Sequence *sequence, Bits *bits) {
    enum { KEY = 0, SWITCH = 3 };
    if (!sequence->known || sequence->reduced || bit(bits)) /* it shows a frame that is there */
        return false;
    const size_t kind = number(bits, 2);
    const bool shown = bit(bits);
    if (shown && sequence->has_times)
        number(bits, sequence->time_bits);
    if (!shown)
        bit(bits);
    if (kind != SWITCH && !(kind == KEY && shown))
        bit(bits);
    bit(bits);
    const bool tools = sequence->chooses_tools ? bit(bits) : sequence->forces_tools;
    if (tools && sequence->chooses_vectors)
        bit(bits);
    if (sequence->has_ids)
        number(bits, sequence->id_bits);
    return kind == SWITCH || bit(bits);
}

static void read_obus(Search *search, const Item *item, size_t at) {
    enum { SEQUENCE = 1, FRAME_HEADER = 3, FRAME = 6, REDUNDANT = 7 };
    search->sequence = (Sequence){.known = false};
    for (; at < item->size && search->units < UNITS; search->units++) {
        const size_t header = item_number(item, at, 1), kind = header >> 3 & 15;
        size_t size = 0, shift = 0, byte = 0x80;
        at += header & 4 ? 2 : 1;
        for (; header & 2 && byte & 0x80 && shift < 56 && at < item->size; shift += 7) {
            byte = item_number(item, at++, 1);
            size |= (byte & 0x7F) << shift;
        }
        const size_t left = at < item->size ? item->size - at : 0;
        size = !(header & 2) || size > left ? left : size;
        Bits bits;
        if (kind == SEQUENCE || kind == FRAME_HEADER || kind == FRAME || kind == REDUNDANT)
            unit_bits(item, at, size, &bits);
        if (kind == SEQUENCE)
            read_sequence(search, &bits);
        else if ((kind == FRAME_HEADER || kind == FRAME || kind == REDUNDANT) &&
                 says_its_size(&search->sequence, &bits) && search->sequence.most > search->pixels)
            search->pixels = search->sequence.most;
        at += size;
    }
}

/* ---- HEVC ---- */

/* A zero, a zero and a 3: the 3 was put between so that no start code comes to be (H.265, 7.3.1.1). */
static void drop_guards(Bits *bits) {
    size_t to = 0;
    for (size_t from = 0; from < UNIT_BYTES; from++)
        if (from < 2 || bits->data[from] != 3 || bits->data[from - 1] != 0 || to < 2 || bits->data[to - 1] != 0 ||
            bits->data[to - 2] != 0)
            bits->data[to++] = bits->data[from];
}

/* profile_tier_level, 7.3.3. */
static void skip_profile(Bits *bits, size_t layers) {
    unsigned flags[8] = {0};
    number(bits, 64);
    number(bits, 24 + 8);
    for (size_t i = 0; i < layers; i++)
        flags[i] = (unsigned)number(bits, 2);
    for (size_t i = layers; i < 8 && layers > 0; i++)
        number(bits, 2);
    for (size_t i = 0; i < layers; i++) {
        if (flags[i] & 2) {
            number(bits, 64);
            number(bits, 24);
        }
        if (flags[i] & 1)
            number(bits, 8);
    }
}

/* A network unit; of a parameter set, the size of pictures. */
static void read_unit(Search *search, const Item *item, size_t at, size_t size) {
    enum { PARAMETERS = 33 };
    Bits bits;
    search->units++;
    if ((item_number(item, at, 1) >> 1 & 63) != PARAMETERS)
        return;
    unit_bits(item, at, size, &bits);
    drop_guards(&bits);
    bits.at = 16 + 4;
    const size_t layers = number(&bits, 3);
    bit(&bits);
    skip_profile(&bits, layers);
    golomb(&bits);
    if (golomb(&bits) == 3)
        bit(&bits);
    const size_t width = golomb(&bits);
    note_size(search, width, golomb(&bits));
}

/* Units of an item: each behind its length, in up to four bytes. */
static void read_units(Search *search, const Item *item) {
    size_t width = 4;
    for (size_t at = 0; at + width < item->size && search->units < UNITS;) {
        const size_t size = item_number(item, at, width), left = item->size - at - width;
        read_unit(search, item, at + width, size < left ? size : left);
        at += width + (size < left ? size : left);
    }
}

/* The parameter sets of hvcC (ISO/IEC 14496-15, 8.3.3.1). */
static void read_sets(Search *search, const Item *item) {
    size_t at = HVCC_HEADER + 1;
    for (size_t arrays = item_number(item, HVCC_HEADER, 1); arrays > 0; arrays--) {
        size_t count = item_number(item, at + 1, 2);
        for (at += 3; count > 0 && at < item->size && search->units < UNITS; count--) {
            const size_t size = item_number(item, at, 2);
            read_unit(search, item, at + 2, size);
            at += 2 + size;
        }
    }
}

/* ---- boxes ---- */

static Item item_of(Input *file, const Box *box, size_t skip) {
    Item item = {.file = file, .count = 1};
    const size_t end = box->end < file->size ? box->end : file->size;
    item.pieces[0].at = box->data + skip;
    item.size = item.pieces[0].size = end > box->data + skip ? end - box->data - skip : 0;
    return item;
}

static void read_properties(Search *search, const Box *meta) {
    Box iprp, ipco, one;
    if (!box_find(search->file, meta->data + BOX_FULL, meta->end, "iprp", &iprp) ||
        !box_find(search->file, iprp.data, iprp.end, "ipco", &ipco))
        return;
    for (size_t at = ipco.data; search->units < UNITS && box_at(search->file, at, ipco.end, &one); at = one.end) {
        search->units++;
        if (is(&one, "av1C")) {
            const Item item = item_of(search->file, &one, AV1C_HEADER);
            read_obus(search, &item, 0);
        } else if (is(&one, "hvcC")) {
            const Item item = item_of(search->file, &one, 0);
            read_sets(search, &item);
        }
    }
}

static void find_codings(Search *search, const Box *meta) {
    size_t at, end;
    HeifEntry entry;
    if (!heif_entries(search->file, meta, &at, &end))
        return;
    while (search->units < UNITS && heif_next_entry(search->file, &at, end, &entry)) {
        const uint64_t type = entry.type;
        search->units++;
        const Coding coding = type == 0x61763031 ? AV1 : type == 0x68766331 || type == 0x68657631 ? HEVC : OTHER;
        if (entry.id < ITEMS)
            search->codings[entry.id] = (unsigned char)coding;
        else if (coding != OTHER)
            search->units = UNITS;
    }
}

static void read_item(Search *search, const Item *item, Coding coding) {
    if (coding == AV1)
        read_obus(search, item, 0);
    else if (coding == HEVC)
        read_units(search, item);
}

/* Items that say where their data are. */
static void read_items(Search *search, const Box *meta) {
    HeifLocations locations = heif_locations(search->file, meta);
    Item item;
    while (search->units < UNITS && heif_next_location(&locations, &item)) {
        search->units += 1 + item.count;
        if (item.count > HEIF_PIECES) {
            search->units = UNITS;
            return;
        }
        read_item(search, &item, item.id < ITEMS ? (Coding)search->codings[item.id] : OTHER);
    }
}

size_t heif_coded_pixels(Input *file) {
    Search *search = calloc(1, sizeof *search);
    Box box;
    if (!search)
        return SIZE_MAX;
    search->file = file;
    for (size_t at = 0; search->units < UNITS && box_at(file, at, file->size, &box); at = box.end, search->units++)
        if (is(&box, "meta")) {
            find_codings(search, &box);
            read_properties(search, &box);
            read_items(search, &box);
        } else if (file->size == SIZE_MAX && is(&box, "mdat"))
            break;
    const size_t pixels = search->units < UNITS ? search->pixels : SIZE_MAX;
    free(search);
    return pixels;
}
