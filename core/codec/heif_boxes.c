/* heif_boxes.c: sequences, films and gain maps, which libheif 1.15 passes over; and turns of pictures with alpha or a
 * map. HEIF (ISO/IEC 23008-12, 6.5.10 and 6.5.12) turns the alpha of such a picture as its colours. Where the alpha has
 * no turn of its own, the library turns the colours alone, or leaves alpha out. The turns are therefore hidden from it.
 */
#include "core/codec/heif_boxes.h"

#include "core/codec/heif_items.h"
#include "core/image/image.h"

#include <string.h>

enum { IDS = 8, PROPERTIES = 256 };

typedef struct Meta {
    Input *file;
    Box iprp;
    Box properties[PROPERTIES]; /* by their numbers less 1 */
    size_t property_count;
    uint64_t ids[IDS]; /* the primary picture, and those that belong to it: alpha, a gain map */
    size_t count;
} Meta;

static bool is(const Box *box, const char *type) {
    return memcmp(box->type, type, 4) == 0;
}

static uint64_t version_of(Input *file, const Box *box) {
    return box_number(file, box->data, 1);
}

static uint64_t primary_of(Input *file, const Box *meta) {
    Box pitm;
    if (!box_find(file, meta->data + BOX_FULL, meta->end, "pitm", &pitm))
        return 0;
    return box_number(file, pitm.data + BOX_FULL, version_of(file, &pitm) ? 4 : 2);
}

static bool is_listed(const Meta *meta, uint64_t id) {
    size_t k = 0;
    while (k < meta->count && meta->ids[k] != id)
        k++;
    return k < meta->count;
}

/* Lists the items that are auxiliary to the primary picture. */
static void find_auxiliaries(Meta *meta, const Box *box) {
    Box iref, one;
    if (!box_find(meta->file, box->data + BOX_FULL, box->end, "iref", &iref))
        return;
    const size_t width = version_of(meta->file, &iref) ? 4 : 2;
    for (size_t at = iref.data + BOX_FULL; box_at(meta->file, at, iref.end, &one) && meta->count < IDS; at = one.end)
        if (is(&one, "auxl") && box_number(meta->file, one.data + width, 2) > 0 &&
            box_number(meta->file, one.data + width + 2, width) == meta->ids[0] &&
            !is_listed(meta, box_number(meta->file, one.data, width)))
            meta->ids[meta->count++] = box_number(meta->file, one.data, width);
}

/* Lists the properties once, however often items name them. False if there are none. */
static bool find_properties(Meta *meta, const Box *box) {
    Box ipco;
    if (!box_find(meta->file, box->data + BOX_FULL, box->end, "iprp", &meta->iprp) ||
        !box_find(meta->file, meta->iprp.data, meta->iprp.end, "ipco", &ipco))
        return false;
    for (size_t at = ipco.data; meta->property_count < PROPERTIES; meta->property_count++) {
        Box *property = &meta->properties[meta->property_count];
        if (!box_at(meta->file, at, ipco.end, property))
            break;
        at = property->end;
    }
    return true;
}

/* Joins a turn and a second one after it; turns say where pixels come from. */
static unsigned both_turns(unsigned first, unsigned then) {
    const unsigned mirrors = then & 3, crossed = (mirrors >> 1) | (mirrors << 1 & 2);
    return (first ^ (first & TURN_SWAP ? crossed : mirrors)) ^ (then & TURN_SWAP);
}

/* The turn of irot, by so many quarters against the clock, and of imir, up and down or left and right; else 0. */
static unsigned turn_of(const Meta *meta, const Box *property) {
    static const unsigned quarters[4] = {0, TURN_SWAP | TURN_MIRROR_X, TURN_MIRROR_X | TURN_MIRROR_Y,
                                         TURN_SWAP | TURN_MIRROR_Y};
    const uint64_t value = box_number(meta->file, property->data, 1);
    return is(property, "irot") ? quarters[value & 3] : value & 1 ? TURN_MIRROR_X : TURN_MIRROR_Y;
}

