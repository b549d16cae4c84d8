/* test_netpbm.c: headers and bitmaps that the Netpbm formats allow, and those that they do not. Pictures also pass
 * between files and memory with no file between. */
#include "core/codec/save.h"
#include "core/math/pcg.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/check.h"

static void netpbm_headers_and_bits(void **state) {
    (void)state;
    static const struct {
        const char *file, *reason; /* NULL: a picture */
    } cases[] = {
        {"P1 3 1 0 1 2", "neither 0 nor 1"},
        {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nENDHDR\nx", "largest value is 0"}, /* a PAM must name MAXVAL */
        {"P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\nx", "0 channels"},
        {"P7\nWIDTH 1\nHEIGHT 1\nDEPTH 1\nMAXVAL 255\nTUPLTYPE OF MY OWN\nENDHDR\nx", NULL},
        {"P5 1 1 3 \7", "larger than 3"},
        {"P5 0 1 255 ", "no pixels"},
        {"P2 2 2 255 10 20 30 7", NULL}, /* the last value ends the file */
        {"P3 1 1 255 10 20 255", NULL},
        {"P1 2 2 1 0 01", NULL},
        {"P2 2 2 255 10 20 30 ", "ends early"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Image *image;
        const Bytes file = {(unsigned char *)(uintptr_t)cases[i].file, strlen(cases[i].file)};
        const Status status = codec_decode(file, &image);
        assert_int_equal(status, cases[i].reason ? STATUS_INPUT : STATUS_OK);
        if (cases[i].reason)
            assert_non_null(strstr(status_message(), cases[i].reason));
        image_destroy(&image);
    }
}

/* The first bytes alone decide about a header; a file that goes on does not end early. */
static void a_long_header_is_named(void **state) {
    (void)state;
    static const char *const names[] = {"P5\n", "#?RADIANCE\n"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = malloc(INPUT_HEAD + 100);
        CodecFile file;
        assert_non_null(text);
        memset(text, 'x', INPUT_HEAD + 100);
        memcpy(text, names[i], strlen(names[i]));
        text[strlen(names[i])] = '#';
        FILE *out = fopen("long.pnm", "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(text, 1, INPUT_HEAD + 100, out), INPUT_HEAD + 100);
        assert_int_equal(fclose(out), 0);
        assert_int_equal(codec_open("long.pnm", (Pages){0}, &file), STATUS_INPUT);
        assert_non_null(strstr(status_message(), "a header of more than 64 KiB"));
        free(text);
    }
    remove("long.pnm");
}

/* ---- files ---- */

#define FILE_HERE "test_netpbm.pnm"

/* Larger than the part read at once. */
static const struct {
    const char *header;
    Shape shape;
    size_t max;
} kinds[] = {
    {"P6\n701 803\n255\n", {701, 803, 3, PIXEL_U8}, 255},
    {"P5\n1 5\n255\n", {1, 5, 1, PIXEL_U8}, 255},
    {"P6\n601 403\n65535\n", {601, 403, 3, PIXEL_U16}, 65535},
    {"P7\nWIDTH 401\nHEIGHT 703\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n", {401, 703, 4, PIXEL_U8}, 255},
    {"P5\n1300 901\n100\n", {1300, 901, 1, PIXEL_U8}, 100},
    {"P5\n700 901\n1000\n", {700, 901, 1, PIXEL_U16}, 1000},
};

/* A header, and random values up to `max`, the high byte first. */
static Bytes make(const char *header, Shape shape, size_t max) {
    const size_t length = strlen(header), size = length + shape_bytes(shape);
    Bytes file = {malloc(size), size};
    Pcg random = pcg_seed(max, 1);
    assert_non_null(file.data);
    snprintf((char *)file.data, size, "%s", header);
    for (size_t at = length; at < size; at += pixel_type_size(shape.type)) {
        const size_t value = pcg_next(&random) % (max + 1);
        file.data[at] = (unsigned char)(shape.type == PIXEL_U8 ? value : value >> 8);
        if (shape.type == PIXEL_U16)
            file.data[at + 1] = (unsigned char)value;
    }
    return file;
}

static void put(Bytes file) {
    FILE *out = fopen(FILE_HERE, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file.data, 1, file.size, out), file.size);
    assert_int_equal(fclose(out), 0);
}

static size_t value_at(Bytes file, size_t header, Shape shape, size_t i) {
    const unsigned char *at = file.data + header + i * pixel_type_size(shape.type);
    return shape.type == PIXEL_U8 ? at[0] : (size_t)at[0] << 8 | at[1];
}

static void values_are_read_where_they_stand(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        const Shape shape = kinds[k].shape;
        const size_t white = (size_t)pixel_type_white(shape.type), row = shape.width * (size_t)shape.channels;
        Bytes file = make(kinds[k].header, shape, kinds[k].max);
        Image *image;
        put(file);
        REQUIRE(codec_load(FILE_HERE, &image));
        assert_true(shape_equal(image->view.shape, shape));
        for (size_t i = 0; i < row * shape.height; i++) {
            const size_t stored = value_at(file, strlen(kinds[k].header), shape, i);
            const size_t want = (stored * white + kinds[k].max / 2) / kinds[k].max;
            const void *line = view_row(image->view, i / row);
            const size_t is =
                shape.type == PIXEL_U8 ? ((const uint8_t *)line)[i % row] : ((const uint16_t *)line)[i % row];
            if (is != want)
                fail_msg("kind %zu, value %zu is %zu, want %zu", k, i, is, want);
        }
        image_destroy(&image);
        bytes_free(&file);
    }
    remove(FILE_HERE);
}

/* Files of the largest value stay as they were. */
static void values_are_written_from_where_they_lie(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k].max < 255 || kinds[k].max == 1000)
            continue;
        Bytes file = make(kinds[k].header, kinds[k].shape, kinds[k].max);
        Image *image;
        put(file);
        REQUIRE(codec_load(FILE_HERE, &image));
        remove(FILE_HERE);
        REQUIRE(output_save_picture(FILE_HERE, (OutputRules){.writer = "-o"}, image, (SaveOptions){0}));
        Input written;
        REQUIRE(input_open(FILE_HERE, &written));
        REQUIRE(input_read(&written, SIZE_MAX - 1));
        assert_int_equal(written.bytes.size, file.size);
        assert_memory_equal(written.bytes.data, file.data, file.size);
        input_close(&written);
        image_destroy(&image);
        bytes_free(&file);
    }
    remove(FILE_HERE);
}

