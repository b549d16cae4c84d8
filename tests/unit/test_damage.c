/* test_damage.c: every format there and back, and every damage refused.
 * The files are made here, by libpng, libjpeg or byte by byte, so that no decoder is tested by its own encoder alone.
 */
#include "core/codec/codec.h"

#include "core/math/pcg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <png.h>

#include "tests/check.h"

enum { ROOM = 1 << 17, WIDE = 13, HIGH = 7 };

/* Bytes under construction. */

static Bytes begin(void) {
    Bytes file = {malloc(ROOM), 0};
    assert_non_null(file.data);
    return file;
}

static void put(Bytes *file, const void *data, size_t size) {
    assert_true(file->size + size <= ROOM);
    memcpy(file->data + file->size, data, size);
    file->size += size;
}

static void put8(Bytes *file, unsigned value) {
    put(file, &(unsigned char){(unsigned char)value}, 1);
}

static void put16(Bytes *file, unsigned value) {
    put8(file, value & 0xFF);
    put8(file, value >> 8 & 0xFF);
}

static void put32(Bytes *file, unsigned value) {
    put16(file, value & 0xFFFF);
    put16(file, value >> 16);
}

static void put_text(Bytes *file, const char *text) {
    put(file, text, strlen(text));
}

static Image *blank(size_t width, size_t height, int channels, PixelType type) {
    Image *image = NULL;
    assert_int_equal(image_create((Shape){width, height, channels, type}, &image), STATUS_OK);
    return image;
}

static Image *noise(size_t width, size_t height, int channels, PixelType type) {
    Image *image = blank(width, height, channels, type);
    view_fill_random(image->view, width * 31 + height);
    return image;
}

static const unsigned char *pixel_at(const Image *image, size_t x, size_t y) {
    return (const unsigned char *)view_row(image->view, y) + x * (size_t)image->view.shape.channels;
}

/* Colours with runs in them, for the formats that pack runs. */
static Image *stripes(int channels) {
    Image *image = blank(WIDE, HIGH, channels, PIXEL_U8);
    for (size_t y = 0; y < HIGH; y++)
        for (size_t x = 0; x < WIDE; x++)
            for (int c = 0; c < channels; c++)
                view_set_value(image->view, x, y, c, (double)((x < 6 ? 9 : x * 7) * (size_t)(c + 1) + y * 5));
    return image;
}

/* The samples: each makes a file and, where the format is exact, the picture in it. */

typedef struct Sample {
    const char *name;
    Bytes (*make)(Image **picture);
    size_t spare; /* bytes at the end that carry nothing */
} Sample;

static Bytes encoded(const char *format, const Image *image) {
    Bytes file;
    const Status status = codec_encode(format_by_name(format), image, (SaveOptions){0}, &file);
    if (status != STATUS_OK)
        fail_msg("%s: %s", format, status_message());
    return file;
}

/* PNG, through libpng */

typedef struct PngKind {
    int depth, colour, interlace;
    bool transparent;
    const char *text;
} PngKind;

static void png_append(png_structp png, png_bytep data, size_t size) {
    put(png_get_io_ptr(png), data, size);
}
static void png_flushed(png_structp png) {
    (void)png;
}

static const int png_channels[7] = {1, 0, 3, 1, 2, 0, 4};

/* The pixel that a value of the file becomes: palettes are looked up, small depths stretched, the key colour made
 * transparent. */
static void expect_png(Image *image, size_t x, size_t y, const PngKind *kind, const unsigned *values,
                       const png_color *palette, const unsigned *key) {
    const int stored = png_channels[kind->colour];
    bool is_key = kind->transparent;
    for (int c = 0; c < stored; c++) {
        const unsigned max = (1u << kind->depth) - 1;
        const double value = kind->depth < 8 ? (double)(values[c] * 255 / max) : (double)values[c];
        if (kind->colour != PNG_COLOR_TYPE_PALETTE)
            view_set_value(image->view, x, y, c, value);
        is_key = is_key && values[c] == key[c];
    }
    if (kind->colour == PNG_COLOR_TYPE_PALETTE) {
        view_set_value(image->view, x, y, 0, palette[values[0]].red);
        view_set_value(image->view, x, y, 1, palette[values[0]].green);
        view_set_value(image->view, x, y, 2, palette[values[0]].blue);
        if (kind->transparent)
            view_set_value(image->view, x, y, 3, values[0] == 0 ? 17 : 255);
    } else if (kind->transparent) {
        view_set_value(image->view, x, y, stored, is_key ? 0 : kind->depth == 16 ? 65535 : 255);
    }
}

