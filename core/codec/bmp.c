/* bmp.c: reading BMP, all headers from OS/2 1.x to Windows 5 (Windows SDK, "Bitmap storage"), also in runs.
 * The header says where the rows begin and how large they are. A file of plain rows that is too short is therefore
 * known before decoding. */
#include "core/codec/formats.h"

#include <string.h>

enum {
    FILE_HEADER = 14,
    CORE_HEADER = 12,
    SHORT_HEADER = 16, /* the shortest of OS/2 2.x, and OS2_HEADER the longest: fields that are cut off count as 0 */
    INFO_HEADER = 40,
    OS2_HEADER = 64,
    HEADER_MAX = 4096,
    MASKS_AT = 54,
    FILL_MAX = 1 << 16, /* pixels that a byte of a file in runs may stand for */
    UPSIDE_DOWN = 4     /* the orientation of rows from the bottom up (TIFF 6.0) */
};

/* How pixels are stored, as headers number it, but OS/2 has 4 for RLE24. */
enum { PLAIN = 0, RLE8 = 1, RLE4 = 2, MASKS = 3, RLE24 = 4, ALPHA_MASKS = 6 };

typedef struct Bmp {
    size_t header, offset, bits, packing, colours; /* colours: in the map, for 8 bits and fewer */
    uint32_t masks[4];                             /* red, green, blue, alpha, for 16 and 32 bits */
    bool top_down;
    Shape shape;
} Bmp;

static bool bmp_recognize(Bytes file) {
    return file.size >= FILE_HEADER + 4 && memcmp(file.data, "BM", 2) == 0 &&
           (u32_at(file, 14) == CORE_HEADER || u32_at(file, 14) >= SHORT_HEADER);
}

static bool of_os2(const Bmp *bmp) {
    return bmp->header == OS2_HEADER || bmp->header < INFO_HEADER;
}

static bool in_runs(const Bmp *bmp) {
    return (bmp->packing == RLE8 && bmp->bits == 8) || (bmp->packing == RLE4 && bmp->bits == 4) ||
           (bmp->packing == RLE24 && bmp->bits == 24 && of_os2(bmp));
}

static Status read_header(Bytes file, Bmp *bmp) {
    *bmp = (Bmp){.offset = u32_at(file, 10), .header = u32_at(file, 14), .shape = {.type = PIXEL_U8}};
    if (bmp->header > HEADER_MAX)
        return fail(STATUS_INPUT, "damaged BMP: a header of %zu bytes", bmp->header);
    if (file.size < FILE_HEADER + bmp->header)
        return file_ends_early("BMP");
    if (bmp->header == CORE_HEADER) {
        bmp->shape.width = u16_at(file, 18);
        bmp->shape.height = u16_at(file, 20);
        bmp->bits = u16_at(file, 24);
    } else {
        bmp->shape.width = u32_at(file, 18);
        bmp->shape.height = u32_at(file, 22);
        bmp->bits = u16_at(file, 28);
        bmp->packing = bmp->header >= 20 ? u32_at(file, 30) : PLAIN;
        bmp->colours = bmp->header >= 36 ? u32_at(file, 46) : 0;
    }
    bmp->top_down = bmp->shape.height > INT32_MAX; /* a negative height */
    if (bmp->top_down)
        bmp->shape.height = 0x100000000u - bmp->shape.height;
    return STATUS_OK;
}

/* 16 and 32 bits: where in a pixel each channel is. */
static Status read_masks(Bytes file, Bmp *bmp) {
    static const uint32_t default_masks[2][4] = {{31 << 10, 31 << 5, 31, 0}, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}};
    const bool own_alpha = bmp->packing == ALPHA_MASKS || (bmp->header >= 56 && !of_os2(bmp));
    memcpy(bmp->masks, default_masks[bmp->bits == 32], sizeof bmp->masks);
    if (bmp->packing != PLAIN) {
        if (file.size < MASKS_AT + 16)
            return file_ends_early("BMP");
        for (size_t c = 0; c < 4; c++)
            bmp->masks[c] = c < 3 || own_alpha ? (uint32_t)u32_at(file, MASKS_AT + 4 * c) : 0;
    }
    for (size_t c = 0; c < 4; c++) {
        const uint32_t mask = bmp->masks[c], run = mask ? mask >> __builtin_ctz(mask) : 0;
        if ((run & (run + 1)) != 0 || (mask == 0 && c < 3))
            return fail(STATUS_INPUT, "damaged BMP: the mask of a colour is %08X, want a run of bits", mask);
    }
    return STATUS_OK;
}