/* The properties of an item; *turn is the turn that those of the primary picture make. False if they crop, too. */
static bool hide_turns(const Meta *meta, size_t at, size_t count, size_t width, bool primary, unsigned *turn,
                       HeifBoxes *boxes) {
    for (size_t i = 0; i < count; i++, at += width) {
        const uint64_t number = box_number(meta->file, at, width) & (width == 1 ? 0x7F : 0x7FFF);
        if (number == 0 || number > meta->property_count)
            continue;
        const Box *property = &meta->properties[number - 1];
        if (is(property, "clap"))
            return false;
        if (!is(property, "irot") && !is(property, "imir"))
            continue;
        if (primary)
            *turn = both_turns(*turn, turn_of(meta, property));
        for (size_t k = 0; k < width; k++) {
            if (boxes->count == HEIF_PATCHES - 1) /* one is for a map's */
                return false;
            boxes->patches[boxes->count++] = at + k;
        }
    }
    return true;
}

/* The numbers of an item's properties, of `width` bytes each, as boxes "ipma" list them. */
typedef struct Listed {
    Box ipma;
    uint64_t left; /* items behind it in this box */
    size_t next;   /* of them, the first */
    uint64_t id;
    size_t at, count, width;
} Listed;

/* The next item; from {0} on, the first. False at the end. */
static bool next_listed(const Meta *meta, Listed *item) {
    Input *file = meta->file;
    while (item->left == 0 || item->next >= item->ipma.end || item->next >= file->size) {
        const size_t from = item->width ? item->ipma.end : meta->iprp.data;
        if (!box_find(file, from, meta->iprp.end, "ipma", &item->ipma))
            return false;
        item->width = box_number(file, item->ipma.data + 3, 1) & 1 ? 2 : 1;
        item->left = box_number(file, item->ipma.data + BOX_FULL, 4);
        item->next = item->ipma.data + BOX_FULL + 4;
    }
    const size_t id_width = version_of(file, &item->ipma) ? 4 : 2;
    item->id = box_number(file, item->next, id_width);
    item->count = box_number(file, item->next + id_width, 1);
    item->at = item->next + id_width + 1;
    item->next = item->at + item->count * item->width;
    item->left--;
    return true;
}

static bool hide_all_turns(const Meta *meta, unsigned *turn, HeifBoxes *boxes) {
    Listed item = {.left = 0};
    while (next_listed(meta, &item))
        for (size_t k = 0; k < meta->count; k++)
            if (meta->ids[k] == item.id && !hide_turns(meta, item.at, item.count, item.width, k == 0, turn, boxes))
                return false;
    return true;
}

/* Only where there may be alpha or a map: the library turns all else as it should. */
static void find_turn(Input *file, const Box *box, HeifBoxes *boxes) {
    Meta meta = {.file = file, .ids = {primary_of(file, box)}, .count = 1};
    unsigned turn = 0;
    if (boxes->map.id > 0)
        meta.ids[meta.count++] = boxes->map.id;
    find_auxiliaries(&meta, box);
    const bool turns = meta.count > 1 && find_properties(&meta, box) && hide_all_turns(&meta, &turn, boxes);
    if (!turns)
        boxes->count = 0;
    for (int orientation = 1; orientation <= 8 && turns; orientation++)
        if (orientation_turn(orientation) == turn)
            boxes->orientation = orientation;
}

/* ---- gain maps ---- */

enum { TONE_MAP = 0x746D6170 /* "tmap" */ };

/* The item of a picture that is made of another one and its gain map; 0 without one. */
static uint64_t find_tone_map(Input *file, const Box *meta) {
    size_t at, end;
    HeifEntry entry;
    if (heif_entries(file, meta, &at, &end))
        while (heif_next_entry(file, &at, end, &entry))
            if (entry.type == TONE_MAP)
                return entry.id;
    return 0;
}