static Bytes png_of(PngKind kind, Image **picture) {
    Bytes file = begin();
    const int stored = png_channels[kind.colour];
    const bool mapped = kind.colour == PNG_COLOR_TYPE_PALETTE;
    *picture = blank(WIDE, HIGH, (mapped ? 3 : stored) + kind.transparent, kind.depth == 16 ? PIXEL_U16 : PIXEL_U8);
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &file, png_append, png_flushed);
    png_set_IHDR(png, info, WIDE, HIGH, kind.depth, kind.colour, kind.interlace, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_color palette[256];
    for (unsigned i = 0; i < 256; i++)
        palette[i] = (png_color){(png_byte)i, (png_byte)(255 - i), (png_byte)(i * 7 & 255)};
    if (mapped)
        png_set_PLTE(png, info, palette, 1 << kind.depth);
    Pcg pcg = pcg_seed(5, 1);
    static unsigned values[HIGH][WIDE][4];
    const unsigned mask = (1u << kind.depth) - 1;
    for (size_t i = 0; i < (size_t)HIGH * WIDE * 4; i++)
        values[i / 4 / WIDE][i / 4 % WIDE][i % 4] = pcg_next(&pcg) & mask;
    const unsigned *key = values[2][3];
    png_color_16 colour = {0, (png_uint_16)key[0], (png_uint_16)key[1], (png_uint_16)key[2], (png_uint_16)key[0]};
    if (kind.transparent && mapped)
        png_set_tRNS(png, info, &(png_byte){17}, 1, NULL);
    else if (kind.transparent)
        png_set_tRNS(png, info, NULL, 0, &colour);
    png_text text = {PNG_TEXT_COMPRESSION_zTXt, (png_charp) "Comment", (png_charp)kind.text, 0, 0, NULL, NULL};
    if (kind.text)
        png_set_text(png, info, &text, 1);
    png_write_info(png, info);
    png_set_packing(png);
    static png_byte rows[HIGH][WIDE * 8];
    png_bytep pointers[HIGH];
    for (size_t y = 0; y < HIGH; y++) {
        png_bytep to = pointers[y] = rows[y];
        for (size_t x = 0; x < WIDE; x++) {
            expect_png(*picture, x, y, &kind, values[y][x], palette, key);
            for (int c = 0; c < stored; c++) {
                if (kind.depth == 16)
                    *to++ = (png_byte)(values[y][x][c] >> 8);
                *to++ = (png_byte)values[y][x][c];
            }
        }
    }
    png_write_image(png, pointers);
    png_write_end(png, info);
    png_destroy_write_struct(&png, &info);
    return file;
}

#define PNG_SAMPLE(name, ...)                                                                                          \
    static Bytes name(Image **picture) {                                                                               \
        return png_of((PngKind){__VA_ARGS__}, picture);                                                                \
    }
PNG_SAMPLE(png_gray1, .depth = 1, PNG_COLOR_TYPE_GRAY)
PNG_SAMPLE(png_gray2_key, .depth = 2, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, true)
PNG_SAMPLE(png_gray4_adam7, .depth = 4, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_ADAM7)
PNG_SAMPLE(png_gray8_text, .depth = 8, PNG_COLOR_TYPE_GRAY, .text = "words that nobody asked for")
PNG_SAMPLE(png_gray16_key, .depth = 16, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, true)
PNG_SAMPLE(png_palette1, .depth = 1, PNG_COLOR_TYPE_PALETTE)
PNG_SAMPLE(png_palette4_adam7, .depth = 4, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_ADAM7, true)
PNG_SAMPLE(png_palette8, .depth = 8, PNG_COLOR_TYPE_PALETTE)
PNG_SAMPLE(png_rgb8_adam7, .depth = 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_ADAM7)
PNG_SAMPLE(png_rgb16_key, .depth = 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, true)
PNG_SAMPLE(png_ga16_adam7, .depth = 16, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_ADAM7)
PNG_SAMPLE(png_rgba8, .depth = 8, PNG_COLOR_TYPE_RGBA)

/* JPEG, through libjpeg; not exact */

typedef struct JpegKind {
    J_COLOR_SPACE from, colours;
    int channels, progressive, restart, sampling, arithmetic;
} JpegKind;

static double wave(size_t x, size_t y, int c) {
    return 128 + 100 * sin((double)x / 9 + c) * cos((double)y / 11 - c);
}

static Image *waves(size_t width, size_t height, int channels) {
    Image *image = blank(width, height, channels, PIXEL_U8);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            for (int c = 0; c < channels; c++)
                view_set_value(image->view, x, y, c, wave(x, y, c));
    return image;
}

static Bytes jpeg_of(JpegKind kind, size_t width, size_t height) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    Bytes file = {0};
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &file.data, &size);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = kind.channels;
    jpeg.in_color_space = kind.from;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, kind.colours);
    jpeg_set_quality(&jpeg, 95, TRUE);
    jpeg.restart_interval = (unsigned)kind.restart;
    jpeg.arith_code = (boolean)kind.arithmetic;
    if (kind.sampling)
        jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = kind.sampling;
    if (kind.progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    Image *image = waves(width, height, kind.channels);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = view_row(image->view, jpeg.next_scanline);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    image_destroy(&image);
    file.size = size;
    return file;
}

#define JPEG_SAMPLE(name, ...)                                                                                         \
    static Bytes name(Image **picture) {                                                                               \
        (void)picture;                                                                                                 \
        return jpeg_of((JpegKind){__VA_ARGS__}, 45, 37);                                                               \
    }
JPEG_SAMPLE(jpeg_gray, .from = JCS_GRAYSCALE, JCS_GRAYSCALE, 1)
JPEG_SAMPLE(jpeg_gray_progressive, .from = JCS_GRAYSCALE, JCS_GRAYSCALE, 1, .progressive = 1)
JPEG_SAMPLE(jpeg_colour, .from = JCS_RGB, JCS_YCbCr, 3, .sampling = 2)
JPEG_SAMPLE(jpeg_colour_full, .from = JCS_RGB, JCS_YCbCr, 3, .sampling = 1)
JPEG_SAMPLE(jpeg_rgb, .from = JCS_RGB, JCS_RGB, 3)
JPEG_SAMPLE(jpeg_progressive, .from = JCS_RGB, JCS_YCbCr, 3, .progressive = 1, .sampling = 2)
JPEG_SAMPLE(jpeg_restarts, .from = JCS_RGB, JCS_YCbCr, 3, .restart = 2)
JPEG_SAMPLE(jpeg_arithmetic, .from = JCS_RGB, JCS_YCbCr, 3, .arithmetic = 1)

