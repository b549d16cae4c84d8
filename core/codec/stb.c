/* stb.c: BMP, TGA, GIF and Radiance HDR through stb_image, guarded.
 * stb_image pads a file that ends early with zeros, and loops on some; so it reads through a callback that leaves the
 * decode by longjmp the moment that a byte past the end is wanted, and all of its memory is an arena with a quota,
 * which is freed as one. The header is asked, and the pixel budget checked, before anything is decoded. */
#include "core/codec/formats.h"

#include <limits.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { REFILL_BYTES = 128, ALIGNMENT = 16, QUOTA_SLACK = 32 << 20 };

typedef struct Block {
    struct Block *next;
    size_t size; /* of the data behind this header */
} Block;

typedef struct Decode {
    Bytes file;
    size_t at, used, quota;
    Block *blocks;
    jmp_buf out;
} Decode;

/* stb_image's allocation hooks have no argument of their own. */
static _Thread_local Decode *current;

static void *arena_allocate(size_t size) {
    enum { HEAD = (sizeof(Block) + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT };
    if (size > current->quota - current->used)
        return NULL;
    Block *block = calloc(1, HEAD + size);
    if (!block)
        return NULL;
    *block = (Block){current->blocks, size};
    current->blocks = block;
    current->used += size;
    return (char *)block + HEAD;
}

static void *arena_grow(void *old, size_t old_size, size_t size) {
    void *grown = arena_allocate(size);
    if (grown && old)
        memcpy(grown, old, old_size < size ? old_size : size);
    return grown;
}

static void arena_free(Decode *decode) {
    while (decode->blocks) {
        Block *next = decode->blocks->next;
        free(decode->blocks);
        decode->blocks = next;
    }
}

#define STBI_MALLOC(size)                       arena_allocate(size)
#define STBI_REALLOC_SIZED(old, old_size, size) arena_grow(old, old_size, size)
#define STBI_FREE(old)                          ((void)(old))
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_ONLY_GIF
#define STBI_ONLY_HDR
#define STBI_NO_STDIO
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

static int on_read(void *user, char *data, int size) {
    Decode *decode = user;
    const size_t left = decode->file.size - decode->at, wanted = (size_t)size;
    /* Only the refill of stb_image's own buffer may get less than it asks for. */
    if (left == 0 || (left < wanted && wanted != REFILL_BYTES))
        longjmp(decode->out, 1);
    const size_t count = left < wanted ? left : wanted;
    memcpy(data, decode->file.data + decode->at, count);
    decode->at += count;
    return (int)count;
}

static void on_skip(void *user, int count) {
    Decode *decode = user;
    const size_t left = decode->file.size - decode->at;
    if (count > 0 && (size_t)count > left)
        longjmp(decode->out, 1);
    decode->at = count < 0 ? decode->at - (size_t)-count : decode->at + (size_t)count;
}

static int on_end(void *user) {
    const Decode *decode = user;
    return decode->at == decode->file.size;
}

static const stbi_io_callbacks callbacks = {on_read, on_skip, on_end};

static Status start(Decode *decode, const char *format, Shape *shape) {
    int width, height, channels;
    decode->quota = QUOTA_SLACK;
    if (!stbi_info_from_callbacks(&callbacks, decode, &width, &height, &channels))
        return fail(STATUS_INPUT, "damaged %s: %s", format, stbi_failure_reason());
    shape->width = (size_t)width;
    shape->height = (size_t)abs(height); /* a BMP from the top row down has a negative one */
    shape->channels = channels;
    TRY(shape_check(*shape));
    decode->at = 0;
    /* the result, a copy in another layout, and the GIF decoder's two canvases */
    decode->quota += 4 * shape->width * shape->height * 4 * pixel_type_size(shape->type);
    return STATUS_OK;
}

static Status finish(Decode *decode, const char *format, Shape shape, int channels, Image **image) {
    int width, height, stored;
    void *pixels = shape.type == PIXEL_F32
                       ? (void *)stbi_loadf_from_callbacks(&callbacks, decode, &width, &height, &stored, channels)
                       : (void *)stbi_load_from_callbacks(&callbacks, decode, &width, &height, &stored, channels);
    if (!pixels)
        return fail(STATUS_INPUT, "damaged %s: %s", format, stbi_failure_reason());
    shape.channels = channels ? channels : stored;
    TRY(image_create(shape, image));
    memcpy((*image)->view.pixels, pixels, shape_bytes(shape));
    return STATUS_OK;
}

/* `channels` 0 takes the file's own. */
static Status decode_with_stb(Bytes file, const char *format, PixelType type, int channels, Image **image) {
    Decode *decode = calloc(1, sizeof *decode);
    *image = NULL;
    if (!decode)
        return fail(STATUS_DEVICE, "no memory to decode %s", format);
    decode->file = file;
    volatile Status status;
    current = decode;
    if (setjmp(decode->out)) {
        status = fail(STATUS_INPUT, "damaged %s: the file ends early", format);
    } else {
        Shape shape = {.type = type};
        status = start(decode, format, &shape);
        if (status == STATUS_OK)
            status = finish(decode, format, shape, channels, image);
    }
    current = NULL;
    arena_free(decode);
    free(decode);
    return status;
}

static size_t u16_at(Bytes file, size_t at) {
    return (size_t)file.data[at] | (size_t)file.data[at + 1] << 8;
}
static size_t u32_at(Bytes file, size_t at) {
    return u16_at(file, at) | u16_at(file, at + 2) << 16;
}

static Status ends_early(const char *format) {
    return fail(STATUS_INPUT, "damaged %s: the file ends early", format);
}

/* BMP: the header says where the rows begin, how large they are, and how long the file is. */

enum { BMP_HEADER = 54 };

bool bmp_recognize(Bytes file) {
    return file.size >= 18 && memcmp(file.data, "BM", 2) == 0 && (u32_at(file, 14) == 12 || u32_at(file, 14) >= 40);
}

Status bmp_load(Bytes file, Image **image) {
    if (file.size < BMP_HEADER)
        return ends_early("BMP");
    if (u32_at(file, 14) >= 40) {
        const size_t width = u32_at(file, 18), height = u32_at(file, 22), bits = u16_at(file, 28);
        const size_t rows = height > INT32_MAX ? 0x100000000u - height : height; /* negative: top row first */
        if (width == 0 || width > INT32_MAX || bits > 32)
            return fail(STATUS_INPUT, "damaged BMP: %zu pixels wide with %zu bits each", width, bits);
        const size_t row = (width * bits + 31) / 32 * 4, offset = u32_at(file, 10);
        if (offset > file.size || rows > (file.size - offset) / (row ? row : 1))
            return ends_early("BMP");
    }
    return decode_with_stb(file, "BMP", PIXEL_U8, 0, image);
}

/* TGA has no signature: the header must make sense in every field. */

enum { TGA_HEADER = 18 };

typedef struct Tga {
    size_t id, map, map_first, map_length, map_bits, type, width, height, bits;
    bool packed; /* run lengths */
} Tga;

static Tga tga_header(Bytes file) {
    const unsigned char *b = file.data;
    return (Tga){b[0],  b[1],           u16_at(file, 3),  u16_at(file, 5),
                 b[7],  b[2] & 7u,      u16_at(file, 12), u16_at(file, 14),
                 b[16], (b[2] & 8) != 0};
}

bool tga_recognize(Bytes file) {
    if (file.size < TGA_HEADER)
        return false;
    const Tga tga = tga_header(file);
    const bool mapped = tga.type == 1, colour = tga.type == 2, gray = tga.type == 3;
    const bool map_fits = tga.map == 1 ? tga.map_length > 0 && (tga.map_bits == 15 || tga.map_bits == 16 ||
                                                                tga.map_bits == 24 || tga.map_bits == 32)
                                       : tga.map == 0 && tga.map_length == 0;
    const bool bits_fit = mapped   ? tga.bits == 8 && tga.map == 1
                          : colour ? tga.bits == 15 || tga.bits == 16 || tga.bits == 24 || tga.bits == 32
                          : gray   ? tga.bits == 8 || tga.bits == 16
                                   : false;
    return (file.data[2] & 0xF0) == 0 && map_fits && bits_fit && tga.width > 0 && tga.height > 0 &&
           (file.data[17] & 0xC0) == 0;
}

Status tga_load(Bytes file, Image **image) {
    const Tga tga = tga_header(file);
    const size_t begin = TGA_HEADER + tga.id + tga.map_length * ((tga.map_bits + 7) / 8);
    const size_t pixels = tga.width * tga.height * ((tga.bits + 7) / 8);
    if (begin > file.size || (!tga.packed && pixels > file.size - begin))
        return ends_early("TGA");
    return decode_with_stb(file, "TGA", PIXEL_U8, 0, image);
}

/* GIF: stb_image stops behind the first picture; the blocks after it must still lead to the trailer. */

bool gif_recognize(Bytes file) {
    return file.size >= 6 && (memcmp(file.data, "GIF87a", 6) == 0 || memcmp(file.data, "GIF89a", 6) == 0);
}

static size_t gif_colours(unsigned char flags) {
    return flags & 0x80 ? (size_t)3 << ((flags & 7) + 1) : 0;
}

static bool gif_reaches_trailer(Bytes file) {
    enum { SCREEN = 13, PICTURE = 10, EXTENSION = 2 };
    if (file.size < SCREEN)
        return false;
    size_t at = SCREEN + gif_colours(file.data[10]);
    while (at < file.size && file.data[at] != 0x3B) {
        if (file.data[at] == 0x2C && at + PICTURE < file.size)
            at += PICTURE + gif_colours(file.data[at + 9]) + 1;
        else if (file.data[at] == 0x21)
            at += EXTENSION;
        else
            return false;
        while (at < file.size && file.data[at] != 0)
            at += (size_t)file.data[at] + 1;
        at++;
    }
    return at < file.size;
}

Status gif_load(Bytes file, Image **image) {
    return gif_reaches_trailer(file) ? decode_with_stb(file, "GIF", PIXEL_U8, 4, image) : ends_early("GIF");
}

bool hdr_recognize(Bytes file) {
    return (file.size >= 11 && memcmp(file.data, "#?RADIANCE\n", 11) == 0) ||
           (file.size >= 7 && memcmp(file.data, "#?RGBE\n", 7) == 0);
}

Status hdr_load(Bytes file, Image **image) {
    return decode_with_stb(file, "Radiance HDR", PIXEL_F32, 3, image);
}

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

typedef struct Writer {
    Bytes file;
    size_t room;
    bool failed;
} Writer;

static void on_write(void *user, void *data, int size) {
    Writer *writer = user;
    writer->failed |= !bytes_append(&writer->file, &writer->room, data, (size_t)size);
}

static Status written(Writer *writer, int ok, const char *format, Bytes *file) {
    if (ok && !writer->failed) {
        *file = writer->file;
        return STATUS_OK;
    }
    bytes_free(&writer->file);
    return fail(STATUS_DEVICE, "no memory to encode %s", format);
}

/* stb_image_write counts in int. */
static bool countable(Shape shape) {
    return shape.width <= INT_MAX / 16 / shape.height;
}

static bool packed_u8(const Image *image) {
    return countable(image->view.shape) && image->view.shape.type == PIXEL_U8 &&
           image->view.stride == shape_row_bytes(image->view.shape);
}

Status bmp_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    const Shape shape = image->view.shape;
    Writer writer = {0};
    if (!packed_u8(image) || shape.channels < 3)
        return fail(STATUS_INPUT, "BMP is written as u8x3 and u8x4");
    const int ok = stbi_write_bmp_to_func(on_write, &writer, (int)shape.width, (int)shape.height, shape.channels,
                                          image->view.pixels);
    return written(&writer, ok, "BMP", file);
}

