/* test_codec.c: pictures through every format and back, and files that are not whole.
 * The table of formats says which shapes and data a format can hold. Every shape is tried, and must either come back or
 * be refused with the formats that would take it. */
#include "core/codec/codec.h"

#include "core/codec/encoding.h"
#include "core/codec/formats.h"
#include "core/image/opaque.h"
#include "core/math/pcg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

/* Smooth in x and y, different in every channel, so that JPEG comes close and mixed-up channels show. */
static Image *smooth(Shape shape) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    const double white = pixel_type_white(shape.type);
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++)
                view_set_value(image->view, x, y, c,
                               white * (0.2 + 0.15 * c + 0.1 * sin((double)x / 9) + 0.1 * cos((double)y / 7)));
    return image;
}

static double largest_difference(ImageView a, ImageView b) {
    double worst = 0;
    for (size_t y = 0; y < a.shape.height; y++)
        for (size_t x = 0; x < a.shape.width; x++)
            for (int c = 0; c < a.shape.channels; c++)
                worst = fmax(worst, fabs(view_value(a, x, y, c) - view_value(b, x, y, c)));
    return worst;
}

/* The loss that a format may cause: JPEG quantizes, Radiance shares an exponent of 8 bits' precision among three
 * values. */
static double tolerance(const Format *format, PixelType type) {
    const bool lossy = strstr("jpg webp jxl avif heic", format->name) != NULL, wide = type == PIXEL_U16;
    return strcmp(format->name, "gif") == 0   ? 255  /* test_formats.c looks at the colours that a palette keeps */
           : strcmp(format->name, "exr") == 0 ? 1e-6 /* of colours by alpha and back */
           : lossy                            ? (wide ? 6 * 257 : 6)
           : strcmp(format->name, "hdr") == 0 ? 1.0 / 128
                                              : 0;
}

/* GIF keeps colours by a map, and alpha only where some of it is below a half. */
static int gif_channels(ImageView view) {
    const int alpha = view.shape.channels - 1;
    for (size_t y = 0; y < view.shape.height; y++)
        for (size_t x = 0; x < view.shape.width; x++)
            if (shape_has_alpha(view.shape) && view_value(view, x, y, alpha) < 128)
                return 4;
    return 3;
}

/* Among eight thousand rows of two pixels, a block now and then compresses to just as many bytes as it has. */
static void blocks_that_do_not_shrink_are_kept(void **state) {
    (void)state;
    const Format *format = format_by_name("exr");
    const Shape shape = {2, 8000, 3, PIXEL_F32};
    Pcg pcg = pcg_seed(1, 0);
    Image *image = NULL, *back = NULL;
    Bytes file;
    if (format->lacks)
        skip();
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t i = 0; i < 6; i++)
            ((float *)view_row(image->view, y))[i] = (float)(pcg_next(&pcg) >> 24) / 255;
    REQUIRE(codec_encode(format, image, (SaveOptions){0}, &file));
    REQUIRE(codec_decode(file, &back));
    for (size_t y = 0; y < shape.height; y++)
        assert_memory_equal(view_row(image->view, y), view_row(back->view, y), shape_row_bytes(shape));
    bytes_free(&file);
    image_destroy(&back);
    image_destroy(&image);
}

/* Floats of any size: a picture that is written without an error is read as it was, but for formats of fewer bits. */
static void far_floats_are_kept_or_refused(void **state) {
    (void)state;
    static const char *const names[] = {"jxl", "exr", "pfm", "tiff"};
    unsigned kept = 0;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned seed = 0; seed < 24; seed++) {
            const Format *format = format_by_name(names[n]);
            const Shape shape = {8, 3, seed % 2 ? 3 : 1, PIXEL_F32};
            const int most = seed < 8 ? 8 : seed < 16 ? 40 : 120;
            Pcg pcg = pcg_seed(seed, 0);
            Image *image = NULL, *back = NULL;
            Bytes file;
            if (!format || !format_writes(format, shape))
                continue;
            REQUIRE(image_create(shape, &image));
            for (size_t i = 0; i < 24 * (size_t)shape.channels; i++) {
                const int power = (int)(pcg_next(&pcg) % (2 * (unsigned)most)) - most;
                const double value = ldexp(1 + pcg_next(&pcg) / 4294967296.0, power);
                ((float *)view_row(image->view, i / (8 * (size_t)shape.channels)))[i % (8 * (size_t)shape.channels)] =
                    (float)(i % 3 == 0   ? -value
                            : i % 7 == 0 ? 0
                                         : value);
            }
            const Status status = codec_encode(format, image, (SaveOptions){0}, &file);
            assert_true(status == STATUS_OK || (status == STATUS_INPUT && n == 0));
            if (status == STATUS_OK) {
                REQUIRE(codec_decode(file, &back));
                for (size_t y = 0; y < shape.height; y++)
                    assert_memory_equal(view_row(image->view, y), view_row(back->view, y), shape_row_bytes(shape));
                bytes_free(&file);
                image_destroy(&back);
                kept++;
            }
            image_destroy(&image);
        }
    assert_true(kept > 0);
}