/* BMP, byte by byte (Windows SDK, BITMAPINFOHEADER and its kin) */

typedef struct BmpKind {
    unsigned header, bits, colours, masks[4];
    bool top_down;
} BmpKind;

static unsigned masked(unsigned value, unsigned mask) { /* the top bits of `value` where the mask is */
    const int shift = __builtin_ctz(mask), bits = __builtin_popcount(mask);
    return value >> (8 - bits) << shift;
}

static double unmasked(unsigned value, unsigned mask) {
    const int bits = __builtin_popcount(mask);
    return floor((value >> (8 - bits)) * 255.0 / ((1u << bits) - 1) + 0.5);
}

static Bytes bmp_of(BmpKind kind, Image **picture) {
    const bool alpha = kind.masks[3] != 0 || (kind.bits == 32 && !kind.masks[0]), fields = kind.masks[0] != 0;
    const unsigned entry = kind.header == 12 ? 3 : 4, behind = fields && kind.header == 40 ? 12 : 0;
    const unsigned offset = 14 + kind.header + behind + kind.colours * entry, row = (WIDE * kind.bits + 31) / 32 * 4;
    Bytes file = begin();
    put_text(&file, "BM");
    put32(&file, offset + row * HIGH);
    put32(&file, 0);
    put32(&file, offset);
    put32(&file, kind.header);
    if (kind.header == 12) {
        put16(&file, WIDE);
        put16(&file, HIGH);
    } else {
        put32(&file, WIDE);
        put32(&file, kind.top_down ? -(unsigned)HIGH : HIGH);
    }
    put16(&file, 1);
    put16(&file, kind.bits);
    const size_t header_end = 14 + kind.header;
    if (kind.header > 12) {
        put32(&file, fields ? 3 : 0);
        put32(&file, row * HIGH);
        put32(&file, 2835);
        put32(&file, 2835);
        put32(&file, kind.colours);
        put32(&file, 0);
    }
    for (int c = 0; fields && c < (kind.header == 40 ? 3 : 4); c++)
        put32(&file, kind.masks[c]);
    while (file.size < header_end)
        put8(&file, 0);
    for (unsigned i = 0; i < kind.colours; i++) {
        put8(&file, 255 - i);
        put8(&file, i * 3 & 255);
        put8(&file, i);
        if (entry == 4)
            put8(&file, 0);
    }
    Image *image = *picture = noise(WIDE, HIGH, alpha ? 4 : 3, PIXEL_U8);
    for (size_t line = 0; line < HIGH; line++) {
        const size_t y = kind.top_down ? line : HIGH - 1 - line, begins = file.size;
        unsigned held = 0;
        for (size_t x = 0; x < WIDE; x++) {
            const unsigned char *pixel = pixel_at(image, x, y);
            if (kind.bits <= 8) {
                const unsigned index = pixel[0] % kind.colours;
                held = held << kind.bits | index;
                if ((x + 1) * kind.bits % 8 == 0 || x + 1 == WIDE)
                    put8(&file, held << (8 - ((x * kind.bits) % 8 + kind.bits)) & 255);
                view_set_value(image->view, x, y, 0, index);
                view_set_value(image->view, x, y, 1, index * 3 & 255);
                view_set_value(image->view, x, y, 2, 255 - index);
            } else if (kind.masks[0] || kind.bits == 16) {
                const unsigned default_masks[4] = {31 << 10, 31 << 5, 31, 0},
                               *masks = fields ? kind.masks : default_masks;
                unsigned value = 0;
                for (int c = 0; c < (alpha ? 4 : 3); c++) {
                    value |= masked(pixel[c], masks[c]);
                    view_set_value(image->view, x, y, c, unmasked(pixel[c], masks[c]));
                }
                (kind.bits == 16 ? put16 : put32)(&file, value);
            } else {
                put8(&file, pixel[2]);
                put8(&file, pixel[1]);
                put8(&file, pixel[0]);
                if (kind.bits == 32)
                    put8(&file, pixel[3]);
            }
        }
        while ((file.size - begins) % 4)
            put8(&file, 0);
    }
    return file;
}

#define BMP_SAMPLE(name, ...)                                                                                          \
    static Bytes name(Image **picture) {                                                                               \
        return bmp_of((BmpKind){__VA_ARGS__}, picture);                                                                \
    }
BMP_SAMPLE(bmp_1, .header = 40, 1, 2)
BMP_SAMPLE(bmp_4, .header = 40, 4, 11)
BMP_SAMPLE(bmp_8, .header = 40, 8, 200)
BMP_SAMPLE(bmp_8_os2, .header = 12, 8, 256)
BMP_SAMPLE(bmp_16, .header = 40, 16, 0)
BMP_SAMPLE(bmp_16_fields, .header = 40, 16, 0, {0xF800, 0x07E0, 0x001F, 0})
BMP_SAMPLE(bmp_24, .header = 40, 24, 0)
BMP_SAMPLE(bmp_24_os2, .header = 12, 24, 0)
BMP_SAMPLE(bmp_24_top_down, .header = 40, 24, 0, {0}, true)
BMP_SAMPLE(bmp_24_v5, .header = 124, 24, 0)
BMP_SAMPLE(bmp_32, .header = 40, 32, 0)
BMP_SAMPLE(bmp_32_v3, .header = 56, 32, 0, {0xFF, 0xFF00, 0xFF0000, 0xFF000000})
BMP_SAMPLE(bmp_32_v4, .header = 108, 32, 0, {0xFF000000, 0xFF0000, 0xFF00, 0xFF})

