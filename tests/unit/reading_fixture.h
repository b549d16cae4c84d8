/* reading_fixture.h: files of JPEG and PNG under construction. */
#ifndef GLINT_TESTS_UNIT_READING_FIXTURE_H
#define GLINT_TESTS_UNIT_READING_FIXTURE_H

#include "core/codec/codec.h"
#include "tests/check.h"

#include <jpeglib.h>
#include <string.h>

static inline Bytes bytes_of(const void *data, size_t size) {
    Bytes made = {0};
    size_t capacity = 0;
    assert_true(bytes_append(&made, &capacity, data, size));
    return made;
}

/* `bytes` with `size` bytes of `data` at `at`. */
static inline Bytes with(Bytes bytes, size_t at, const void *data, size_t size) {
    size_t capacity = 0;
    Bytes made = {0};
    assert_true(bytes_append(&made, &capacity, bytes.data, at) && bytes_append(&made, &capacity, data, size) &&
                bytes_append(&made, &capacity, bytes.data + at, bytes.size - at));
    return made;
}

static const unsigned char inks[4][4] = {{200, 100, 50, 220}, {255, 0, 128, 255}, {17, 240, 99, 3}, {90, 91, 92, 200}};

/* 32 x 16 pixels in four upright stripes. */
static inline Bytes jpeg_of(int channels, J_COLOR_SPACE from, J_COLOR_SPACE stored, unsigned restarts) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    Bytes file = {0};
    unsigned long size = 0;
    unsigned char values[32 * 4];
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &file.data, &size);
    jpeg.image_width = 32;
    jpeg.image_height = 16;
    jpeg.input_components = channels;
    jpeg.in_color_space = from;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, stored);
    jpeg_set_quality(&jpeg, 100, TRUE);
    jpeg.restart_interval = restarts;
    for (int c = 0; c < channels; c++)
        jpeg.comp_info[c].h_samp_factor = jpeg.comp_info[c].v_samp_factor = 1;
    jpeg_start_compress(&jpeg, TRUE);
    for (int x = 0; x < 32; x++)
        for (int c = 0; c < channels; c++)
            values[x * channels + c] = inks[x / 8][c];
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = values;
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    file.size = size;
    return file;
}

static inline Bytes gray_jpeg(unsigned restarts) {
    return jpeg_of(1, JCS_GRAYSCALE, JCS_GRAYSCALE, restarts);
}

static inline Status decode(Bytes file, Image **image) {
    Bytes copy = bytes_of(file.data, file.size); /* of exactly that size, for the sanitizer */
    const Status status = codec_decode(copy, image);
    bytes_free(&copy);
    return status;
}

static inline void assert_refused(Bytes file, const char *says) {
    Image *image;
    assert_int_equal(decode(file, &image), STATUS_INPUT);
    assert_null(image);
    if (!strstr(status_message(), says))
        fail_msg("\"%s\" does not say \"%s\"", status_message(), says);
}

#endif
