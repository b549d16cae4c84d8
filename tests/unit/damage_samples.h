/* damage_samples.h: files under construction, and the pictures in them, for test_damage.c. */
#ifndef GLINT_TESTS_UNIT_DAMAGE_SAMPLES_H
#define GLINT_TESTS_UNIT_DAMAGE_SAMPLES_H

#include "core/codec/codec.h"
#include "core/math/pcg.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

#endif