/* Where the colours of the map are, and how many; *offset is set if the header leaves it at 0. */
static void find_map(Bmp *bmp) {
    const size_t map_at = FILE_HEADER + bmp->header, max = (size_t)1 << bmp->bits;
    const size_t entry = bmp->header == CORE_HEADER ? 3 : 4;
    bmp->colours = bmp->colours == 0 || bmp->colours > max ? max : bmp->colours;
    if (bmp->offset == 0)
        bmp->offset = map_at + bmp->colours * entry;
    const size_t entries_max = bmp->offset > map_at ? (bmp->offset - map_at) / entry : 0;
    bmp->colours = bmp->colours > entries_max ? entries_max : bmp->colours;
}

static size_t row_bytes(const Bmp *bmp) {
    return (bmp->shape.width * bmp->bits + 31) / 32 * 4;
}

/* The whole rows that are there, of a file of so many bytes without runs. */
static size_t count_rows(const Bmp *bmp, size_t size) {
    const size_t rows = size > bmp->offset ? (size - bmp->offset) / row_bytes(bmp) : 0;
    return rows < bmp->shape.height ? rows : bmp->shape.height;
}

/* The map lies before the pixels, so that it is in the file, too, if they begin there. */
static Status check_size(const Bmp *bmp, size_t size, bool partial) {
    if (bmp->offset > size)
        return file_ends_early("BMP");
    if (!in_runs(bmp))
        return count_rows(bmp, size) >= (partial ? 1 : bmp->shape.height) ? STATUS_OK : file_ends_early("BMP");
    return bmp->shape.width * bmp->shape.height / FILL_MAX <= size
               ? STATUS_OK
               : fail(STATUS_INPUT, "a BMP of %zu x %zu pixels in runs, more than its %zu bytes can fill",
                      bmp->shape.width, bmp->shape.height, size);
}

/* `size` is the whole file's; `file` its beginning. */
static Status check(Bytes file, size_t size, bool partial, Bmp *bmp) {
    const bool masks_fit = bmp->bits == 16 || bmp->bits == 32;
    const size_t map_at = FILE_HEADER + bmp->header;
    const bool masked = masks_fit && !of_os2(bmp) && (bmp->packing == MASKS || bmp->packing == ALPHA_MASKS);
    if (bmp->packing != PLAIN && !masked && !in_runs(bmp))
        return fail(STATUS_INPUT,
                    "a BMP of packing %zu with %zu bits a pixel; plain ones and runs (RLE4, RLE8, OS/2's "
                    "RLE24) can be read",
                    bmp->packing, bmp->bits);
    if (bmp->bits != 1 && bmp->bits != 2 && bmp->bits != 4 && bmp->bits != 8 && bmp->bits != 24 && !masks_fit)
        return fail(STATUS_INPUT, "damaged BMP: %zu bits a pixel", bmp->bits);
    if (masks_fit)
        TRY(read_masks(file, bmp));
    bmp->shape.channels = masks_fit && bmp->masks[3] ? 4 : 3;
    TRY(shape_check(bmp->shape));
    if (bmp->bits <= 8)
        find_map(bmp);
    else if (bmp->offset == 0)
        bmp->offset = map_at + (masked && bmp->header == INFO_HEADER ? bmp->packing == MASKS ? 12 : 16 : 0);
    if (bmp->offset < map_at)
        return fail(STATUS_INPUT, "damaged BMP: its pixels begin at byte %zu, inside the header", bmp->offset);
    return check_size(bmp, size, partial);
}

static Status bmp_measure(Input *file, Measure *measure) {
    Bmp bmp;
    TRY(read_header(file->bytes, &bmp));
    TRY(check(file->bytes, file->size, measure->pages.partial, &bmp));
    measure->shape = bmp.shape;
    if (!in_runs(&bmp) && !bmp.top_down && count_rows(&bmp, file->size) < bmp.shape.height)
        measure->orientation = UPSIDE_DOWN; /* parts have their rows as the file stores them */
    return STATUS_OK;
}

/* A resolution that makes no sense counts as lost. */
static void read_resolution(const Bmp *bmp, Bytes file, Image *image) {
    if (bmp->header < INFO_HEADER)
        return;
    const size_t x = u32_at(file, BMP_METRE_AT), y = u32_at(file, BMP_METRE_AT + 4);
    if (x > 0 && x <= INT32_MAX && y > 0 && y <= INT32_MAX)
        image->resolution = (Resolution){(double)x, (double)y};
    else if (x > 0 || y > 0)
        image->extras |= EXTRA_RESOLUTION;
}

