/* heif_items.h: the items of a HEIF or AVIF and where their data lie (ISO/IEC 14496-12, 8.11). */
#ifndef GLINT_CORE_CODEC_HEIF_ITEMS_H
#define GLINT_CORE_CODEC_HEIF_ITEMS_H

#include "core/codec/boxes.h"

enum { BOX_FULL = 4 /* bytes of version and flags */, HEIF_PIECES = 32 /* of an item's data, at most */ };

/* An item's data: pieces of the file, one behind the other. */
typedef struct HeifItem {
    Input *file;
    uint64_t id;
    struct {
        size_t at, size;
    } pieces[HEIF_PIECES];
    size_t count; /* of pieces; more than HEIF_PIECES: the item is none that can be read */
    size_t size;  /* bytes of all */
} HeifItem;

/* Copies bytes of an item; false if it, or the file, ends before. */
bool heif_item_read(const HeifItem *item, size_t at, unsigned char *to, size_t size);

/* A box "iloc" that is read from item to item. */
typedef struct HeifLocations {
    Input *file;
    size_t at, end, left, idat;
    size_t id_width, offset_width, length_width, base_width, index_width;
    bool has_method;
} HeifLocations;

/* Begins with the items of a box "meta"; without places there are none. */
HeifLocations heif_locations(Input *file, const Box *meta);
/* The next item; false at the end. */
bool heif_next_location(HeifLocations *locations, HeifItem *item);

/* Entries of a box "iinf", one after the other. */
typedef struct HeifEntry {
    Box box;
    uint64_t id, type; /* the letters of the type as a number */
} HeifEntry;

/* The first byte of the entries of a box "meta", and where they end; false without any. */
bool heif_entries(Input *file, const Box *meta, size_t *at, size_t *end);
/* The entry at *at, which moves behind it; false at the end. */
bool heif_next_entry(Input *file, size_t *at, size_t end, HeifEntry *entry);

#endif