/* The map that such an item is made of, with the primary picture: its second part. Else 0. */
static uint64_t find_map(Input *file, const Box *meta, uint64_t tone_map) {
    Box iref, one;
    if (!box_find(file, meta->data + BOX_FULL, meta->end, "iref", &iref))
        return 0;
    const size_t width = version_of(file, &iref) ? 4 : 2;
    for (size_t at = iref.data + BOX_FULL; box_at(file, at, iref.end, &one); at = one.end)
        if (is(&one, "dimg") && box_number(file, one.data, width) == tone_map)
            return box_number(file, one.data + width, 2) == 2 &&
                           box_number(file, one.data + width + 2, width) == primary_of(file, meta)
                       ? box_number(file, one.data + 2 * width + 2, width)
                       : 0;
    return 0;
}

/* The data of such an item: a version, 0, and the metadata of ISO 21496-1. */
static bool read_curve(Input *file, const Box *meta, uint64_t tone_map, GainCurve *curve) {
    unsigned char data[1 + ISO_GAIN_MAX];
    HeifLocations locations = heif_locations(file, meta);
    HeifItem item;
    while (heif_next_location(&locations, &item))
        if (item.id == tone_map)
            return item.count <= HEIF_PIECES && item.size > 0 && item.size <= sizeof data &&
                   heif_item_read(&item, 0, data, item.size) && data[0] == 0 &&
                   gain_curve_of_iso(data + 1, item.size - 1, curve);
    return false;
}

/* The byte by whose last bit the file hides an item from lists; 0 where it does not. */
static size_t find_hiding(Input *file, const Box *meta, uint64_t id) {
    size_t at, end;
    HeifEntry entry;
    if (heif_entries(file, meta, &at, &end))
        while (heif_next_entry(file, &at, end, &entry))
            if (entry.id == id)
                return box_number(file, entry.box.data + 3, 1) & 1 ? entry.box.data + 3 : 0;
    return 0;
}

static void find_gain_map(Input *file, const Box *meta, HeifBoxes *boxes) {
    const uint64_t tone_map = find_tone_map(file, meta), id = tone_map ? find_map(file, meta, tone_map) : 0;
    if (tone_map == 0 || boxes->map.id > 0)
        return;
    if (id > 0 && read_curve(file, meta, tone_map, &boxes->map.curve)) {
        boxes->map.id = id;
        boxes->map.hiding = find_hiding(file, meta, id);
    } else
        boxes->extras |= EXTRA_BESIDE;
}

/* As the property "pixi" says. */
static int channels_in(const Meta *meta, const Listed *item) {
    for (size_t i = 0; i < item->count; i++) {
        const size_t number =
            box_number(meta->file, item->at + i * item->width, item->width) & (item->width == 1 ? 0x7F : 0x7FFF);
        if (number > 0 && number <= meta->property_count && is(&meta->properties[number - 1], "pixi"))
            return (int)box_number(meta->file, meta->properties[number - 1].data + BOX_FULL, 1);
    }
    return 0;
}

int heif_item_channels(Input *file, uint64_t id) {
    Box box;
    Listed item = {.left = 0};
    Meta meta = {.file = file};
    if (box_find(file, 0, file->size, "meta", &box) && find_properties(&meta, &box))
        while (next_listed(&meta, &item))
            if (item.id == id)
                return channels_in(&meta, &item);
    return 0;
}

/* ---- all of it ---- */

HeifBoxes heif_boxes(Input *file) {
    HeifBoxes boxes = {.orientation = 1};
    Box box;
    for (size_t at = 0; box_at(file, at, file->size, &box); at = box.end) {
        if (is(&box, "meta")) {
            boxes.still = true;
            find_gain_map(file, &box, &boxes);
            find_turn(file, &box, &boxes);
        }
        boxes.extras |= is(&box, "moov") ? EXTRA_FRAMES : is(&box, "mpvd") ? EXTRA_BESIDE : 0u;
        if (file->size == SIZE_MAX && is(&box, "mdat"))
            break;
    }
    if (boxes.map.hiding > 0)
        boxes.patches[boxes.count++] = boxes.map.hiding;
    return boxes;
}
