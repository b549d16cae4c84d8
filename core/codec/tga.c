/* tga.c: reading TGA (Truevision TGA file format specification 2.0).
 * It has no signature: a file is one if every field of its header makes sense. */
#include "core/codec/formats.h"

#include <string.h>

enum { HEADER = 18, MAPPED = 1, COLOUR = 2, GRAY = 3, RIGHT_TO_LEFT = 0x10, TOP_DOWN = 0x20 };

typedef struct Tga {
    size_t id, map, map_first, map_length, map_bits, type, width, height, bits, flags;
    bool packed; /* run lengths */
} Tga;

static Tga read_header(Bytes file) {
    const unsigned char *b = file.data;
    return (Tga){b[0],  b[1],  u16_at(file, 3), u16_at(file, 5), b[7], b[2] & 7u, u16_at(file, 12), u16_at(file, 14),
                 b[16], b[17], (b[2] & 8) != 0};
}

static bool colour_bits(size_t bits) {
    return bits == 15 || bits == 16 || bits == 24 || bits == 32;
}

static bool tga_recognize(Bytes file) {
    if (file.size < HEADER)
        return false;
    const Tga tga = read_header(file);
    const bool map_is_there = tga.map == 1 && tga.map_length > 0 && colour_bits(tga.map_bits);
    const bool map_fits = tga.type == MAPPED ? map_is_there : tga.map == 0 || tga.map_length == 0 || map_is_there;
    const bool bits_fit = tga.type == COLOUR ? colour_bits(tga.bits) : tga.bits == 8 || tga.bits == 16;
    return (file.data[2] & 0xF0) == 0 && tga.type >= MAPPED && tga.type <= GRAY && map_fits && bits_fit &&
           tga.width > 0 && tga.height > 0 && tga.map <= 1 && (tga.flags & 0xC0) == 0;
}

/* One stored pixel or map entry of `bits` bits as channels; the sixteenth bit means nothing that programs agree on. */
static void unpack(const unsigned char *from, size_t bits, bool gray, unsigned char *to) {
    if (gray) {
        memcpy(to, from, bits / 8);
    } else if (bits <= 16) {
        const unsigned value = from[0] | (unsigned)from[1] << 8;
        for (size_t c = 0; c < 3; c++)
            to[c] = (unsigned char)(((value >> (10 - 5 * c) & 31) * 255 + 15) / 31);
    } else {
        to[0] = from[2];
        to[1] = from[1];
        to[2] = from[0];
        if (bits == 32)
            to[3] = from[3];
    }
}

static Status read_pixel(const Tga *tga, Bytes file, size_t at, unsigned char *to) {
    const unsigned char *from = file.data + at;
    if (tga->type != MAPPED) {
        unpack(from, tga->bits, tga->type == GRAY, to);
        return STATUS_OK;
    }
    const size_t index = tga->bits == 8 ? from[0] : u16_at(file, at);
    if (index < tga->map_first || index - tga->map_first >= tga->map_length)
        return fail(STATUS_INPUT, "damaged TGA: a pixel of colour %zu, but there are %zu to %zu", index, tga->map_first,
                    tga->map_first + tga->map_length - 1);
    const size_t entry = (tga->map_bits + 7) / 8;
    unpack(file.data + HEADER + tga->id + (index - tga->map_first) * entry, tga->map_bits, false, to);
    return STATUS_OK;
}

/* Pixels `at` on in the order of the file; a packet may go on in the next row but not behind the last. */
static Status read_pixels(const Tga *tga, Bytes file, size_t at, Image *image) {
    const size_t size = (tga->bits + 7) / 8, channels = (size_t)image->view.shape.channels;
    size_t left = tga->packed ? 0 : tga->width * tga->height;
    bool run = false;
    for (size_t y = 0; y < tga->height; y++) {
        TRY(decoding_goes_on());
        unsigned char *row = view_row(image->view, tga->flags & TOP_DOWN ? y : tga->height - 1 - y);
        for (size_t x = 0; x < tga->width; x++) {
            if (left == 0) {
                if (at >= file.size)
                    return file_ends_early("TGA");
                run = file.data[at] & 0x80;
                left = (file.data[at++] & 0x7Fu) + 1;
            }
            if (size > file.size - at)
                return file_ends_early("TGA");
            TRY(read_pixel(tga, file, at, row + channels * (tga->flags & RIGHT_TO_LEFT ? tga->width - 1 - x : x)));
            left--;
            if (!run || left == 0)
                at += size;
        }
    }
    return left == 0 ? STATUS_OK : fail(STATUS_INPUT, "damaged TGA: its runs are longer than the picture");
}

static Shape shape_of(const Tga *tga) {
    const size_t bits = tga->type == MAPPED ? tga->map_bits : tga->bits;
    return (Shape){tga->width, tga->height, tga->type == GRAY ? (int)bits / 8 : bits == 32 ? 4 : 3, PIXEL_U8};
}

/* Pictures of other types may have a map, too, for programs that show them on screens of few colours. */
static size_t pixels_begin(const Tga *tga) {
    return HEADER + tga->id + (tga->map == 1 ? tga->map_length * ((tga->map_bits + 7) / 8) : 0);
}

static Status tga_measure(Input *file, Measure *measure) {
    enum { RUN_MAX = 128 };
    const Tga tga = read_header(file->bytes);
    const size_t pixel = (tga.bits + 7) / 8, pixels = tga.width * tga.height;
    measure->shape = shape_of(&tga);
    if (tga.id > 0)
        measure->extras = EXTRA_TEXT;
    const size_t stored = tga.packed ? (pixels + RUN_MAX - 1) / RUN_MAX * (pixel + 1) : pixels * pixel;
    return file_must_hold(file, pixels_begin(&tga) + stored, "TGA");
}

static Status tga_load(Bytes file, Image **image) {
    const Tga tga = read_header(file);
    TRY(image_create(shape_of(&tga), image));
    const Status status = read_pixels(&tga, file, pixels_begin(&tga), *image);
    if (status != STATUS_OK)
        image_destroy(image);
    else if ((tga.flags & 0x0F) == 0) /* the header promises no alpha; some writers forget to */
        image_drop_blank_alpha(*image);
    return status;
}

const Format format_tga = {
    .name = "tga",
    .title = "TGA",
    .extensions = "tga",
    .reads = U8,
    .writes = U8X1 | U8X3 | U8X4,
    .side_max = UINT16_MAX,
    .recognize = tga_recognize,
    .measure = tga_measure,
    .load = tga_load,
    .save = tga_save,
};