/* TGA, byte by byte (Truevision TGA file format specification 2.0) */

typedef struct TgaKind {
    unsigned type, bits, map_bits, map_first, flags;
} TgaKind;

static void tga_colour(Bytes *file, unsigned bits, const unsigned char *pixel) {
    if (bits == 15 || bits == 16)
        put16(file, (unsigned)(pixel[0] >> 3 << 10 | pixel[1] >> 3 << 5 | pixel[2] >> 3));
    else
        put(file, (unsigned char[]){pixel[2], pixel[1], pixel[0], bits == 32 ? pixel[3] : 0}, bits / 8);
}

static Bytes tga_of(TgaKind kind, Image **picture) {
    enum { COLOURS = 9, RUN = 6 };
    const bool mapped = (kind.type & 7) == 1, gray = (kind.type & 7) == 3, packed = kind.type & 8;
    const unsigned bits = mapped ? kind.map_bits : kind.bits;
    const int channels = gray ? (int)kind.bits / 8 : bits == 32 ? 4 : 3;
    Image *from = stripes(channels), *map = noise(COLOURS, 1, channels, PIXEL_U8);
    *picture = blank(WIDE, HIGH, channels, PIXEL_U8);
    Bytes file = begin();
    put8(&file, 5);
    put8(&file, mapped);
    put8(&file, kind.type);
    put16(&file, kind.map_first);
    put16(&file, mapped ? COLOURS : 0);
    put8(&file, kind.map_bits);
    put32(&file, 0);
    put16(&file, WIDE);
    put16(&file, HIGH);
    put8(&file, kind.bits);
    put8(&file, kind.flags);
    put_text(&file, "hello");
    for (size_t i = 0; mapped && i < COLOURS; i++)
        tga_colour(&file, kind.map_bits, pixel_at(map, i, 0));
    for (size_t i = 0; i < (size_t)WIDE * HIGH; i++) {
        const size_t column = i % WIDE, x = kind.flags & 0x10 ? WIDE - 1 - column : column;
        const size_t y = kind.flags & 0x20 ? i / WIDE : HIGH - 1 - i / WIDE;
        const bool in_run = packed && column < RUN; /* each row begins with a run of one colour */
        const unsigned char *pixel = pixel_at(from, in_run ? 0 : x, y);
        const unsigned index = pixel[0] % COLOURS;
        if (packed && (column == 0 || column == RUN))
            put8(&file, column == 0 ? 0x80 | (RUN - 1) : WIDE - RUN - 1);
        if (!in_run || column == 0) {
            if (mapped)
                put(&file, (unsigned[]){index + kind.map_first}, kind.bits / 8);
            else if (gray)
                put(&file, pixel, kind.bits / 8);
            else
                tga_colour(&file, kind.bits, pixel);
        }
        for (int c = 0; c < channels; c++) {
            const unsigned value = mapped ? pixel_at(map, index, 0)[c] : pixel[c];
            view_set_value((*picture)->view, x, y, c,
                           gray || bits > 16 ? value : floor((value >> 3) * 255 / 31.0 + 0.5));
        }
    }
    image_destroy(&map);
    image_destroy(&from);
    return file;
}

#define TGA_SAMPLE(name, ...)                                                                                          \
    static Bytes name(Image **picture) {                                                                               \
        return tga_of((TgaKind){__VA_ARGS__}, picture);                                                                \
    }
TGA_SAMPLE(tga_gray, .type = 3, 8)
TGA_SAMPLE(tga_gray_alpha, .type = 3, 16)
TGA_SAMPLE(tga_gray_runs, .type = 11, 8, .flags = 0x20)
TGA_SAMPLE(tga_15, .type = 2, 15)
TGA_SAMPLE(tga_16_runs, .type = 10, 16)
TGA_SAMPLE(tga_24, .type = 2, 24)
TGA_SAMPLE(tga_24_runs, .type = 10, 24, .flags = 0x20)
TGA_SAMPLE(tga_24_right_to_left, .type = 10, 24, .flags = 0x10)
TGA_SAMPLE(tga_32, .type = 2, 32, .flags = 8)
TGA_SAMPLE(tga_32_runs, .type = 10, 32, .flags = 0x28)
TGA_SAMPLE(tga_map_24, .type = 1, 8, 24)
TGA_SAMPLE(tga_map_16_runs, .type = 9, 8, 16)
TGA_SAMPLE(tga_map_32_from_40, .type = 9, 8, 32, 40)

/* GIF, with a plain LZW encoder (GIF89a specification, appendix F) */

typedef struct GifKind {
    bool interlaced, local, transparent, never_clears, animated;
    size_t width, height, left, top; /* of the frame */
} GifKind;

enum { GIF_BITS = 4, GIF_COLOURS = 1 << GIF_BITS, GIF_WIDE = 160, GIF_HIGH = 120 };

typedef struct Packer {
    Bytes *file;
    unsigned char block[255];
    unsigned filled, held, bits;
} Packer;

static void pack_block(Packer *packer) {
    put8(packer->file, packer->filled);
    put(packer->file, packer->block, packer->filled);
    packer->filled = 0;
}

