/* damage_plain.h: samples of BMP, TGA, GIF, Radiance HDR and Netpbm byte by byte, for test_damage.c. */
#ifndef GLINT_TESTS_UNIT_DAMAGE_PLAIN_H
#define GLINT_TESTS_UNIT_DAMAGE_PLAIN_H

#include "tests/unit/damage_samples.h"

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

#endif
