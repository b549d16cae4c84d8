/* bmp.c: reading BMP, all headers from OS/2 1.x to Windows 5, without run lengths (Windows SDK, "Bitmap storage").
 * The header says where the rows begin and how large they are, so a file that is too short is known before decoding. */
#include "core/codec/formats.h"

#include <string.h>

enum { FILE_HEADER = 14, CORE_HEADER = 12, INFO_HEADER = 40, MASKS_AT = 54, PLAIN = 0, MASKS = 3, ALPHA_MASKS = 6 };

typedef struct Bmp {
    size_t header, offset, bits, packing, colours; /* colours: in the map, for 8 bits and fewer */
    uint32_t masks[4];                             /* red, green, blue, alpha, for 16 and 32 bits */
    bool top_down;
    Shape shape;
} Bmp;

static bool bmp_recognize(Bytes file) {
    return file.size >= FILE_HEADER + 4 && memcmp(file.data, "BM", 2) == 0 &&
           (u32_at(file, 14) == CORE_HEADER || u32_at(file, 14) >= INFO_HEADER);
}

static Status read_header(Bytes file, Bmp *bmp) {
    *bmp = (Bmp){.offset = u32_at(file, 10), .header = u32_at(file, 14), .shape = {.type = PIXEL_U8}};
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
        bmp->packing = u32_at(file, 30);
        bmp->colours = u32_at(file, 46);
    }
    bmp->top_down = bmp->shape.height > INT32_MAX; /* a negative height */
    if (bmp->top_down)
        bmp->shape.height = 0x100000000u - bmp->shape.height;
    return STATUS_OK;
}

/* 16 and 32 bits: where in a pixel each channel is. */
static Status read_masks(Bytes file, Bmp *bmp) {
    static const uint32_t default_masks[2][4] = {{31 << 10, 31 << 5, 31, 0}, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}};
    const bool own_alpha = bmp->packing == ALPHA_MASKS || bmp->header >= 56;
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

/* `size` is the whole file's; `file` its beginning. */
static Status check(Bytes file, size_t size, Bmp *bmp) {
    const bool masks_fit = bmp->bits == 16 || bmp->bits == 32;
    const size_t map_at = FILE_HEADER + bmp->header, entry = bmp->header == CORE_HEADER ? 3 : 4;
    if (bmp->packing != PLAIN && !(masks_fit && (bmp->packing == MASKS || bmp->packing == ALPHA_MASKS)))
        return fail(STATUS_INPUT, "a BMP with packing %zu; only unpacked ones can be read", bmp->packing);
    if (bmp->bits != 1 && bmp->bits != 2 && bmp->bits != 4 && bmp->bits != 8 && bmp->bits != 24 && !masks_fit)
        return fail(STATUS_INPUT, "damaged BMP: %zu bits a pixel", bmp->bits);
    if (masks_fit)
        TRY(read_masks(file, bmp));
    bmp->shape.channels = masks_fit && bmp->masks[3] ? 4 : 3;
    TRY(shape_check(bmp->shape));
    if (bmp->bits <= 8) {
        const size_t max = (size_t)1 << bmp->bits;
        const size_t entries_max = bmp->offset > map_at ? (bmp->offset - map_at) / entry : 0;
        bmp->colours = bmp->colours == 0 || bmp->colours > max ? max : bmp->colours;
        bmp->colours = bmp->colours > entries_max ? entries_max : bmp->colours;
    }
    if (bmp->offset < map_at)
        return fail(STATUS_INPUT, "damaged BMP: its pixels begin at byte %zu, inside the header", bmp->offset);
    const size_t row = (bmp->shape.width * bmp->bits + 31) / 32 * 4;
    return bmp->offset <= size && bmp->shape.height <= (size - bmp->offset) / row ? STATUS_OK : file_ends_early("BMP");
}

static Status bmp_measure(Input *file, Measure *measure) {
    Bmp bmp;
    TRY(read_header(file->bytes, &bmp));
    TRY(check(file->bytes, file->size, &bmp));
    measure->shape = bmp.shape;
    return STATUS_OK;
}

/* One that makes no sense counts as lost. */
static void read_resolution(const Bmp *bmp, Bytes file, Image *image) {
    if (bmp->header < INFO_HEADER)
        return;
    const size_t x = u32_at(file, BMP_METRE_AT), y = u32_at(file, BMP_METRE_AT + 4);
    if (x > 0 && x <= INT32_MAX && y > 0 && y <= INT32_MAX)
        image->resolution = (Resolution){(double)x, (double)y};
    else if (x > 0 || y > 0)
        image->extras |= EXTRA_RESOLUTION;
}

static Status map_row(const Bmp *bmp, Bytes file, const unsigned char *from, unsigned char *to) {
    const size_t entry = bmp->header == CORE_HEADER ? 3 : 4;
    const unsigned char *map = file.data + FILE_HEADER + bmp->header;
    for (size_t x = 0, bit = 0; x < bmp->shape.width; x++, bit += bmp->bits, to += 3) {
        const size_t index = (size_t)from[bit / 8] >> (8 - bmp->bits - bit % 8) & (((size_t)1 << bmp->bits) - 1);
        if (index >= bmp->colours)
            return fail(STATUS_INPUT, "damaged BMP: a pixel of colour %zu, but there are %zu", index, bmp->colours);
        for (size_t c = 0; c < 3; c++)
            to[c] = map[index * entry + 2 - c];
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

static Status bmp_load(Bytes file, Image **image) {
    Bmp bmp;
    *image = NULL;
    TRY(read_header(file, &bmp));
    TRY(check(file, file.size, &bmp));
    TRY(image_create(bmp.shape, image));
    const size_t row = (bmp.shape.width * bmp.bits + 31) / 32 * 4;
    Status status = STATUS_OK;
    for (size_t y = 0; y < bmp.shape.height && status == STATUS_OK; y++) {
        const unsigned char *from = file.data + bmp.offset + y * row;
        unsigned char *to = view_row((*image)->view, bmp.top_down ? y : bmp.shape.height - 1 - y);
        if (bmp.bits <= 8)
            status = map_row(&bmp, file, from, to);
        else if (bmp.bits == 24)
            plain_row(&bmp, from, to);
        else
            mask_row(&bmp, from, to);
    }
    if (status != STATUS_OK)
        image_destroy(image);
    else if (bmp.packing == PLAIN) /* the fourth byte may be alpha, or nothing */
        image_drop_blank_alpha(*image);
    if (status == STATUS_OK)
        read_resolution(&bmp, file, *image);
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
    .save = bmp_save,
};