static void pack(Packer *packer, unsigned code, unsigned bits) {
    packer->held |= code << packer->bits;
    packer->bits += bits;
    for (; packer->bits >= 8; packer->bits -= 8, packer->held >>= 8) {
        packer->block[packer->filled++] = (unsigned char)packer->held;
        if (packer->filled == 255)
            pack_block(packer);
    }
}

static void gif_pack(Bytes *file, const unsigned char *values, size_t count, bool never_clears) {
    enum { CLEAR = GIF_COLOURS, END };
    static short next[4096][GIF_COLOURS];
    Packer packer = {.file = file};
    unsigned bits = GIF_BITS + 1, codes = END + 1, string = values[0];
    put8(file, GIF_BITS);
    pack(&packer, CLEAR, bits);
    memset(next, -1, sizeof next);
    for (size_t i = 1; i < count; i++) {
        const unsigned value = values[i];
        if (next[string][value] >= 0) {
            string = (unsigned)next[string][value];
            continue;
        }
        pack(&packer, string, bits);
        if (codes == 1u << bits && bits < 12)
            bits++;
        if (codes < 4096) {
            next[string][value] = (short)codes++;
        } else if (!never_clears) {
            pack(&packer, CLEAR, bits);
            memset(next, -1, sizeof next);
            bits = GIF_BITS + 1;
            codes = END + 1;
        }
        string = value;
    }
    pack(&packer, string, bits);
    if (codes == 1u << bits && bits < 12)
        bits++;
    pack(&packer, END, bits);
    pack(&packer, 0, 7);
    if (packer.filled)
        pack_block(&packer);
    put8(file, 0);
}

static void gif_colours(Bytes *file, unsigned shift) {
    for (unsigned i = 0; i < GIF_COLOURS; i++)
        put(file, (unsigned char[]){(unsigned char)(i * 16 + shift), (unsigned char)(255 - i), (unsigned char)(i * i)},
            3);
}

static Bytes gif_of(GifKind kind, Image **picture) {
    static const size_t first[] = {0, 4, 2, 1}, step[] = {8, 8, 4, 2};
    const bool opaque = kind.width == GIF_WIDE && kind.height == GIF_HIGH && !kind.transparent;
    const int channels = opaque ? 3 : 4;
    Bytes file = begin();
    *picture = blank(GIF_WIDE, GIF_HIGH, channels, PIXEL_U8);
    put_text(&file, "GIF89a");
    put16(&file, GIF_WIDE);
    put16(&file, GIF_HIGH);
    put8(&file, 0x80 | (GIF_BITS - 1));
    put8(&file, 0);
    put8(&file, 0);
    gif_colours(&file, 1);
    put(&file, "\x21\xFE\x05hello", 9); /* a comment, its end included */
    put(&file, "\x21\xF9\x04", 3);
    put8(&file, kind.transparent);
    put16(&file, 10);
    put8(&file, 3);
    put8(&file, 0);
    put8(&file, 0x2C);
    put16(&file, (unsigned)kind.left);
    put16(&file, (unsigned)kind.top);
    put16(&file, (unsigned)kind.width);
    put16(&file, (unsigned)kind.height);
    put8(&file, (kind.local ? 0x80 | (GIF_BITS - 1) : 0) | (kind.interlaced ? 0x40 : 0));
    const unsigned shift = kind.local ? 7 : 1;
    if (kind.local)
        gif_colours(&file, shift);
    static unsigned char values[GIF_WIDE * GIF_HIGH];
    size_t count = 0;
    Pcg pcg = pcg_seed(3, 1);
    for (size_t pass = kind.interlaced ? 0 : 3; pass < 4; pass++)
        for (size_t y = kind.interlaced ? first[pass] : 0; y < kind.height; y += kind.interlaced ? step[pass] : 1)
            for (size_t x = 0; x < kind.width; x++) {
                const unsigned value = pcg_next(&pcg) % (x < 20 ? 2 : GIF_COLOURS);
                const bool hole = kind.transparent && value == 3;
                values[count++] = (unsigned char)value;
                const unsigned colour[4] = {(value * 16 + shift) & 255, 255 - value, value * value, 255};
                for (int c = 0; c < channels; c++)
                    view_set_value((*picture)->view, kind.left + x, kind.top + y, c, hole ? 0 : colour[c]);
            }
    gif_pack(&file, values, count, kind.never_clears);
    if (kind.animated) {
        put(&file, "\x2C\0\0\0\0\2\0\2\0\0", 10);
        gif_pack(&file, values, 4, false);
    }
    put8(&file, 0x3B);
    return file;
}

#define GIF_SAMPLE(name, ...)                                                                                          \
    static Bytes name(Image **picture) {                                                                               \
        return gif_of((GifKind){__VA_ARGS__}, picture);                                                                \
    }
GIF_SAMPLE(gif_plain, .width = GIF_WIDE, .height = GIF_HIGH)
GIF_SAMPLE(gif_full_table, .width = GIF_WIDE, .height = GIF_HIGH, .never_clears = true)
GIF_SAMPLE(gif_interlaced, .interlaced = true, .width = GIF_WIDE, .height = 61)
GIF_SAMPLE(gif_small_frame, .local = true, .transparent = true, .width = 5, .height = 3, .left = 80, .top = 60)
GIF_SAMPLE(gif_animated, .transparent = true, .width = GIF_WIDE, .height = 20, .animated = true)

/* Radiance HDR, byte by byte */

