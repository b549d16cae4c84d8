/* test_bounds.c: headers that ask for more work or memory than any picture needs. */
#include "core/base/file.h"
#include "core/codec/codec.h"
#include "core/codec/formats.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

typedef struct Made {
    Bytes file;
    size_t capacity;
} Made;

static void put(Made *made, const void *data, size_t size) {
    assert_true(bytes_append(&made->file, &made->capacity, data, size));
}

static void put_number(Made *made, size_t value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)(value >> 8 * i);
        put(made, &byte, 1);
    }
}

static Status measure(Bytes file, Pages pages, Measure *measured) {
    Input input = input_of(file);
    size_t format;
    return codec_measure(&input, pages, &format, measured);
}

static bool reads(const char *format) {
    return !format_by_name(format)->lacks;
}

/* ---- OpenEXR ---- */

/* A sample with so many attributes more, and a further list of so many channels. */
static Bytes exr_with(size_t attributes, size_t channels) {
    enum { HEAD = 8, CHANNEL = 16 };
    Made made = {.capacity = 0};
    Bytes sample;
    char name[32];
    REQUIRE(file_read(FOLDER "exr-half-none.exr", &sample));
    put(&made, sample.data, HEAD);
    for (size_t i = 0; i < attributes; i++) {
        put(&made, name, (size_t)snprintf(name, sizeof name, "x%zu", i) + 1);
        put(&made, "string\0\1\0\0\0a", 12);
    }
    if (channels > 0) {
        put(&made, "further\0chlist", 15);
        put_number(&made, channels * (6 + CHANNEL) + 1, 4);
        for (size_t i = 0; i < channels; i++) {
            put(&made, name, (size_t)snprintf(name, sizeof name, "c%04zu", i) + 1);
            put(&made, "\1\0\0\0\0\0\0\0\1\0\0\0\1\0\0", CHANNEL);
        }
        put(&made, "", 1);
    }
    put(&made, sample.data + HEAD, sample.size - HEAD);
    bytes_free(&sample);
    return made.file;
}

static void of_exr_end_at_what_is_plenty(void **state) {
    static const struct {
        size_t attributes, channels;
        const char *reason;
    } rows[] = {{1000, 0, NULL},
                {0, 1024, NULL},
                {1025, 0, "an EXR of more than 1024 attributes in a part"},
                {200000, 0, "an EXR of more than 1024 attributes in a part"},
                {0, 1025, "an EXR of more than 1024 channels"},
                {0, 9999, "an EXR of more than 1024 channels"}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && reads("exr"); i++) {
        Measure measured;
        Bytes file = exr_with(rows[i].attributes, rows[i].channels);
        const Status status = measure(file, (Pages){0}, &measured);
        assert_int_equal(status, rows[i].reason ? STATUS_INPUT : STATUS_OK);
        if (rows[i].reason)
            assert_non_null(strstr(status_message(), rows[i].reason));
        bytes_free(&file);
    }
}

static void of_exr_have_short_names(void **state) {
    Made made = {.capacity = 0};
    Measure measured;
    (void)state;
    if (!reads("exr"))
        skip();
    put(&made, "\x76\x2F\x31\x01\2\0\0\0", 8);
    for (int i = 0; i < 1000; i++)
        put(&made, "a", 1);
    assert_int_equal(measure(made.file, (Pages){0}, &measured), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "a name of more than 255 bytes"));
    bytes_free(&made.file);
}

/* ---- TIFF ---- */

/* Pages of 8 x 8 pixels, all of them the same. */
static Bytes tiff_of(size_t pages) {
    enum { PIXELS = 64, DATA = 8, FIRST = DATA + PIXELS, TAGS = 9, DIRECTORY = 2 + 12 * TAGS + 4 };
    static const unsigned tags[TAGS][3] = {{256, 4, 8},    {257, 4, 8}, {258, 3, 8}, {259, 3, 1},     {262, 3, 1},
                                           {273, 4, DATA}, {277, 3, 1}, {278, 4, 8}, {279, 4, PIXELS}};
    static const unsigned char black[PIXELS];
    Made made = {.capacity = 0};
    put(&made, "II*\0", 4);
    put_number(&made, FIRST, 4);
    put(&made, black, PIXELS);
    for (size_t page = 0; page < pages; page++) {
        put_number(&made, TAGS, 2);
        for (size_t i = 0; i < TAGS; i++) {
            put_number(&made, tags[i][0], 2);
            put_number(&made, tags[i][1], 2);
            put_number(&made, 1, 4);
            put_number(&made, tags[i][2], 4);
        }
        put_number(&made, page + 1 < pages ? FIRST + (page + 1) * DIRECTORY : 0, 4);
    }
    return made.file;
}

static void of_tiff_have_so_many_pages(void **state) {
    enum { MOST = 1 << 16 };
    Measure measured;
    (void)state;
    if (!reads("tiff"))
        skip();
    Bytes file = tiff_of(MOST + 1);
    assert_int_equal(measure(file, (Pages){0}, &measured), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "a TIFF of more than 65536 pages"));
    REQUIRE(measure(file, (Pages){.first = 5, .count = 1}, &measured));
    assert_int_equal(measured.count, 1);
    bytes_free(&file);
}

/* ---- many small pictures ---- */

/* Metadata of a picture takes memory, too. */
static void of_many_pictures_count_each(void **state) {
    enum { PICTURES = 1000 };
    static const char picture[] = "\x2C\0\0\0\0\1\0\1\0\0\2\2\x44\1";
    Made made = {.capacity = 0};
    Measure measured;
    (void)state;
    if (!reads("gif"))
        skip();
    put(&made, "GIF89a\1\0\1\0\x80\0\0\0\0\0\xFF\xFF\xFF", 19);
    for (int i = 0; i < PICTURES; i++)
        put(&made, picture, sizeof picture);
    put(&made, ";", 1);
    REQUIRE(measure(made.file, (Pages){0}, &measured));
    assert_int_equal(measured.count, PICTURES);
    assert_true(measured.further >= (PICTURES - 1) * sizeof(Image));
    bytes_free(&made.file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_exr_end_at_what_is_plenty),
        cmocka_unit_test(of_exr_have_short_names),
        cmocka_unit_test(of_tiff_have_so_many_pages),
        cmocka_unit_test(of_many_pictures_count_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
