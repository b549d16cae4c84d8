/* jpeg_gain_map.c: finding gain maps in JPEG files, and telling where they are. */
#include "core/codec/jpeg_gain_map.h"

#include "core/codec/jpeg_segments.h"

#include <stdlib.h>
#include <string.h>

static const char xmp_tag[] = JPEG_XMP_TAG;
enum { XMP_TAG = sizeof xmp_tag };

const char iso_gain_tag[] = "urn:iso:std:iso:ts:21496:-1";
_Static_assert(sizeof iso_gain_tag == ISO_GAIN_TAG, "with its zero");

/* A directory of CIPA DC-007 in the order of its bytes, big-endian: version, number of pictures, an entry for each. An
 * entry has attributes, size, place, and two pictures that it depends on. */
enum {
    MPF_TAG = 4,
    MPF_ENTRIES = 0xB002,
    MPF_ENTRY = 16, /* bytes */
    MPF_SIZE = 4,   /* byte of an entry; so is */
    MPF_PLACE = 8,
    MPF_LIST = 50, /* byte of our list, from the TIFF header on */
    PICTURES_MAX = 16,
    SEGMENTS_MAX = 64 /* of a map's header */
};

static const unsigned char directory[] = {'M',  'P', 'F', 0,        'M', 'M', 0, 42,
                                          0,    0,   0,   8,        0,   3, /* three tags: */
                                          0xB0, 0,   0,   7,        0,   0,   0, 4,
                                          '0',  '1', '0', '0', /* the version */
                                          0xB0, 1,   0,   4,        0,   0,   0, 1,
                                          0,    0,   0,   2, /* two pictures */
                                          0xB0, 2,   0,   7,        0,   0,   0, 2 * MPF_ENTRY,
                                          0,    0,   0,   MPF_LIST, 0,   0,   0, 0, /* the list; no more tags */
                                          0,    3,   0,   0,        0,   0,   0, 0,
                                          0,    0,   0,   0,        0,   0,   0, 0, /* the primary picture */
                                          0,    0,   0,   0,        0,   0,   0, 0,
                                          0,    0,   0,   0,        0,   0,   0, 0}; /* the other */

/* ---- finding ---- */

/* Places of pictures that a file names. */
typedef struct Places {
    size_t at[PICTURES_MAX], count;
} Places;

/* A number of `size` bytes at `at`; *good turns false if the file ends before. */
static size_t number_at(Input *file, size_t at, size_t size, bool big, bool *good) {
    unsigned char bytes[4];
    size_t number = 0;
    *good = *good && input_peek(file, at, bytes, size);
    for (size_t i = 0; *good && i < size; i++)
        number |= (size_t)bytes[big ? size - 1 - i : i] << 8 * i;
    return number;
}

/* The entries behind the first of a list, whose places count from the TIFF header at `base`. */
static void add_entries(Input *file, size_t base, size_t list, size_t count, bool big, Places *places) {
    bool good = true;
    for (size_t i = 1; i < count && places->count < PICTURES_MAX; i++) {
        const size_t place = number_at(file, base + list + MPF_ENTRY * i + MPF_PLACE, 4, big, &good);
        if (!good)
            return;
        places->at[places->count++] = base + place;
    }
}

static void read_directory(Input *file, size_t base, Places *places) {
    bool good = true;
    const bool big = number_at(file, base, 2, true, &good) == ('M' << 8 | 'M');
    const size_t first = base + number_at(file, base + 4, 4, big, &good);
    const size_t tags = number_at(file, first, 2, big, &good);
    for (size_t i = 0; good && i < tags && i < PICTURES_MAX; i++) {
        const size_t tag = first + 2 + 12 * i, name = number_at(file, tag, 2, big, &good);
        const size_t bytes = number_at(file, tag + 4, 4, big, &good), list = number_at(file, tag + 8, 4, big, &good);
        if (good && name == MPF_ENTRIES)
            add_entries(file, base, list, bytes / MPF_ENTRY, big, places);
    }
}

/* A segment's bytes behind its tag, in memory of the caller's; NULL without memory, or if the file ends before. */
static unsigned char *read_segment(Input *file, const JpegSegment *segment, size_t tag) {
    const size_t size = segment->size - tag;
    unsigned char *data = malloc(size + 1);
    if (data && input_peek(file, segment->at + tag, data, size))
        return data;
    free(data);
    return NULL;
}