static Bytes hdr_of(bool packed, size_t width, Image **picture) {
    char size[64];
    Bytes file = begin();
    Image *from = noise(width, HIGH, 4, PIXEL_U8);
    *picture = blank(width, HIGH, 3, PIXEL_F32);
    put_text(&file, "#?RADIANCE\n# made by hand\nFORMAT=32-bit_rle_rgbe\n\n");
    snprintf(size, sizeof size, "-Y %d +X %zu\n", HIGH, width);
    put_text(&file, size);
    for (size_t y = 0; y < HIGH; y++) {
        unsigned char *row = view_row(from->view, y);
        for (size_t x = 0; x < width; x++) {
            row[4 * x] |= 128;
            row[4 * x + 3] = (unsigned char)(120 + row[4 * x + 3] % 16);
            for (size_t i = 0; packed && x > 3 && x < 11 && i < 4; i++)
                row[4 * x + i] = row[4 * 3 + i];
            for (int c = 0; c < 3; c++)
                view_set_value((*picture)->view, x, y, c, ldexp(row[4 * x + (size_t)c], row[4 * x + 3] - 136));
        }
        if (!packed) {
            put(&file, row, 4 * width);
            continue;
        }
        put(&file, (unsigned char[]){2, 2, (unsigned char)(width >> 8), (unsigned char)width}, 4);
        for (size_t c = 0; c < 4; c++) {
            put8(&file, 3);
            for (size_t x = 0; x < 3; x++)
                put8(&file, row[4 * x + c]);
            put8(&file, 128 + 8);
            put8(&file, row[4 * 3 + c]);
            put8(&file, (unsigned)width - 11);
            for (size_t x = 11; x < width; x++)
                put8(&file, row[4 * x + c]);
        }
    }
    image_destroy(&from);
    return file;
}

static Bytes hdr_flat(Image **picture) {
    return hdr_of(false, 5, picture);
}
static Bytes hdr_flat_wide(Image **picture) {
    return hdr_of(false, WIDE, picture);
}
static Bytes hdr_packed(Image **picture) {
    return hdr_of(true, 40, picture);
}

/* Netpbm, byte by byte */

/* In a text, the last value has one digit: of several, the last may be missing unseen, as a newline may. */
static Bytes pnm_of(char kind, unsigned max, int channels, Image **picture) {
    char text[128];
    Bytes file = begin();
    const bool words = kind <= '3', bits = max == 1 && kind != '7';
    const PixelType type = max > 255 ? PIXEL_U16 : PIXEL_U8;
    *picture = blank(WIDE, HIGH, channels, type);
    if (kind == '7')
        snprintf(text, sizeof text, "P7\nWIDTH %d\n# a remark\nHEIGHT %d\nDEPTH %d\nMAXVAL %u\nTUPLTYPE X\nENDHDR\n",
                 WIDE, HIGH, channels, max);
    else if (bits)
        snprintf(text, sizeof text, "P%c\n# a remark\n%d %d\n", kind, WIDE, HIGH);
    else
        snprintf(text, sizeof text, "P%c %d\n# a remark\n%d %u\n", kind, WIDE, HIGH, max);
    put_text(&file, text);
    Pcg pcg = pcg_seed(max, 1);
    for (size_t y = 0; y < HIGH; y++) {
        unsigned held = 0;
        for (size_t i = 0; i < WIDE * (size_t)channels; i++) {
            const bool digit = words && max > 9 && y + 1 == HIGH && i + 1 == WIDE * (size_t)channels;
            const unsigned value = pcg_next(&pcg) % (digit ? 10 : max + 1);
            if (words) {
                snprintf(text, sizeof text, bits ? "%u" : i % 9 ? "%u " : "%u\n", value);
                put_text(&file, text);
            } else if (bits) {
                held = held << 1 | value;
                if (i % 8 == 7 || i + 1 == WIDE)
                    put8(&file, held << (7 - i % 8) & 255);
            } else if (max > 255) {
                put8(&file, value >> 8);
                put8(&file, value & 255);
            } else {
                put8(&file, value);
            }
            const unsigned white = type == PIXEL_U8 ? 255 : 65535;
            view_set_value((*picture)->view, i / (size_t)channels, y, (int)(i % (size_t)channels),
                           floor((bits ? 1 - value : value) * (double)white / max + 0.5));
        }
    }
    return file;
}

static Bytes pnm_p1(Image **picture) {
    return pnm_of('1', 1, 1, picture);
}
static Bytes pnm_p2(Image **picture) {
    return pnm_of('2', 255, 1, picture);
}
static Bytes pnm_p2_small(Image **picture) {
    return pnm_of('2', 7, 1, picture);
}
static Bytes pnm_p3(Image **picture) {
    return pnm_of('3', 1000, 3, picture);
}
static Bytes pnm_p4(Image **picture) {
    return pnm_of('4', 1, 1, picture);
}
static Bytes pnm_p5(Image **picture) {
    return pnm_of('5', 255, 1, picture);
}
static Bytes pnm_p5_long(Image **picture) {
    return pnm_of('5', 65535, 1, picture);
}
static Bytes pnm_p6(Image **picture) {
    return pnm_of('6', 100, 3, picture);
}
static Bytes pnm_p6_long(Image **picture) {
    return pnm_of('6', 4095, 3, picture);
}
static Bytes pnm_p7(Image **picture) {
    return pnm_of('7', 255, 4, picture);
}
static Bytes pnm_p7_bits(Image **picture) {
    return pnm_of('7', 1, 2, picture);
}

