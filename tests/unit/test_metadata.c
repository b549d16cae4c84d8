/* test_metadata.c: what goes with a picture from format to format; tests/formats/metadata.py made the file. */
#include "core/codec.h"

#include "core/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

#define PACKET "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><!-- a packet --></x:xmpmeta>"

static Image *load(void) {
    Bytes file;
    Image *image;
    REQUIRE(file_read(GLINT_SOURCE_DIR "/tests/formats/metadata.jpg", &file));
    REQUIRE(codec_decode(file, &image));
    bytes_free(&file);
    return image;
}

static bool has(ImageBlock bytes, const char *text) {
    return memmem(bytes.data, bytes.size, text, strlen(text)) != NULL;
}

/* Tag 0112 of the first directory, in little endian. */
static unsigned orientation(ImageBlock exif) {
    const unsigned char *at = memmem(exif.data, exif.size, "\x12\x01\x03\0\x01\0\0\0", 8);
    assert_non_null(at);
    return at[8];
}

static void exif_is_true_of_the_turned_picture(void **state) {
    (void)state;
    Image *image = load();
    assert_int_equal(image->view.shape.width, 8);
    assert_int_equal(image->view.shape.height, 16);
    assert_int_equal(orientation(image->exif), 1);
    assert_true(has(image->exif, "Somebody of that name"));
    assert_false(has(image->exif, "JFIF")); /* the thumbnail's */
    assert_true(has(image->xmp, "<!-- a packet -->"));
    assert_int_equal(image->extras & (EXTRA_EXIF | EXTRA_XMP), 0);
    image_destroy(&image);
}

static void blocks_go_through_formats(void **state) {
    (void)state;
    static const struct {
        const char *format;
        unsigned lost;
    } rows[] = {{"png", 0}, {"jpg", 0}, {"webp", 0}, {"tiff", EXTRA_EXIF}, {"ppm", EXTRA_EXIF | EXTRA_XMP}};
    Image *image = load(), *again;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned lost = 0;
        Bytes file;
        if (format_by_name(rows[i].format)->lacks)
            continue;
        REQUIRE(codec_encode(format_by_name(rows[i].format), image, (SaveOptions){.lost = &lost}, &file));
        if ((lost & (EXTRA_EXIF | EXTRA_XMP)) != rows[i].lost)
            fail_msg("%s loses %x, want %x", rows[i].format, lost, rows[i].lost);
        REQUIRE(codec_decode(file, &again));
        assert_true(shape_equal(again->view.shape, image->view.shape));
        if (!(rows[i].lost & EXTRA_EXIF)) {
            assert_int_equal(again->exif.size, image->exif.size);
            assert_memory_equal(again->exif.data, image->exif.data, image->exif.size);
        }
        if (!(rows[i].lost & EXTRA_XMP)) {
            assert_int_equal(again->xmp.size, strlen(PACKET));
            assert_memory_equal(again->xmp.data, PACKET, strlen(PACKET));
        }
        image_destroy(&again);
        bytes_free(&file);
    }
    image_destroy(&image);
}

static void stripped_pictures_have_neither(void **state) {
    (void)state;
    Image *image = load();
    unsigned lost = 0;
    Bytes file;
    image_strip(image);
    assert_int_equal(image_carries(image), 0);
    REQUIRE(codec_encode(format_by_name("ppm"), image, (SaveOptions){.lost = &lost}, &file));
    assert_int_equal(lost, 0);
    bytes_free(&file);
    image_destroy(&image);
}

/* Blocks that contradict themselves are dropped, never followed outside; the picture stays. */
static void damaged_blocks_cost_themselves(void **state) {
    (void)state;
    Bytes file;
    REQUIRE(file_read(GLINT_SOURCE_DIR "/tests/formats/metadata.jpg", &file));
    const unsigned char *exif = memmem(file.data, file.size, "Exif\0\0", 6);
    const size_t begin = (size_t)(exif - file.data) + 6;
    for (size_t at = begin; at < begin + 260; at++)
        for (int bit = 0; bit < 8; bit++) {
            Image *image = NULL;
            file.data[at] ^= (unsigned char)(1 << bit);
            REQUIRE(codec_decode(file, &image));
            if (!image->exif.data)
                assert_int_equal(image->extras & EXTRA_EXIF, EXTRA_EXIF);
            image_destroy(&image);
            file.data[at] ^= (unsigned char)(1 << bit);
        }
    bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exif_is_true_of_the_turned_picture),
        cmocka_unit_test(blocks_go_through_formats),
        cmocka_unit_test(stripped_pictures_have_neither),
        cmocka_unit_test(damaged_blocks_cost_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
