/* damage_libraries.h: samples of PNG and JPEG by their libraries, for test_damage.c. */
#ifndef GLINT_TESTS_UNIT_DAMAGE_LIBRARIES_H
#define GLINT_TESTS_UNIT_DAMAGE_LIBRARIES_H

#include "tests/unit/damage_samples.h"

#include <jpeglib.h>
#include <png.h>

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

#endif