static size_t set_aside(const Format *format, Shape shape) {
    return codec_encoding_memory(shape, 1) + encoding_working(format, shape, &(SaveOptions){0});
}

/* Bytes by chance, and black or white by chance. Files are at most as long as was set aside for them, apart from the
 * bytes that every picture takes. */
static void files_of_noise_take_what_is_set_aside(void **state) {
    (void)state;
    static const char *const names[] = {"jpg", "gif", "png", "tiff", "bmp", "tga", "ppm"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (unsigned kind = 0; kind < 4; kind++) {
            const Format *format = format_by_name(names[n]);
            const Shape shape = {300, 200, kind & 1 ? 3 : 1, PIXEL_U8}, least = {1, 1, shape.channels, PIXEL_U8};
            Pcg pcg = pcg_seed(kind, 0);
            Image *image;
            Bytes file;
            if (format->lacks || !format_writes(format, shape))
                continue;
            REQUIRE(image_create(shape, &image));
            for (size_t i = 0; i < shape_bytes(shape); i++) {
                const unsigned value = pcg_next(&pcg) >> 24;
                ((unsigned char *)image->view.pixels)[i] = (unsigned char)(kind & 2 ? (value & 1) * 255 : value);
            }
            REQUIRE(codec_encode(format, image, save_with("quality", 100), &file));
            const size_t aside = set_aside(format, shape) - set_aside(format, least);
            if (file.size > aside + 2048) /* headers and palettes */
                fail_msg("%s of noise %u: %zu bytes, and %zu set aside", names[n], kind, file.size, aside);
            bytes_free(&file);
            image_destroy(&image);
        }
}

static void round_trip_or_refuse(const Format *format, Shape shape) {
    Image *image = smooth(shape), *back = NULL;
    Bytes file;
    const Status status = codec_encode(format, image, save_with("quality", 95), &file);
    if (status == STATUS_OK) {
        if (codec_decode(file, &back) != STATUS_OK)
            fail_msg("%s %sx%d: %s", format->name, pixel_type_name(shape.type), shape.channels, status_message());
        if (strcmp(format->name, "gif") == 0)
            shape.channels = gif_channels(image->view);
        assert_true(shape_equal(back->view.shape, shape));
        image_make_straight(back);
        if (image->view.shape.channels == shape.channels)
            assert_true(largest_difference(image->view, back->view) <= tolerance(format, shape.type));
        bytes_free(&file);
    } else {
        assert_int_equal(status, STATUS_INPUT);
        assert_null(file.data);
        if (format->writes) /* a sentence that says where to go instead */
            assert_non_null(strstr(status_message(), "these can: "));
    }
    image_destroy(&image);
    image_destroy(&back);
}

static void every_format_holds_or_refuses_every_shape(void **state) {
    (void)state;
    const size_t sizes[][2] = {{1, 1}, {7, 13}, {1, 40}, {200, 3}};
    for (size_t f = 0; f < format_count; f++)
        for (int type = 0; type < PIXEL_TYPES; type++)
            for (int channels = 1; channels <= 4; channels++)
                for (size_t s = 0; s < 4; s++)
                    round_trip_or_refuse(formats[f], (Shape){sizes[s][0], sizes[s][1], channels, (PixelType)type});
}

/* Colours times alpha, and light where there is none. */
static void premultiplied_floats_come_back(void **state) {
    (void)state;
    for (size_t f = 0; f < format_count; f++)
        for (int channels = 2; channels <= 4; channels += 2) {
            Image *image = smooth((Shape){7, 13, channels, PIXEL_F32}), *back = NULL;
            Bytes file = {0};
            view_scale_by_alpha(image->view, false);
            for (int c = 0; c < channels; c++)
                view_set_value(image->view, 2, 3, c, c + 1 < channels ? 5 - c : 0);
            image->premultiplied = true;
            if (codec_encode(formats[f], image, save_with("lossless", true), &file) == STATUS_OK) {
                REQUIRE(codec_decode(file, &back));
                if (strcmp(formats[f]->name, "jxl") == 0)
                    image_make_straight(image);
                assert_int_equal(back->premultiplied, image->premultiplied);
                assert_memory_equal(back->view.pixels, image->view.pixels, shape_bytes(image->view.shape));
            }
            bytes_free(&file);
            image_destroy(&image);
            image_destroy(&back);
        }
}

/* Each format that can be written takes at least one shape, and every shape is taken by a format, floats with alpha by
 * TIFF. */
static void every_shape_can_be_written(void **state) {
    (void)state;
    for (int type = 0; type < PIXEL_TYPES; type++)
        for (int channels = 1; channels <= 4; channels++) {
            Image *image = smooth((Shape){3, 2, channels, (PixelType)type});
            bool taken = false;
            for (size_t f = 0; f < format_count; f++) {
                Bytes file = {0};
                taken |= codec_encode(formats[f], image, (SaveOptions){0}, &file) == STATUS_OK;
                bytes_free(&file);
            }
            const bool float_with_alpha = type == PIXEL_F32 && channels % 2 == 0;
            assert_true(taken || (float_with_alpha && format_by_name("tiff")->lacks));
            image_destroy(&image);
        }
}

/* Samples of every reader: files from our writers, and by hand such as they never write. */

typedef struct Sample {
    const char *name;
    Bytes file;
} Sample;

enum { SAMPLES_MAX = 160 };

typedef struct Samples {
    size_t count, written; /* the first `written` are from our writers */
    Sample list[SAMPLES_MAX];
} Samples;

static void add_sample(Samples *samples, const char *name, const void *data, size_t size) {
    assert_true(samples->count < SAMPLES_MAX);
    Sample *sample = &samples->list[samples->count++];
    *sample = (Sample){name, {malloc(size), size}};
    assert_non_null(sample->file.data);
    memcpy(sample->file.data, data, size);
}

static void add_written(Samples *samples) {
    for (size_t f = 0; f < format_count; f++)
        for (int type = 0; type < PIXEL_TYPES; type++)
            for (int channels = 1; channels <= 4; channels++) {
                Image *image = smooth((Shape){24, 17, channels, (PixelType)type});
                Bytes file = {0};
                if (codec_encode(formats[f], image, (SaveOptions){0}, &file) == STATUS_OK)
                    add_sample(samples, formats[f]->name, file.data, file.size);
                bytes_free(&file);
                image_destroy(&image);
            }
}

static void add_handmade(Samples *samples) {
    /* 8 x 6, uncompressed: gray, colour-mapped, 16 and 24 bit */
    const struct {
        const char *name;
        unsigned char type, bits, map;
    } targas[] = {{"raw gray tga", 3, 8, 0}, {"mapped tga", 1, 8, 1}, {"15 bit tga", 2, 16, 0}, {"raw tga", 2, 24, 0}};
    for (size_t i = 0; i < sizeof targas / sizeof targas[0]; i++) {
        unsigned char tga[18 + 12 + 8 * 6 * 3] = {0, targas[i].map, targas[i].type};
        const size_t map = targas[i].map ? 12 : 0;
        if (map) {
            tga[5] = 4; /* colours */
            tga[7] = 24;
        }
        tga[12] = 8;
        tga[14] = 6;
        tga[16] = targas[i].bits;
        for (size_t k = 18; k < sizeof tga; k++)
            tga[k] = (unsigned char)(map ? k % 4 : k * 7);
        add_sample(samples, targas[i].name, tga, 18 + map + (size_t)8 * 6 * targas[i].bits / 8);
    }
    /* 2 x 2, four colours; each pair of codes begins with a clear code: 4 0 1 4 2 3 5, three bits each */
    const unsigned char gif[] = {'G', 'I', 'F', '8', '9', 'a', 2,   0, 2, 0,    0xA1, 0,    0, 0,
                                 0,   0,   255, 0,   0,   0,   255, 0, 0, 0,    255,  0x2C, 0, 0,
                                 0,   0,   2,   0,   2,   0,   0,   2, 3, 0x44, 0xA8, 0x15, 0, 0x3B};
    add_sample(samples, "gif", gif, sizeof gif);
    const char bits[] = "P4\n# eleven by two\n11 2\n\xA5\x40\x5A\x80";
    add_sample(samples, "bitmap", bits, sizeof bits - 1);
    const char big_endian[] = "Pf\n2 1\n1.0\n\x3F\x80\x00\x00\x40\x00\x00\x00";
    add_sample(samples, "big-endian pfm", big_endian, sizeof big_endian - 1);
}

static int make_samples(void **state) {
    Samples *samples = calloc(1, sizeof *samples);
    *state = samples;
    add_written(samples);
    samples->written = samples->count;
    add_handmade(samples);
    return 0;
}

static int free_samples(void **state) {
    Samples *samples = *state;
    for (size_t i = 0; i < samples->count; i++)
        bytes_free(&samples->list[i].file);
    free(samples);
    return 0;
}

static void whole_samples_load(void **state) {
    const Samples *samples = *state;
    for (size_t i = 0; i < samples->count; i++) {
        Image *image;
        if (codec_decode(samples->list[i].file, &image) != STATUS_OK)
            fail_msg("%s: %s", samples->list[i].name, status_message());
        image_destroy(&image);
    }
}

/* A copy of exactly `size` bytes, so that a reader that goes beyond them is caught by the sanitizers. */
static Status decode_start(Bytes file, size_t size) {
    unsigned char *copy = malloc(size ? size : 1);
    assert_non_null(copy);
    memcpy(copy, file.data, size);
    Image *image = NULL;
    const Status status = codec_decode((Bytes){copy, size}, &image);
    assert_true((status == STATUS_OK) == (image != NULL));
    image_destroy(&image);
    free(copy);
    return status;
}

static void a_file_cut_short_anywhere_is_refused(void **state) {
    const Samples *samples = *state;
    for (size_t i = 0; i < samples->count; i++) {
        Bytes file = samples->list[i].file;
        if (strcmp(samples->list[i].name, "gif") == 0)
            file.size--; /* the trailer may be missing */
        for (size_t percent = 0; percent < 100; percent += check_every(3)) {
            if (decode_start(file, file.size * percent / 100) == STATUS_OK)
                fail_msg("%s loads from its first %zu %%", samples->list[i].name, percent);
            assert_true(status_message()[0] != '\0');
        }
        for (size_t missing = 1; missing <= 16 && missing < file.size; missing++)
            if (decode_start(file, file.size - missing) == STATUS_OK)
                fail_msg("%s loads without its last %zu bytes", samples->list[i].name, missing);
    }
}

/* Whatever byte is wrong: an answer, and under the sanitizers no step outside. */
static void a_changed_byte_is_survived(void **state) {
    const Samples *samples = *state;
    for (size_t i = 0; i < samples->count; i++) {
        const Bytes file = samples->list[i].file;
        for (size_t at = 0; at < file.size; at += (file.size > 600 ? 7 : 1) * check_every(5)) {
            file.data[at] ^= 0x41;
            const Status status = decode_start(file, file.size);
            file.data[at] ^= 0x41;
            assert_true(status == STATUS_OK || status == STATUS_INPUT);
        }
    }
}

/* PNG has checksums: one wrong byte is seen, unless it stands where it says nothing about the pixels. */
static void a_changed_byte_in_png_never_changes_pixels(void **state) {
    const Samples *samples = *state;
    for (size_t i = 0; i < samples->count; i++) {
        const Bytes file = samples->list[i].file;
        Image *whole, *changed;
        if (strcmp(samples->list[i].name, "png") != 0)
            continue;
        REQUIRE(codec_decode(file, &whole));
        for (size_t at = 0; at < file.size; at++) {
            file.data[at] ^= 0x10;
            if (codec_decode(file, &changed) == STATUS_OK) {
                assert_true(shape_equal(whole->view.shape, changed->view.shape));
                assert_memory_equal(whole->view.pixels, changed->view.pixels, shape_bytes(whole->view.shape));
            }
            file.data[at] ^= 0x10;
            image_destroy(&changed);
        }
        image_destroy(&whole);
    }
}

static void nothing_known_is_refused(void **state) {
    (void)state;
    Image *image;
    char text[] = "this is no picture, only a line of text";
    assert_int_equal(codec_decode((Bytes){(unsigned char *)text, sizeof text}, &image), STATUS_INPUT);
    assert_null(image);
    assert_int_equal(codec_decode((Bytes){NULL, 0}, &image), STATUS_INPUT);
}

static void values_of_handmade_files(void **state) {
    (void)state;
    Image *image;
    char gray[] = "P2 # comment\n3 1\n15\n0 5 15\n";
    REQUIRE(codec_decode((Bytes){(unsigned char *)gray, sizeof gray - 1}, &image));
    assert_int_equal((int)view_value(image->view, 0, 0, 0), 0);
    assert_int_equal((int)view_value(image->view, 1, 0, 0), 85);
    assert_int_equal((int)view_value(image->view, 2, 0, 0), 255);
    image_destroy(&image);
    unsigned char wide[] = {'P', '5', '\n', '1', ' ', '1', '\n', '6', '5', '5', '3', '5', '\n', 0x12, 0x34};
    REQUIRE(codec_decode((Bytes){wide, sizeof wide}, &image));
    assert_int_equal((int)view_value(image->view, 0, 0, 0), 0x1234);
    image_destroy(&image);
    char bits[] = "P1\n3 1\n101";
    REQUIRE(codec_decode((Bytes){(unsigned char *)bits, sizeof bits - 1}, &image));
    assert_int_equal((int)view_value(image->view, 0, 0, 0), 0); /* 1 is black */
    assert_int_equal((int)view_value(image->view, 1, 0, 0), 255);
    image_destroy(&image);
    char floats[] = "Pf\n1 2\n1.0\n\x3F\x80\x00\x00\x40\x00\x00\x00";
    REQUIRE(codec_decode((Bytes){(unsigned char *)floats, sizeof floats - 1}, &image));
    assert_true(view_value(image->view, 0, 0, 0) > 1.5); /* the last row comes first: 2, then 1 */
    assert_true(view_value(image->view, 0, 1, 0) < 1.5);
    image_destroy(&image);
    char too_much[] = "P2 1 1 15 16 ";
    assert_int_equal(codec_decode((Bytes){(unsigned char *)too_much, sizeof too_much - 1}, &image), STATUS_INPUT);
}

/* Rows from the top down are said by a negative height. */
static void bmp_from_the_top_down(void **state) {
    (void)state;
    Image *image = smooth((Shape){5, 3, 3, PIXEL_U8}), *turned;
    Bytes file;
    REQUIRE(codec_encode(format_by_name("bmp"), image, (SaveOptions){0}, &file));
    const unsigned char minus_three[4] = {0xFD, 0xFF, 0xFF, 0xFF};
    memcpy(file.data + 22, minus_three, 4);
    REQUIRE(codec_decode(file, &turned));
    assert_int_equal(turned->view.shape.height, 3);
    assert_true(view_value(turned->view, 2, 0, 1) == view_value(image->view, 2, 2, 1));
    bytes_free(&file);
    image_destroy(&turned);
    image_destroy(&image);
}

/* Exif 2.3 in an APP1 segment behind the start-of-image marker: one entry, the orientation. */
static Bytes with_orientation(Bytes jpeg, int orientation) {
    const unsigned char segment[] = {0xFF, 0xE1, 0, 34, 'E', 'x', 'i', 'f', 0, 0,
                                     'M',  'M',  0, 42, 0,   0,   0,   8,   0, 1,
                                     0x01, 0x12, 0, 3,  0,   0,   0,   1,   0, (unsigned char)orientation,
                                     0,    0,    0, 0,  0,   0};
    Bytes made = {malloc(jpeg.size + sizeof segment), jpeg.size + sizeof segment};
    assert_non_null(made.data);
    memcpy(made.data, jpeg.data, 2);
    memcpy(made.data + 2, segment, sizeof segment);
    memcpy(made.data + 2 + sizeof segment, jpeg.data + 2, jpeg.size - 2);
    return made;
}

/* 2 x 1 pixels, 16 and 240, and an eXIf chunk that says: the first row is the right side, the first column the top. */
static void orientation_of_png_is_applied(void **state) {
    static unsigned char data[] = {
        0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52, 0x00, 0x00,
        0x00, 0x02, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0xd1, 0x49, 0x20, 0x56, 0x00, 0x00, 0x00,
        0x1a, 0x65, 0x58, 0x49, 0x66, 0x4d, 0x4d, 0x00, 0x2a, 0x00, 0x00, 0x00, 0x08, 0x00, 0x01, 0x01, 0x12, 0x00,
        0x03, 0x00, 0x00, 0x00, 0x01, 0x00, 0x06, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0xd6, 0x67, 0x4b, 0x69, 0x00,
        0x00, 0x00, 0x0b, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0x10, 0xf8, 0x00, 0x00, 0x01, 0x13, 0x01, 0x01,
        0x75, 0x5b, 0x66, 0xfc, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};
    (void)state;
    Image *image = NULL;
    assert_int_equal(codec_decode((Bytes){data, sizeof data}, &image), STATUS_OK);
    assert_int_equal(image->view.shape.width, 1);
    assert_int_equal(image->view.shape.height, 2);
    assert_int_equal(lround(view_value(image->view, 0, 0, 0)), 16);
    assert_int_equal(lround(view_value(image->view, 0, 1, 0)), 240);
    image_destroy(&image);
}

static void orientation_is_applied(void **state) {
    (void)state;
    /* 32 x 16 with quarters of brightness 0 1 / 2 3; where the quarters of the upright picture come from, by TIFF 6.0
     */
    static const int quarters[9][4] = {{0},          {0, 1, 2, 3}, {1, 0, 3, 2}, {3, 2, 1, 0}, {2, 3, 0, 1},
                                       {0, 2, 1, 3}, {2, 0, 3, 1}, {3, 1, 2, 0}, {1, 3, 0, 2}};
    Image *image, *turned;
    Bytes jpeg;
    REQUIRE(image_create((Shape){32, 16, 1, PIXEL_U8}, &image));
    for (size_t y = 0; y < 16; y++)
        for (size_t x = 0; x < 32; x++)
            view_set_value(image->view, x, y, 0, 40.0 + 50.0 * (double)((y / 8) * 2 + x / 16));
    REQUIRE(codec_encode(format_by_name("jpg"), image, save_with("quality", 95), &jpeg));
    for (int orientation = 1; orientation <= 8; orientation++) {
        Bytes file = with_orientation(jpeg, orientation);
        REQUIRE(codec_decode(file, &turned));
        const size_t w = turned->view.shape.width, h = turned->view.shape.height;
        assert_int_equal(w, orientation >= 5 ? 16 : 32);
        assert_int_equal(h, orientation >= 5 ? 32 : 16);
        for (size_t q = 0; q < 4; q++) {
            const double got = view_value(turned->view, (q % 2 * 2 + 1) * w / 4, (q / 2 * 2 + 1) * h / 4, 0);
            assert_int_equal(lround((got - 40) / 50), quarters[orientation][q]);
        }
        image_destroy(&turned);
        bytes_free(&file);
    }
    bytes_free(&jpeg);
    image_destroy(&image);
}

static void profile_survives_jpeg(void **state) {
    (void)state;
    Image *image = smooth((Shape){9, 9, 3, PIXEL_U8}), *back;
    Bytes file;
    image->profile_size = 70000; /* more than one marker holds */
    image->profile = malloc(image->profile_size);
    for (size_t i = 0; i < image->profile_size; i++)
        image->profile[i] = (unsigned char)(i * 31);
    REQUIRE(codec_encode(format_by_name("jpeg"), image, (SaveOptions){0}, &file));
    REQUIRE(codec_decode(file, &back));
    assert_int_equal(back->profile_size, image->profile_size);
    assert_memory_equal(back->profile, image->profile, image->profile_size);
    bytes_free(&file);
    image_destroy(&back);
    image_destroy(&image);
}

/* The header alone tells that a picture is too large; a few bytes must not make us ask for gigabytes. */
static void budget_is_asked_before_decoding(void **state) {
    const Samples *samples = *state;
    setenv("GLINT_MEMORY", "300", 1);
    for (size_t i = 0; i < samples->written; i++) { /* 24 x 17 pixels take at least 408 bytes */
        Image *image;
        assert_int_equal(codec_decode(samples->list[i].file, &image), STATUS_INPUT);
        assert_non_null(strstr(status_message(), "GLINT_MEMORY"));
        assert_null(image);
    }
    unsetenv("GLINT_MEMORY");
    Image *image;
    char vast[] = "P5 2000000000 2000000000 255\n";
    assert_int_equal(codec_decode((Bytes){(unsigned char *)vast, sizeof vast - 1}, &image), STATUS_INPUT);
}

static void formats_by_spelling(void **state) {
    (void)state;
    assert_string_equal(format_for_path("a/b.c/PHOTO.JPEG")->name, "jpg");
    assert_string_equal(format_for_path("x.pgm")->name, "ppm");
    assert_null(format_for_path("a.png/b"));
    assert_null(format_for_path("png"));
    assert_null(format_for_path("x.pn"));
    assert_null(format_by_name("jpg jpeg"));
}

/* BMP and TGA are written in pieces of rows. BMP: the sizes of the header, and rows from the bottom up in multiples of
 * four bytes, in blue, green and red. */
static void tall_pictures_are_whole(void **state) {
    enum { WIDTH = 5, HEIGHT = 600, PIXELS_AT = 54, ROW = 16 };
    (void)state;
    for (int channels = 3; channels <= 4; channels++)
        for (int k = 0; k < 2; k++) {
            const Format *format = format_by_name(k ? "tga" : "bmp");
            Image *image = smooth((Shape){WIDTH, HEIGHT, channels, PIXEL_U8}), *back;
            Bytes file = {0};
            REQUIRE(codec_encode(format, image, (SaveOptions){0}, &file));
            REQUIRE(codec_decode(file, &back));
            assert_int_equal(back->view.shape.height, HEIGHT);
            assert_true(largest_difference(image->view, back->view) == 0);
            if (k == 0)
                assert_true(u32_at(file, 2) == file.size && u32_at(file, 22) == HEIGHT);
            if (k == 0 && channels == 3) {
                assert_int_equal(file.size, PIXELS_AT + HEIGHT * ROW);
                for (size_t y = 0; y < HEIGHT; y++)
                    for (size_t x = 0; x < WIDTH; x++)
                        for (int c = 0; c < 3; c++)
                            assert_true(file.data[PIXELS_AT + (HEIGHT - 1 - y) * ROW + 3 * x + 2 - (size_t)c] ==
                                        view_value(image->view, x, y, c));
            }
            image_destroy(&image);
            image_destroy(&back);
            bytes_free(&file);
        }
}

/* ---- options of encoders ---- */

static const Option *gathered(const char *name) {
    const OptionTable table = save_options_table(0);
    const Option *found = NULL;
    for (size_t i = 0; i < table.count; i++)
        if (strcmp(table.rows[i].name, name) == 0) {
            assert_null(found);
            found = &table.rows[i];
        }
    return found;
}

/* Each name is there once, and its formats agree on it. */
static void options_of_formats_are_gathered(void **state) {
    static const char *const helps[][2] = {{"quality", "JPEG, WebP, JPEG XL, AVIF, HEIF: quality, 1 to 100 (92)"},
                                           {"lossless", "WebP, JPEG XL, AVIF, HEIF: keep every value"},
                                           {"progressive", "JPEG: several scans, each finer; smaller"},
                                           {"effort", "PNG, TIFF, WebP, JPEG XL, AVIF, HEIF: 1, fast, to 9, smaller "
                                                      "files (4)"},
                                           {"half", "OpenEXR: 16 bits a value, not 32"}};
    (void)state;
    for (size_t i = 0; i < sizeof helps / sizeof *helps; i++) {
        assert_non_null(gathered(helps[i][0]));
        assert_string_equal(gathered(helps[i][0])->help, helps[i][1]);
    }
    for (size_t f = 0; f < format_count; f++)
        for (size_t i = 0; i < formats[f]->options.count; i++) {
            const Option *own = &formats[f]->options.rows[i], *row = gathered(own->name);
            assert_non_null(row);
            assert_true(own->kind != OPTION_TEXT && own->kind != OPTION_OWN && !own->neutral);
            assert_true(own->kind == row->kind && own->letter == row->letter && own->min == row->min);
            assert_true(own->max == row->max && own->otherwise == row->otherwise);
            assert_true(!option_counts(own) || own->min > 0 || own->max < 0);
            assert_true(own->value ? strcmp(own->value, row->value) == 0 : !row->value);
        }
}

static void options_of_encoders_have_defaults(void **state) {
    const SaveOptions none = {0}, poor = save_with("quality", 50), exact = save_with("lossless", true);
    (void)state;
    assert_true(save_value(&none, "quality") == 92 && save_value(&none, "lossless") == 0);
    assert_true(save_value(&poor, "quality") == 50 && save_value(&poor, "lossless") == 0);
    assert_true(save_value(&exact, "quality") == 92 && save_value(&exact, "lossless") == 1);
    assert_true(save_value(&poor, "none of this name") == 0);
}

/* At most so many bytes, by the best quality that has them, and never above the one that was asked for. Quality is
 * found again by encoding at each. */
static void files_of_so_many_bytes(void **state) {
    (void)state;
    static const char *const names[] = {"jpg", "webp", "jxl"};
    Image *image = smooth((Shape){90, 70, 3, PIXEL_U8});
    view_fill_random(view_crop(image->view, 10, 10, 30, 30), 1);
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        const Format *format = format_by_name(names[n]);
        size_t sizes[93] = {0}, best = 0;
        for (int quality = 1; quality <= 92 && format->writes; quality++) {
            Bytes file;
            REQUIRE(codec_encode(format, image, save_with("quality", quality), &file));
            sizes[quality] = file.size;
            bytes_free(&file);
        }
        if (!format->writes)
            continue;
        const size_t wants[] = {sizes[92], sizes[92] - 1, (sizes[1] + sizes[92]) / 2, sizes[1], sizes[1] - 1};
        for (size_t w = 0; w < sizeof wants / sizeof *wants; w++) {
            Bytes file;
            best = 0;
            for (int quality = 1; quality <= 92; quality++)
                best = sizes[quality] <= wants[w] && sizes[quality] > best ? sizes[quality] : best;
            const Status status = codec_encode(format, image, save_with("bytes", (double)wants[w]), &file);
            assert_int_equal(status, best > 0 ? STATUS_OK : STATUS_INPUT);
            if (best == 0)
                assert_non_null(strstr(status_message(), "and too many also at quality 1, and --bytes asks for"));
            assert_true(file.size <= wants[w] && file.size >= best * 9 / 10); /* sizes do not grow at each step */
            bytes_free(&file);
        }
    }
    image_destroy(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_of_formats_are_gathered),
        cmocka_unit_test(options_of_encoders_have_defaults),
        cmocka_unit_test(files_of_so_many_bytes),
        cmocka_unit_test(every_format_holds_or_refuses_every_shape),
        cmocka_unit_test(files_of_noise_take_what_is_set_aside),
        cmocka_unit_test(premultiplied_floats_come_back),
        cmocka_unit_test(blocks_that_do_not_shrink_are_kept),
        cmocka_unit_test(far_floats_are_kept_or_refused),
        cmocka_unit_test(every_shape_can_be_written),
        cmocka_unit_test(whole_samples_load),
        cmocka_unit_test(a_file_cut_short_anywhere_is_refused),
        cmocka_unit_test(a_changed_byte_is_survived),
        cmocka_unit_test(a_changed_byte_in_png_never_changes_pixels),
        cmocka_unit_test(nothing_known_is_refused),
        cmocka_unit_test(values_of_handmade_files),
        cmocka_unit_test(bmp_from_the_top_down),
        cmocka_unit_test(orientation_is_applied),
        cmocka_unit_test(orientation_of_png_is_applied),
        cmocka_unit_test(profile_survives_jpeg),
        cmocka_unit_test(budget_is_asked_before_decoding),
        cmocka_unit_test(formats_by_spelling),
        cmocka_unit_test(tall_pictures_are_whole),
    };
    return cmocka_run_group_tests(tests, make_samples, free_samples);
}