static Status map_pixel(const Bmp *bmp, Bytes file, size_t index, unsigned char *to) {
    const size_t entry = bmp->header == CORE_HEADER ? 3 : 4;
    if (index >= bmp->colours)
        return fail(STATUS_INPUT, "damaged BMP: a pixel of colour %zu, but there are %zu", index, bmp->colours);
    const unsigned char *from = file.data + FILE_HEADER + bmp->header + index * entry;
    memcpy(to, (const unsigned char[]){from[2], from[1], from[0]}, 3);
    return STATUS_OK;
}

static Status map_row(const Bmp *bmp, Bytes file, const unsigned char *from, unsigned char *to) {
    for (size_t x = 0, bit = 0; x < bmp->shape.width; x++, bit += bmp->bits, to += 3) {
        const size_t index = (size_t)from[bit / 8] >> (8 - bmp->bits - bit % 8) & (((size_t)1 << bmp->bits) - 1);
        TRY(map_pixel(bmp, file, index, to));
    }
    return STATUS_OK;
}

static void mask_row(const Bmp *bmp, const unsigned char *from, unsigned char *to) {
    const size_t channels = (size_t)bmp->shape.channels, size = bmp->bits / 8;
    for (size_t c = 0; c < channels; c++) {
        const int shift = bmp->masks[c] ? __builtin_ctz(bmp->masks[c]) : 0;
        const uint64_t max = bmp->masks[c] ? bmp->masks[c] >> shift : 1;
        for (size_t x = 0; x < bmp->shape.width; x++) {
            const unsigned char *b = from + x * size;
            uint32_t pixel = (uint32_t)b[0] | (uint32_t)b[1] << 8;
            if (size == 4)
                pixel |= (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
            const uint64_t value = (pixel & bmp->masks[c]) >> shift;
            to[x * channels + c] = (unsigned char)(max == 255 ? value : (value * 255 + max / 2) / max);
        }
    }
}

static void plain_row(const Bmp *bmp, const unsigned char *from, unsigned char *to) {
    for (size_t i = 0; i < 3 * bmp->shape.width; i += 3) {
        to[i] = from[i + 2];
        to[i + 1] = from[i + 1];
        to[i + 2] = from[i];
    }
}

static unsigned char *row_of(const Bmp *bmp, const Image *image, size_t y) {
    return view_row(image->view, bmp->top_down ? y : bmp->shape.height - 1 - y);
}

static Status read_rows(const Bmp *bmp, Bytes file, const Image *image) {
    for (size_t y = 0; y < bmp->shape.height; y++) {
        const unsigned char *from = file.data + bmp->offset + y * row_bytes(bmp);
        unsigned char *to = row_of(bmp, image, y);
        TRY(decoding_goes_on());
        if (bmp->bits <= 8)
            TRY(map_row(bmp, file, from, to));
        else if (bmp->bits == 24)
            plain_row(bmp, from, to);
        else
            mask_row(bmp, from, to);
    }
    return STATUS_OK;
}

/* ---- runs ---- */

typedef struct Runs {
    const Bmp *bmp;
    Bytes file;
    const Image *image;
    size_t at, x, y; /* of the next byte, and of the pixel that it is for; y counts from the row that comes first */
} Runs;

/* Puts `count` pixels; values of `from` repeat if it is a run: one, or in RLE4 two in turn. */
static Status put_pixels(Runs *runs, const unsigned char *from, size_t count, bool run) {
    const Bmp *bmp = runs->bmp;
    if (count > 0 && (runs->y >= bmp->shape.height || count > bmp->shape.width - runs->x))
        return fail(STATUS_INPUT, "damaged BMP: a run of %zu pixels at %zu, %zu of %zu x %zu", count, runs->x, runs->y,
                    bmp->shape.width, bmp->shape.height);
    for (size_t i = 0; i < count; i++, runs->x++) {
        unsigned char *to = row_of(bmp, runs->image, runs->y) + 3 * runs->x;
        const size_t n = run ? i % 2 : i;
        if (bmp->bits == 24)
            memcpy(to,
                   (const unsigned char[]){from[run ? 2 : 3 * i + 2], from[run ? 1 : 3 * i + 1], from[run ? 0 : 3 * i]},
                   3);
        else
            TRY(map_pixel(bmp, runs->file, bmp->bits == 4 ? from[n / 2] >> (4 - n % 2 * 4) & 15 : from[run ? 0 : i],
                          to));
    }
    return STATUS_OK;
}

/* A zero, and a second byte that says more: the end of a row or of the picture, a step, or how many values follow. */
static Status read_escape(Runs *runs, unsigned kind, bool *ends) {
    enum { END_OF_ROW, END, STEP };
    const Bmp *bmp = runs->bmp;
    const unsigned char *from = runs->file.data + runs->at;
    const size_t bytes = kind == STEP ? 2 : kind > STEP ? (kind * bmp->bits + 15) / 16 * 2 : 0;
    if (bytes > runs->file.size - runs->at)
        return file_ends_early("BMP");
    runs->at += bytes;
    *ends = kind == END;
    if (kind > STEP)
        return put_pixels(runs, from, kind, false);
    if (kind == END_OF_ROW) {
        runs->x = 0;
        runs->y++;
    }
    if (kind == STEP) {
        runs->x += from[0];
        runs->y += from[1];
    }
    return runs->x <= bmp->shape.width && runs->y <= bmp->shape.height
               ? STATUS_OK
               : fail(STATUS_INPUT, "damaged BMP: a step to %zu, %zu of %zu x %zu", runs->x, runs->y, bmp->shape.width,
                      bmp->shape.height);
}

/* Pixels that steps leave out have colour 0, as others show them. The end may go without saying if nothing is missing.
 */
static Status read_runs(const Bmp *bmp, Bytes file, const Image *image) {
    Runs runs = {bmp, file, image, bmp->offset, 0, 0};
    const size_t pixel = bmp->bits == 24 ? 3 : 1;
    bool ends = false;
    for (size_t y = 0; y < bmp->shape.height && bmp->bits <= 8; y++)
        for (size_t x = 0; x < bmp->shape.width; x++)
            TRY(map_pixel(bmp, file, 0, (unsigned char *)view_row(image->view, y) + 3 * x));
    while (!ends) {
        TRY(decoding_goes_on());
        const size_t left = file.size > runs.at ? file.size - runs.at : 0;
        const bool full = runs.y + (runs.x == bmp->shape.width) >= bmp->shape.height;
        if (left < 2)
            return full ? STATUS_OK : file_ends_early("BMP");
        const unsigned count = file.data[runs.at], value = file.data[runs.at + 1];
        if (count > 0 && 1 + pixel > left)
            return file_ends_early("BMP");
        runs.at += count > 0 ? 1 + pixel : 2;
        if (count > 0)
            TRY(put_pixels(&runs, file.data + runs.at - pixel, count, true));
        else
            TRY(read_escape(&runs, value, &ends));
    }
    return STATUS_OK;
}

static Status bmp_load(Bytes file, Image **image) {
    Bmp bmp;
    *image = NULL;
    TRY(read_header(file, &bmp));
    TRY(check(file, file.size, false, &bmp));
    TRY(image_create(bmp.shape, image));
    const Status status = in_runs(&bmp) ? read_runs(&bmp, file, *image) : read_rows(&bmp, file, *image);
    if (status != STATUS_OK)
        image_destroy(image);
    else if (bmp.packing == PLAIN) /* the fourth byte may be alpha, or nothing */
        image_drop_blank_alpha(*image);
    if (status == STATUS_OK)
        read_resolution(&bmp, file, *image);
    return status;
}

static Status bmp_load_part(Bytes file, FilePart *part, Image **image) {
    Bmp bmp;
    *image = NULL;
    TRY(read_header(file, &bmp));
    TRY(check(file, file.size, true, &bmp));
    const size_t all = bmp.shape.height, there = in_runs(&bmp) ? all : count_rows(&bmp, file.size);
    if (there == all) /* runs do not say which rows are there; else something besides the end is wrong */
        return bmp_load(file, image);
    *part = (FilePart){.of = all, .rows = there, .fine = there};
    TRY(image_create(bmp.shape, image));
    bmp.top_down = true;
    bmp.shape.height = there;
    const Status status = read_rows(&bmp, file, *image);
    if (status != STATUS_OK)
        image_destroy(image);
    else
        read_resolution(&bmp, file, *image);
    if (status == STATUS_OK && bmp.packing == PLAIN)
        image_drop_blank_alpha(*image);
    return status;
}

const Format format_bmp = {
    .name = "bmp",
    .title = "BMP",
    .extensions = "bmp dib",
    .reads = U8X3 | U8X4,
    .writes = U8X3 | U8X4,
    .holds = EXTRA_RESOLUTION,
    .recognize = bmp_recognize,
    .measure = bmp_measure,
    .load = bmp_load,
    .load_part = bmp_load_part,
    .save = bmp_save,
};