static void add_announced(Input *file, const JpegSegment *segment, Places *places) {
    unsigned char *xmp = read_segment(file, segment, XMP_TAG);
    const size_t at = xmp ? gain_map_announced((const char *)xmp, segment->size - XMP_TAG, file->size) : 0;
    free(xmp);
    if (at > 0 && places->count < PICTURES_MAX)
        places->at[places->count++] = at;
}

static Places find_places(Input *file) {
    Places places = {.count = 0}, announced = {.count = 0};
    JpegSegment segment = {.at = 2};
    while (jpeg_next_segment(file, segment.at + segment.size, &segment) && segment.marker != JPEG_MARKER_SOS) {
        if (segment.marker == JPEG_MARKER_APP2 && jpeg_segment_begins(file, &segment, "MPF", MPF_TAG))
            read_directory(file, segment.at + MPF_TAG, &places);
        if (segment.marker == JPEG_MARKER_APP1 && jpeg_segment_begins(file, &segment, xmp_tag, XMP_TAG))
            add_announced(file, &segment, &announced);
    }
    return places.count > 0 ? places : announced;
}

/* The metadata of the picture that begins at `at`: those of ISO, if there are any, else those in XMP. */
static bool read_metadata(Input *file, size_t at, GainCurve *curve) {
    unsigned char begin[3];
    JpegSegment segment = {.at = at + 2};
    bool found = false;
    if (!input_peek(file, at, begin, sizeof begin) || memcmp(begin, "\xFF\xD8\xFF", sizeof begin) != 0)
        return false;
    for (int i = 0; i < SEGMENTS_MAX && jpeg_next_segment(file, segment.at + segment.size, &segment); i++) {
        const bool xmp = segment.marker == JPEG_MARKER_APP1 && jpeg_segment_begins(file, &segment, xmp_tag, XMP_TAG);
        const bool iso =
            segment.marker == JPEG_MARKER_APP2 && jpeg_segment_begins(file, &segment, iso_gain_tag, ISO_GAIN_TAG);
        if (segment.marker == JPEG_MARKER_SOS)
            break;
        if (!xmp && !iso)
            continue;
        const size_t tag = iso ? ISO_GAIN_TAG : XMP_TAG, size = segment.size - tag;
        unsigned char *data = read_segment(file, &segment, tag);
        GainCurve read;
        const bool good = data && (iso ? gain_curve_of_iso(data, size, &read)
                                       : !found && gain_curve_of_xmp((const char *)data, size, &read));
        free(data);
        if (good)
            *curve = read;
        found |= good;
        if (iso && good)
            break;
    }
    return found;
}

bool jpeg_gain_map_find(Input *file, JpegGainMap *found) {
    const Places places = find_places(file);
    for (size_t i = 0; i < places.count; i++)
        if (places.at[i] > 0 && read_metadata(file, places.at[i], &found->curve)) {
            found->at = places.at[i];
            found->alone = places.count == 1;
            return true;
        }
    return false;
}

/* ---- telling ---- */

ImageBlock jpeg_gain_map_directory(void) {
    return (ImageBlock){(unsigned char *)directory, sizeof directory};
}

static void put_u32(unsigned char *to, size_t value) {
    for (int i = 0; i < 4; i++)
        to[i] = (unsigned char)(value >> 8 * (3 - i));
}

Status jpeg_gain_map_append(Bytes *file, size_t *capacity, Bytes map) {
    Input input = input_of(*file);
    JpegSegment segment = {.at = 2};
    while (jpeg_next_segment(&input, segment.at + segment.size, &segment) && segment.marker != JPEG_MARKER_SOS) {
        if (segment.marker != JPEG_MARKER_APP2 || !jpeg_segment_begins(&input, &segment, "MPF", MPF_TAG))
            continue;
        const size_t base = segment.at + MPF_TAG;
        unsigned char *const list = file->data + base + MPF_LIST;
        put_u32(list + MPF_SIZE, file->size);
        put_u32(list + MPF_ENTRY + MPF_SIZE, map.size);
        put_u32(list + MPF_ENTRY + MPF_PLACE, file->size - base);
    }
    return bytes_append(file, capacity, map.data, map.size) ? STATUS_OK
                                                            : fail(STATUS_DEVICE, "no memory to encode JPEG");
}
