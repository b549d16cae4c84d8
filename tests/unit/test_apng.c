/* test_apng.c: frames written one by one, and the work that frames of PNG may ask for. Work is counted, not timed: the
 * reader is compiled here once more, with a function that counts in the place of the one that copies. */
#include "core/codec/codec.h"
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
#define view_copy        counted_copy
#define apng_survey      counted_survey
#define apng_canvas      counted_canvas
#define apng_load        counted_load
#define apng_save        counted_save
#define apng_add         counted_add
#define apng_add_changed counted_add_changed
#define apng_end         counted_end
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
    Bytes png = {0}, pixel = {0}, file = {0};
    BytesSink sink = bytes_sink(&file, "PNG");
    ApngWriter writer = {.to = &sink.sink};
    const ApngFrame frame = {.ticks = 1, .rate = 1};
    REQUIRE(format_save_rows(&format_png, large, (SaveOptions){0}, &png));
    REQUIRE(format_save_rows(&format_png, small, (SaveOptions){0}, &pixel));
    REQUIRE(apng_add(&writer, png, frame));
    for (size_t i = 0; i < SMALL; i++) {
        const size_t control = file.size + 8;
        REQUIRE(apng_add(&writer, pixel, frame));
        unsigned char *data = file.data + control;
        data[24] = (unsigned char)disposal;
        put_be(data + CONTROL, 4, crc32(0, data - 4, CONTROL + 4));
    }
    REQUIRE(apng_end(&writer));
    image_destroy(&large);
    image_destroy(&small);
    bytes_free(&png);
    bytes_free(&pixel);
    return file;
}

static void small_frames_copy_what_they_paint(void **state) {
    (void)state;
    for (Disposal disposal = KEEP; disposal < DISPOSALS; disposal++) {
        Image *image;
        Bytes file = with_small_frames(disposal);
        copied = 0;
        REQUIRE(counted_load(file, (Pages){.first = SMALL, .count = 1}, &image));
        /* The first frame; for each other one the pixel as it was, the frame, and the pixel again. */
        assert_true(copied <= (size_t)SIDE * SIDE + (size_t)3 * SMALL);
        assert_int_equal(image->view.shape.width, SIDE);
        assert_int_equal(image->view.shape.channels, 3); /* each frame covers the pixels that the last one cleared */
        image_destroy(&image);
        bytes_free(&file);
    }
}

/* A frame of 3 x 2 pixels over the canvas, from (4, 1) on, half a second after it. */
static void frames_lie_where_they_are_put(void **state) {
    (void)state;
    Image *canvas, *part, *frames;
    Bytes first = {0}, second = {0}, file = {0};
    BytesSink sink = bytes_sink(&file, "PNG");
    ApngWriter writer = {.to = &sink.sink, .plays = 7};
    REQUIRE(image_create((Shape){9, 5, 3, PIXEL_U8}, &canvas));
    REQUIRE(image_create((Shape){3, 2, 3, PIXEL_U8}, &part));
    view_fill_random(canvas->view, 1);
    view_fill_random(part->view, 2);
    REQUIRE(format_save_rows(&format_png, canvas, (SaveOptions){0}, &first));
    REQUIRE(format_save_rows(&format_png, part, (SaveOptions){0}, &second));
    REQUIRE(apng_add(&writer, first, (ApngFrame){.ticks = 5, .rate = 10}));
    REQUIRE(apng_add(&writer, second, (ApngFrame){4, 1, 2, 1}));
    REQUIRE(apng_end(&writer));
    REQUIRE(codec_decode(file, &frames));
    assert_int_equal(image_count(frames), 2);
    assert_int_equal(frames->plays, 7);
    assert_true(frames->seconds > 0.499 && frames->seconds < 0.501 && frames->next->seconds > 1.999);
    assert_memory_equal(frames->view.pixels, canvas->view.pixels, shape_bytes(canvas->view.shape));
    view_copy(part->view, view_crop(canvas->view, 4, 1, 3, 2));
    assert_memory_equal(frames->next->view.pixels, canvas->view.pixels, shape_bytes(canvas->view.shape));
    image_destroy(&frames);
    image_destroy(&canvas);
    image_destroy(&part);
    bytes_free(&first);
    bytes_free(&second);
    bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_lie_where_they_are_put),
        cmocka_unit_test(small_frames_copy_what_they_paint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
