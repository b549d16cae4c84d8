/* heif_items.c: from item to item. */
#include "core/codec/heif_items.h"

#include "core/base/memory.h"

bool heif_item_read(const HeifItem *item, size_t at, unsigned char *to, size_t size) {
    for (size_t i = 0; i < item->count && size > 0; i++) {
        const size_t piece = item->pieces[i].size;
        if (at >= piece) {
            at -= piece;
            continue;
        }
        const size_t count = piece - at < size ? piece - at : size;
        if (!input_peek(item->file, item->pieces[i].at + at, to, count))
            return false;
        to += count;
        size -= count;
        at = 0;
    }
    return size == 0;
}

/* ---- places ---- */

/* A field of iloc, of a width that may be 0; `at` moves behind it. */
static size_t next(HeifLocations *locations, size_t width) {
    const size_t value = width > 0 ? (size_t)box_number(locations->file, locations->at, width) : 0;
    locations->at += width;
    return value;
}

HeifLocations heif_locations(Input *file, const Box *meta) {
    Box iloc, idat;
    HeifLocations locations = {.file = file};
    if (!box_find(file, meta->data + BOX_FULL, meta->end, "iloc", &iloc))
        return locations;
    if (box_find(file, meta->data + BOX_FULL, meta->end, "idat", &idat))
        locations.idat = idat.data;
    const size_t version = (size_t)box_number(file, iloc.data, 1);
    const size_t widths = (size_t)box_number(file, iloc.data + BOX_FULL, 2);
    locations.at = iloc.data + BOX_FULL + 2;
    locations.end = iloc.end;
    locations.id_width = version < 2 ? 2 : 4;
    locations.has_method = version > 0;
    locations.offset_width = widths >> 12;
    locations.length_width = widths >> 8 & 15;
    locations.base_width = widths >> 4 & 15;
    locations.index_width = version > 0 ? widths & 15 : 0;
    locations.left = next(&locations, locations.id_width);
    return locations;
}

bool heif_next_location(HeifLocations *locations, HeifItem *item) {
    const size_t file_size = locations->file->size;
    if (locations->left == 0 || locations->at >= locations->end || locations->at >= file_size)
        return false;
    locations->left--;
    *item = (HeifItem){.file = locations->file, .id = next(locations, locations->id_width)};
    const size_t method = locations->has_method ? next(locations, 2) & 15 : 0;
    locations->at += 2;
    const size_t base = next(locations, locations->base_width) + (method == 1 ? locations->idat : 0);
    item->count = next(locations, 2);
    for (size_t i = 0; i < item->count && item->count <= HEIF_PIECES; i++) {
        locations->at += locations->index_width;
        const size_t offset = base + next(locations, locations->offset_width);
        const size_t length = next(locations, locations->length_width);
        const size_t there = offset < file_size ? file_size - offset : 0;
        item->pieces[i].at = offset;
        item->pieces[i].size = length == 0 || length > there ? there : length;
        item->size = memory_sum(item->size, item->pieces[i].size);
    }
    return true;
}

/* ---- entries ---- */

bool heif_entries(Input *file, const Box *meta, size_t *at, size_t *end) {
    Box iinf;
    if (!box_find(file, meta->data + BOX_FULL, meta->end, "iinf", &iinf))
        return false;
    *at = iinf.data + BOX_FULL + (box_number(file, iinf.data, 1) ? 4 : 2);
    *end = iinf.end;
    return true;
}

bool heif_next_entry(Input *file, size_t *at, size_t end, HeifEntry *entry) {
    if (!box_at(file, *at, end, &entry->box))
        return false;
    const size_t width = box_number(file, entry->box.data, 1) > 2 ? 4 : 2;
    entry->id = box_number(file, entry->box.data + BOX_FULL, width);
    entry->type = box_number(file, entry->box.data + BOX_FULL + width + 2, 4);
    *at = entry->box.end;
    return true;
}