static void one_that_shrinks_meanwhile_ends_early(void **state) {
    (void)state;
    Bytes file = make(kinds[0].header, kinds[0].shape, 255);
    CodecFile codec;
    Image *image;
    put(file);
    REQUIRE(codec_open(FILE_HERE, (Pages){0}, &codec));
    assert_int_equal(truncate(FILE_HERE, (off_t)file.size - 1), 0);
    assert_int_equal(codec_read(&codec, SIZE_MAX, &image), STATUS_INPUT);
    assert_null(image);
    assert_string_equal(status_message(), FILE_HERE ": damaged PNM: the file ends early");
    remove(FILE_HERE);
    bytes_free(&file);
}

/* A source that had to try again, as one does that drops bytes it kept. */
static Status take_at_the_second_try(PixelSource *source, size_t bytes, bool zeroed, void **memory) {
    (void)source, (void)zeroed;
    errno = ENOMEM;
    *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    return *memory ? STATUS_OK : (fail)(STATUS_DEVICE, "no memory");
}

static void give_back(PixelSource *source, void *memory) {
    (void)source;
    free(memory);
}

static void memory_that_came_in_the_end_is_not_short(void **state) {
    (void)state;
    PixelSource source = {.take = take_at_the_second_try, .give = give_back};
    Bytes file = make(kinds[4].header, kinds[4].shape, kinds[4].max);
    Image *image;
    (void)image_source_set(&source);
    const Status status = codec_decode(file, &image);
    image_destroy(&image);
    (void)image_source_set(NULL);
    assert_int_equal(status, STATUS_OK);
    bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(netpbm_headers_and_bits),
        cmocka_unit_test(a_long_header_is_named),
        cmocka_unit_test(values_are_read_where_they_stand),
        cmocka_unit_test(values_are_written_from_where_they_lie),
        cmocka_unit_test(one_that_shrinks_meanwhile_ends_early),
        cmocka_unit_test(memory_that_came_in_the_end_is_not_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