static Bytes pfm_of(int channels, bool little, Image **picture) {
    Bytes file = begin();
    *picture = noise(WIDE, HIGH, channels, PIXEL_F32);
    char header[64];
    snprintf(header, sizeof header, "P%c\n%d %d\n%s\n", channels == 3 ? 'F' : 'f', WIDE, HIGH, little ? "-1.0" : "1.0");
    put_text(&file, header);
    for (size_t y = HIGH; y-- > 0;)
        for (size_t i = 0; i < WIDE * (size_t)channels; i++) {
            const unsigned char *b = (const unsigned char *)view_row((*picture)->view, y) + 4 * i;
            put(&file, little ? b : (unsigned char[]){b[3], b[2], b[1], b[0]}, 4);
        }
    return file;
}

static Bytes pfm_colour(Image **picture) {
    return pfm_of(3, true, picture);
}
static Bytes pfm_gray_big(Image **picture) {
    return pfm_of(1, false, picture);
}

/* Files that glint itself writes, where they differ from the files above. */
static Bytes own(const char *format, int channels, PixelType type, Image **picture) {
    *picture = type == PIXEL_U8 ? stripes(channels) : noise(WIDE, HIGH, channels, type);
    return encoded(format, *picture);
}
static Bytes own_png(Image **picture) {
    return own("png", 4, PIXEL_U16, picture);
}
static Bytes own_bmp(Image **picture) {
    return own("bmp", 3, PIXEL_U8, picture);
}
static Bytes own_bmp_alpha(Image **picture) {
    return own("bmp", 4, PIXEL_U8, picture);
}
static Bytes own_tga(Image **picture) {
    return own("tga", 3, PIXEL_U8, picture);
}
static Bytes own_pam(Image **picture) {
    return own("ppm", 2, PIXEL_U16, picture);
}
static Bytes own_hdr(Image **picture) {
    Image *from = noise(WIDE, HIGH, 3, PIXEL_F32);
    Bytes file = encoded("hdr", from);
    image_destroy(&from);
    (void)picture;
    return file;
}

#define S(make)                                                                                                        \
    { #make, make, 0 }
static const Sample samples[] = {
    S(png_gray1),
    S(png_gray2_key),
    S(png_gray4_adam7),
    S(png_gray8_text),
    S(png_gray16_key),
    S(png_palette1),
    S(png_palette4_adam7),
    S(png_palette8),
    S(png_rgb8_adam7),
    S(png_rgb16_key),
    S(png_ga16_adam7),
    S(png_rgba8),
    S(own_png),
    S(jpeg_gray),
    S(jpeg_gray_progressive),
    S(jpeg_colour),
    S(jpeg_colour_full),
    S(jpeg_rgb),
    S(jpeg_progressive),
    S(jpeg_restarts),
    S(jpeg_arithmetic),
    S(bmp_1),
    S(bmp_4),
    S(bmp_8),
    S(bmp_8_os2),
    S(bmp_16),
    S(bmp_16_fields),
    S(bmp_24),
    S(bmp_24_os2),
    S(bmp_24_top_down),
    S(bmp_24_v5),
    S(bmp_32),
    S(bmp_32_v3),
    S(bmp_32_v4),
    S(own_bmp),
    S(own_bmp_alpha),
    S(tga_gray),
    S(tga_gray_alpha),
    S(tga_gray_runs),
    S(tga_15),
    S(tga_16_runs),
    S(tga_24),
    S(tga_24_runs),
    S(tga_24_right_to_left),
    S(tga_32),
    S(tga_32_runs),
    S(tga_map_24),
    S(tga_map_16_runs),
    S(tga_map_32_from_40),
    S(own_tga),
    {"gif_plain", gif_plain, 1},             /* the trailer */
    {"gif_full_table", gif_full_table, 1},   /* the trailer */
    {"gif_interlaced", gif_interlaced, 1},   /* the trailer */
    {"gif_small_frame", gif_small_frame, 1}, /* the trailer */
    {"gif_animated", gif_animated, 1},       /* the trailer */
    S(hdr_flat),
    S(hdr_flat_wide),
    S(hdr_packed),
    S(own_hdr),
    S(pnm_p1),
    {"pnm_p2", pnm_p2, 1},
    {"pnm_p2_small", pnm_p2_small, 1},
    {"pnm_p3", pnm_p3, 1},
    S(pnm_p4),
    S(pnm_p5),
    S(pnm_p5_long),
    S(pnm_p6),
    S(pnm_p6_long),
    S(pnm_p7),
    S(pnm_p7_bits),
    S(own_pam),
    S(pfm_colour),
    S(pfm_gray_big),
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static bool same(const Image *a, const Image *b) {
    return shape_equal(a->view.shape, b->view.shape) &&
           memcmp(a->view.pixels, b->view.pixels, shape_bytes(a->view.shape)) == 0;
}

/* Decodes a copy of exactly `size` bytes, so that the sanitizer sees a read past them. */
static Status decode_first(Bytes file, size_t size, Image **image) {
    Bytes copy = {malloc(size ? size : 1), size};
    memcpy(copy.data, file.data, size);
    const Status status = codec_decode(copy, image);
    if (status != STATUS_OK && (*image != NULL || status_message()[0] == '\0'))
        fail_msg("a refusal leaves an image, or gives no reason");
    bytes_free(&copy);
    return status;
}

static void samples_decode_to_their_pictures(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        Image *want = NULL, *got = NULL;
        Bytes file = samples[i].make(&want);
        if (decode_first(file, file.size, &got) != STATUS_OK) {
            print_error("%s: %s\n", samples[i].name, status_message());
            fail_msg("%s is refused", samples[i].name);
        }
        if (want && !same(want, got)) {
            const Shape a = want->view.shape, b = got->view.shape;
            fail_msg("%s: wrong pixels; want %zux%zu %dx%d, got %zux%zu %dx%d", samples[i].name, a.width, a.height,
                     a.type, a.channels, b.width, b.height, b.type, b.channels);
        }
        image_destroy(&want);
        image_destroy(&got);
        bytes_free(&file);
    }
}

static void expect_refused(const Sample *sample, Bytes file, size_t size, const Image *whole) {
    Image *got = NULL;
    const Status status = decode_first(file, size, &got);
    if (status == STATUS_OK && (size + sample->spare < file.size || !same(got, whole)))
        fail_msg("%s: %zu of %zu bytes were taken for a picture", sample->name, size, file.size);
    if (status != STATUS_OK && status != STATUS_INPUT)
        fail_msg("%s: status %d at %zu bytes: %s", sample->name, (int)status, size, status_message());
    image_destroy(&got);
}

static void cut_files_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        Image *want = NULL, *whole = NULL;
        Bytes file = samples[i].make(&want);
        assert_int_equal(codec_decode(file, &whole), STATUS_OK);
        for (size_t percent = 0; percent < 100; percent++)
            expect_refused(&samples[i], file, file.size * percent / 100, whole);
        for (size_t left = 1; left <= 16; left++)
            expect_refused(&samples[i], file, file.size - left, whole);
        image_destroy(&want);
        image_destroy(&whole);
        bytes_free(&file);
    }
}

