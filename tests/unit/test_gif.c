/* test_gif.c: the work that frames of GIF may ask for. It is counted, not timed: the reader is compiled here once more,
 * with a function that counts in the place of the one that copies. */
#include "core/codec/codec.h"
#include "core/codec/formats.h"

#include <stdlib.h>
#include <string.h>

#ifdef GLINT_WITH_GIF
static size_t copied; /* pixels */

static void counted_copy(ImageView from, ImageView to) {
    copied += from.shape.width * from.shape.height;
    view_copy(from, to);
}
#endif

extern const Format counted_gif;
#define view_copy  counted_copy
#define format_gif counted_gif
#include "core/codec/gif.c" /* NOLINT(bugprone-suspicious-include) */

#include "tests/check.h"

#ifdef GLINT_WITH_GIF
enum { SIDE = 500, FRAMES = 300 };

/* One picture of one colour, opaque everywhere, without its trailer. */
static Bytes flat(size_t *capacity) {
    Image *image;
    Bytes file, made = {0};
    REQUIRE(image_create((Shape){SIDE, SIDE, 3, PIXEL_U8}, &image));
    REQUIRE(codec_encode(format_by_name("gif"), image, (SaveOptions){0}, &file));
    assert_true(bytes_append(&made, capacity, file.data, file.size - 1));
    image_destroy(&image);
    bytes_free(&file);
    return made;
}

/* A picture with many frames of one pixel, which give way as `disposal` says: 256 shades of gray of their own, clear,
 * 0, end. */
static Bytes with_small_frames(unsigned char disposal) {
    const unsigned char frame[] = {0x21, 0xF9, 4,    (unsigned char)(disposal << 2),
                                   0,    0,    0,    0,
                                   0x2C, 7,    0,    7,
                                   0,    1,    0,    1,
                                   0,    0x80, 1,    2,
                                   3,    4,    5,    6,
                                   2,    2,    0x44, 0x01,
                                   0};
    size_t capacity = 0;
    Bytes file = flat(&capacity);
    for (size_t i = 0; i < FRAMES; i++)
        assert_true(bytes_append(&file, &capacity, frame, sizeof frame));
    assert_true(bytes_append(&file, &capacity, ";", 1));
    return file;
}

static void small_frames_copy_what_they_paint(void **state) {
    (void)state;
    for (unsigned char disposal = 0; disposal <= 3; disposal++) {
        Image *image = NULL;
        Bytes file = with_small_frames(disposal);
        copied = 0;
        if (gif_load(file, (Pages){.first = FRAMES, .count = 1}, &image) != STATUS_OK || !image) {
            fail_msg("%s", status_message());
            return; /* fail_msg does so, but clang-tidy does not know */
        }
        assert_true(copied <= 2 * FRAMES);
        assert_int_equal(image->view.shape.channels, 3);
        assert_true(view_value(image->view, 7, 7, 0) == 1);
        assert_true(view_value(image->view, 8, 7, 0) == 0);
        image_destroy(&image);
        bytes_free(&file);
    }
}
#endif

int main(void) {
#ifdef GLINT_WITH_GIF
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_frames_copy_what_they_paint),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
#else
    return 0;
#endif
}
