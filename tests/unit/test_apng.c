/* test_apng.c: the work that frames of PNG may ask for. It is counted, not timed: the reader is compiled here once
 * more, with a function that counts in the place of the one that copies. */
#include "core/codec/formats.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static size_t copied; /* pixels */

static void counted_copy(ImageView from, ImageView to) {
    copied += from.shape.width * from.shape.height;
    view_copy(from, to);
}

ApngSurvey counted_survey(Input *file, Shape canvas);
Shape counted_canvas(Shape shape, ApngSurvey survey);
Status counted_load(Bytes file, Pages pages, Image **image);
Status counted_save(const Image *image, SaveOptions options, Bytes *file);
#define view_copy   counted_copy
#define apng_survey counted_survey
#define apng_canvas counted_canvas
#define apng_load   counted_load
#define apng_save   counted_save
#include "core/codec/apng.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/check.h"

enum { SIDE = 300, SMALL = 50 };

static Image *flat(size_t side) {
    Image *image;
    REQUIRE(image_create((Shape){side, side, 3, PIXEL_U8}, &image));
    return image;
}

/* A picture, and behind it many of one pixel, which give way as `disposal` says. */
static Bytes with_small_frames(Disposal disposal) {
    Image *large = flat(SIDE), *small = flat(1);
    Bytes png = {0}, pixel = {0};
    Writer writer = {.sequence = 0};
    REQUIRE(format_save_rows(&format_png, large, (SaveOptions){0}, &png));
    REQUIRE(format_save_rows(&format_png, small, (SaveOptions){0}, &pixel));
    REQUIRE(put_first(&writer, large, png));
    for (size_t i = 0; i < SMALL; i++) {
        const size_t control = writer.file.size + 8;
        REQUIRE(put_further(&writer, small, pixel));
        unsigned char *data = writer.file.data + control;
        data[24] = (unsigned char)disposal;
        put_be(data + CONTROL, 4, crc32(0, data - 4, CONTROL + 4));
    }
    REQUIRE(put_chunk(&writer.file, &writer.capacity, "IEND", (const unsigned char *)"", 0, NULL));
    image_destroy(&large);
    image_destroy(&small);
    bytes_free(&png);
    bytes_free(&pixel);
    return writer.file;
}

static void small_frames_copy_what_they_paint(void **state) {
    (void)state;
    for (Disposal disposal = KEEP; disposal < DISPOSALS; disposal++) {
        Image *image;
        Bytes file = with_small_frames(disposal);
        copied = 0;
        REQUIRE(counted_load(file, (Pages){SMALL, 1}, &image));
        /* The first frame; for each other one the pixel as it was, the frame, and the pixel again. */
        assert_true(copied <= (size_t)SIDE * SIDE + (size_t)3 * SMALL);
        assert_int_equal(image->view.shape.width, SIDE);
        assert_int_equal(image->view.shape.channels, 3); /* each frame covers the pixels that the last one cleared */
        image_destroy(&image);
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_frames_copy_what_they_paint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