/* Any byte may turn into anything: no crash, no endless loop, no image beyond the budget. PNG has checksums: a changed
 * byte is refused, or it is one that carries no pixels. */
static void changed_bytes_do_no_harm(void **state) {
    (void)state;
    static const unsigned char changes[] = {0x01, 0x80, 0xFF};
    enum { BUDGET = 1 << 20 };
    setenv("GLINT_MEMORY", "1M", 1);
    for (size_t i = 0; i < SAMPLES; i++) {
        Image *want = NULL, *whole = NULL;
        Bytes file = samples[i].make(&want);
        assert_int_equal(codec_decode(file, &whole), STATUS_OK);
        const bool checked = strstr(samples[i].name, "png") != NULL;
        for (size_t at = 0; at < file.size; at += (file.size > 4000 && at > 400 ? 11 : 1) * check_every(5))
            for (size_t c = 0; c < sizeof changes; c++) {
                Image *got = NULL;
                file.data[at] ^= changes[c];
                const Status status = decode_first(file, file.size, &got);
                if (status == STATUS_OK && (shape_bytes(got->view.shape) > BUDGET || (checked && !same(got, whole))))
                    fail_msg("%s: byte %zu changed by %02X gives rubbish", samples[i].name, at, changes[c]);
                if (status != STATUS_OK && status != STATUS_INPUT)
                    fail_msg("%s: byte %zu: status %d: %s", samples[i].name, at, (int)status, status_message());
                image_destroy(&got);
                file.data[at] ^= changes[c];
            }
        image_destroy(&want);
        image_destroy(&whole);
        bytes_free(&file);
    }
    unsetenv("GLINT_MEMORY");
}

/* Whole files whose contents contradict their headers. */

static Bytes gif_half(void) { /* 2 x 2 pixels promised, two stored */
    Bytes file = begin();
    put(&file, "GIF89a\2\0\2\0\x80\0\0\1\2\3\4\5\6\x2C\0\0\0\0\2\0\2\0\0\2", 30);
    put(&file, "\2\x44\x0A\0;", 5); /* clear, 0, 1, end: 3 bits each */
    return file;
}

static Bytes bmp_behind_map(void) {
    Image *picture;
    Bytes file = bmp_of((BmpKind){.header = 40, 8, 4, {0}, false}, &picture);
    file.data[file.size - 4] = 200;
    image_destroy(&picture);
    return file;
}

static Bytes tga_behind_map(void) {
    Image *picture;
    Bytes file = tga_of((TgaKind){.type = 1, 8, 24, 0, 0}, &picture);
    file.data[file.size - 1] = 200;
    image_destroy(&picture);
    return file;
}

static Bytes tga_long_run(void) {
    Bytes file = begin();
    put(&file, "\0\0\x0A\0\0\0\0\0\0\0\0\0\2\0\2\0\x18\0\x87\1\2\3", 22);
    return file;
}

static void contradictions_are_refused(void **state) {
    (void)state;
    const struct {
        const char *name, *says;
        Bytes (*make)(void);
    } rows[] = {{"gif_half", "ends early", gif_half},
                {"bmp_behind_map", "colour 200", bmp_behind_map},
                {"tga_behind_map", "colour 200", tga_behind_map},
                {"tga_long_run", "longer than the picture", tga_long_run}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *got = NULL;
        Bytes file = rows[i].make();
        if (decode_first(file, file.size, &got) != STATUS_INPUT)
            fail_msg("%s was taken for a picture", rows[i].name);
        if (!strstr(status_message(), rows[i].says))
            fail_msg("%s: %s", rows[i].name, status_message());
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_decode_to_their_pictures),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(changed_bytes_do_no_harm),
        cmocka_unit_test(contradictions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
