/* test_heif_sizes.c: how large coded pictures are by their own headers, whatever boxes say. */
#include "core/base/file.h"
#include "core/codec/codec.h"
#include "core/codec/formats.h"
#include "core/codec/heif_sizes.h"

#include <stdio.h>
#include <string.h>

#include "tests/boxes.h"

static Bytes sample(const char *name) {
    char path[512];
    Bytes file;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", name);
    REQUIRE(file_read(path, &file));
    return file;
}

static size_t pixels_of(Bytes file) {
    Input input = input_of(file);
    return heif_coded_pixels(&input);
}

/* The sizes are those that the samples were made with: tests/formats/heif.py. HEVC codes its samples as 64 x 64 pixels,
 * of which a property takes a part. */
static void are_those_of_the_samples(void **state) {
    (void)state;
    static const struct {
        const char *name;
        size_t pixels;
    } rows[] = {{"heif-plain.avif", 32 * 32}, {"heif-plain.heic", 64 * 64},   {"heif-alpha.avif", 32 * 32},
                {"heif-alpha.heic", 64 * 64}, {"heif-turned.avif", 24 * 16},  {"heif-turned-alpha.avif", 24 * 16},
                {"heif-wide.avif", 16 * 12},  {"heif-sequence.avif", 16 * 12}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bytes file = sample(rows[i].name);
        if (pixels_of(file) != rows[i].pixels)
            fail_msg("%s: %zu pixels, want %zu", rows[i].name, pixels_of(file), rows[i].pixels);
        bytes_free(&file);
    }
}

/* Memory goes by the coded size, where the box says less. */
static void count_though_boxes_say_less(void **state) {
    static const unsigned char said[] = {0, 0, 0, 32, 0, 0, 0, 32};
    Measure one, lie;
    size_t format;
    (void)state;
    if (format_by_name("heif")->lacks)
        skip();
    Bytes file = sample("heif-plain.avif");
    unsigned char *box = memmem(file.data, file.size, said, sizeof said);
    Input input = input_of(file);
    assert_non_null(box);
    REQUIRE(codec_measure(&input, (Pages){0}, &format, &one));
    box[3] = box[7] = 8;
    input = input_of(file);
    REQUIRE(codec_measure(&input, (Pages){0}, &format, &lie));
    assert_int_equal(lie.shape.width, 8);
    assert_int_equal(lie.working, one.working);
    bytes_free(&file);
}

/* ---- a file of one picture of AV1 ---- */

typedef struct Coded {
    unsigned char bytes[64];
    size_t bit;
} Coded;

static void bits(Coded *coded, size_t value, size_t count) {
    for (; count > 0; count--, coded->bit++)
        coded->bytes[coded->bit / 8] |= (unsigned char)((value >> (count - 1) & 1) << (7 - coded->bit % 8));
}

/* The item's data in two pieces, which part where `first` bytes end. */
static Bytes file_of(const Coded *coded, size_t first) {
    Made made = {.capacity = 0};
    const size_t ftyp = begin_box(&made, "ftyp", false), size = (coded->bit + 7) / 8;
    assert_true(bytes_append(&made.file, &made.capacity, "avif\0\0\0\0", 8));
    end_box(&made, ftyp, 0);
    const size_t meta = begin_box(&made, "meta", true), iinf = begin_box(&made, "iinf", true);
    put(&made, 1, 2);
    const size_t infe = begin_box(&made, "infe", true);
    made.file.data[made.file.size - 4] = 2;
    put(&made, 7, 2);
    put(&made, 0, 2);
    assert_true(bytes_append(&made.file, &made.capacity, "av01\0", 5));
    end_box(&made, infe, 0);
    end_box(&made, iinf, 0);
    const size_t iloc = begin_box(&made, "iloc", true);
    made.file.data[made.file.size - 4] = 1;
    put(&made, 0x4400, 2); /* offsets and lengths of four bytes, no bases */
    put(&made, 1, 2);
    put(&made, 7, 2);
    put(&made, 1, 2); /* in idat */
    put(&made, 0, 2);
    put(&made, 2, 2);
    put(&made, 0, 4);
    put(&made, first, 4);
    put(&made, first, 4);
    put(&made, size - first, 4);
    end_box(&made, iloc, 0);
    const size_t idat = begin_box(&made, "idat", false);
    assert_true(bytes_append(&made.file, &made.capacity, coded->bytes, size));
    end_box(&made, idat, 0);
    end_box(&made, meta, 0);
    return made.file;
}

/* A sequence header whose frames may say their own sizes, in 12 and 11 bits (AV1 Bitstream Specification, 5.5.1). Its
 * frame (5.9.2) has a size, or has none. */
static Coded coded_frame(bool says) {
    Coded coded = {.bit = 0};
    bits(&coded, 1 << 3 | 2, 8); /* a sequence header with its size */
    bits(&coded, 11, 8);
    bits(&coded, 0, 3 + 1 + 1); /* profile, not still, not reduced */
    bits(&coded, 0, 1 + 1 + 5); /* no clock, no delay, one operating point */
    bits(&coded, 0, 12 + 5);
    bits(&coded, 11, 4);
    bits(&coded, 10, 4);
    bits(&coded, 99, 12);
    bits(&coded, 49, 11);
    bits(&coded, 0, 1 + 3 + 4 + 1); /* no numbers of frames, tools, no order hints */
    bits(&coded, 1, 1);             /* frames choose screen content tools, and whole vectors */
    bits(&coded, 1, 1);
    coded.bit = 13 * (size_t)8;
    bits(&coded, 6 << 3 | 2, 8); /* a frame */
    bits(&coded, 2, 8);
    bits(&coded, 0, 1 + 2); /* a key frame */
    bits(&coded, 1, 1);     /* shown */
    bits(&coded, 0, 1);
    bits(&coded, 3, 2); /* it chooses both */
    bits(&coded, says, 1);
    bits(&coded, 0, 8);
    return coded;
}

static void are_the_largest_that_frames_can_say(void **state) {
    (void)state;
    for (size_t first = 1; first < 17; first++) {
        const Coded quiet = coded_frame(false), says = coded_frame(true);
        Bytes file = file_of(&quiet, first);
        assert_int_equal(pixels_of(file), 100 * 50);
        bytes_free(&file);
        file = file_of(&says, first);
        assert_int_equal(pixels_of(file), (size_t)1 << (12 + 11));
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_those_of_the_samples),
        cmocka_unit_test(count_though_boxes_say_less),
        cmocka_unit_test(are_the_largest_that_frames_can_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