Status tga_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    const Shape shape = image->view.shape;
    Writer writer = {0};
    if (!packed_u8(image) || shape.channels == 2 || shape.width > UINT16_MAX || shape.height > UINT16_MAX)
        return fail(STATUS_INPUT, "TGA holds 8-bit gray, RGB and RGBA, up to 65535 pixels a side");
    const int ok = stbi_write_tga_to_func(on_write, &writer, (int)shape.width, (int)shape.height, shape.channels,
                                          image->view.pixels);
    return written(&writer, ok, "TGA", file);
}

/* A shared exponent holds nothing negative, infinite or undefined: values are clamped, as integers are. stb_image_write
 * would cast them to bytes, which C leaves undefined. */
static void clamp_to_hdr(ImageView view) {
    const float most = 0x1.fep126f; /* 255/256 of 2^127 */
    float *values = view.pixels;
    for (size_t i = 0; i < view.shape.width * view.shape.height * 3; i++)
        values[i] = values[i] > 0 ? (values[i] < most ? values[i] : most) : 0; /* NaN becomes 0 */
}

Status hdr_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    const Shape shape = image->view.shape;
    Writer writer = {0};
    if (shape.type != PIXEL_F32 || shape.channels != 3 || !countable(shape))
        return fail(STATUS_INPUT, "Radiance HDR holds f32x3");
    Image *clamped;
    TRY(image_clone(image->view, &clamped));
    clamp_to_hdr(clamped->view);
    const int ok =
        stbi_write_hdr_to_func(on_write, &writer, (int)shape.width, (int)shape.height, 3, clamped->view.pixels);
    image_destroy(&clamped);
    return written(&writer, ok, "Radiance HDR", file);
}
