/* heif_boxes.c: sequences, films and gain maps, which libheif 1.15 passes over; and turns of pictures with alpha. HEIF
 * (ISO/IEC 23008-12, 6.5.10 and 6.5.12) turns the alpha of such a picture as its colours. Where the alpha has no turn
 * of its own, the library turns the colours alone, or leaves alpha out. The turns are therefore hidden from it. */
#include "core/codec/heif_boxes.h"

#include "core/codec/boxes.h"
#include "core/image/image.h"

#include <string.h>

enum { FULL = 4 /* bytes of version and flags */, IDS = 8, PROPERTIES = 256 };

typedef struct Meta {
    Input *file;
    Box iprp;
    Box properties[PROPERTIES]; /* by their numbers less 1 */
    size_t property_count;
    uint64_t ids[IDS]; /* the primary picture, and those that belong to it */
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
    if (!box_find(file, meta->data + FULL, meta->end, "pitm", &pitm))
        return 0;
    return box_number(file, pitm.data + FULL, version_of(file, &pitm) ? 4 : 2);
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
    if (!box_find(meta->file, box->data + FULL, box->end, "iref", &iref))
        return;
    const size_t width = version_of(meta->file, &iref) ? 4 : 2;
    for (size_t at = iref.data + FULL; box_at(meta->file, at, iref.end, &one) && meta->count < IDS; at = one.end)
        if (is(&one, "auxl") && box_number(meta->file, one.data + width, 2) > 0 &&
            box_number(meta->file, one.data + width + 2, width) == meta->ids[0] &&
            !is_listed(meta, box_number(meta->file, one.data, width)))
            meta->ids[meta->count++] = box_number(meta->file, one.data, width);
}

/* Lists the properties once, however often items name them. False if there are none. */
static bool find_properties(Meta *meta, const Box *box) {
    Box ipco;
    if (!box_find(meta->file, box->data + FULL, box->end, "iprp", &meta->iprp) ||
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
            if (boxes->count == HEIF_PATCHES)
                return false;
            boxes->patches[boxes->count++] = at + k;
        }
    }
    return true;
}

static bool hide_all_turns(const Meta *meta, unsigned *turn, HeifBoxes *boxes) {
    Box ipma;
    for (size_t at = meta->iprp.data; box_find(meta->file, at, meta->iprp.end, "ipma", &ipma); at = ipma.end) {
        const size_t id_width = version_of(meta->file, &ipma) ? 4 : 2;
        const size_t width = box_number(meta->file, ipma.data + 3, 1) & 1 ? 2 : 1;
        const uint64_t entries = box_number(meta->file, ipma.data + FULL, 4);
        size_t entry = ipma.data + FULL + 4;
        for (uint64_t i = 0; i < entries && entry < ipma.end && entry < meta->file->size; i++) {
            const uint64_t id = box_number(meta->file, entry, id_width);
            const size_t count = box_number(meta->file, entry + id_width, 1), from = entry + id_width + 1;
            for (size_t k = 0; k < meta->count; k++)
                if (meta->ids[k] == id && !hide_turns(meta, from, count, width, k == 0, turn, boxes))
                    return false;
            entry = from + count * width;
        }
    }
    return true;
}

/* Only where there may be alpha: the library turns all else as it should. */
static void find_turn(Input *file, const Box *box, HeifBoxes *boxes) {
    Meta meta = {.file = file, .ids = {primary_of(file, box)}, .count = 1};
    unsigned turn = 0;
    find_auxiliaries(&meta, box);
    const bool turns = meta.count > 1 && find_properties(&meta, box) && hide_all_turns(&meta, &turn, boxes);
    if (!turns)
        boxes->count = 0;
    for (int orientation = 1; orientation <= 8 && turns; orientation++)
        if (orientation_turn(orientation) == turn)
            boxes->orientation = orientation;
}

/* A picture that is made of another one and its gain map. */
static bool has_gain_map(Input *file, const Box *meta) {
    Box iinf, infe;
    if (!box_find(file, meta->data + FULL, meta->end, "iinf", &iinf))
        return false;
    const size_t first = iinf.data + FULL + (version_of(file, &iinf) ? 4 : 2);
    for (size_t at = first; box_at(file, at, iinf.end, &infe); at = infe.end) {
        const size_t type = infe.data + FULL + (version_of(file, &infe) > 2 ? 4 : 2) + 2;
        if (is(&infe, "infe") && box_number(file, type, 4) == 0x746D6170) /* tmap */
            return true;
    }
    return false;
}

HeifBoxes heif_boxes(Input *file) {
    HeifBoxes boxes = {.orientation = 1};
    Box box;
    for (size_t at = 0; box_at(file, at, file->size, &box); at = box.end) {
        if (is(&box, "meta")) {
            boxes.still = true;
            boxes.extras |= has_gain_map(file, &box) ? EXTRA_BESIDE : 0u;
            find_turn(file, &box, &boxes);
        }
        boxes.extras |= is(&box, "moov") ? EXTRA_FRAMES : is(&box, "mpvd") ? EXTRA_BESIDE : 0u;
        if (file->size == SIZE_MAX && is(&box, "mdat"))
            break;
    }
    return boxes;
}
