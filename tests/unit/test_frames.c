/* test_frames.c: pictures of an animation. As many come back as went, also where neighbours are alike. A page is the
 * same picture whether or not others are read. */
#include "core/base/file.h"
#include "core/codec/codec.h"

#include <stdio.h>
#include <string.h>

#include "tests/check.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

enum { PICTURES = 5 };

/* Frames 0, 0, then one that differs by one in one value, then that again, then another one. */
static Image *make_animation(void) {
    Image *first = NULL, **end = &first;
    for (int i = 0; i < PICTURES; i++) {
        REQUIRE(image_create((Shape){21, 17, 3, PIXEL_U8}, end));
        view_fill_random((*end)->view, i == PICTURES - 1 ? 2 : 1);
        ((unsigned char *)view_row((*end)->view, 9))[3 * 13 + 1] = i < 2 ? 100 : 101;
        (*end)->seconds = 0.1 * (i + 1);
        end = &(*end)->next;
    }
    return first;
}

static void come_back_though_they_are_alike(void **state) {
    static const char *const names[] = {"webp", "png"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const Format *format = format_by_name(names[i]);
        Image *image = make_animation(), *again;
        Bytes file;
        if (format->lacks) {
            image_destroy(&image);
            continue;
        }
        REQUIRE(codec_encode(format, image, save_with("lossless", true), &file));
        REQUIRE(codec_decode(file, &again));
        assert_int_equal(image_count(again), PICTURES);
        const Image *want = image;
        for (const Image *got = again; got; got = got->next, want = want->next) {
            assert_true(shape_equal(got->view.shape, want->view.shape));
            assert_memory_equal(got->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
            assert_true(got->seconds > want->seconds - 2e-3 && got->seconds < want->seconds + 2e-3);
        }
        image_destroy(&again);
        image_destroy(&image);
        bytes_free(&file);
    }
}

/* Alpha apart: GIF has none where no picture up to the last that is read has holes. */
static void compare_colours(const char *name, ImageView got, ImageView want) {
    const Shape a = got.shape, b = want.shape;
    const int channels = a.channels < b.channels ? a.channels : b.channels;
    assert_true(a.width == b.width && a.height == b.height);
    for (size_t y = 0; y < a.height; y++)
        for (size_t x = 0; x < a.width; x++)
            for (int c = 0; c < channels; c++)
                if (view_value(got, x, y, c) != view_value(want, x, y, c))
                    fail_msg("%s: pixel %zu, %zu differs", name, x, y);
}

static void are_the_same_read_alone(void **state) {
    static const char *const names[] = {"gif-frames.gif", "gif-restored.gif", "gif-previous.gif", "apng-frames.png",
                                        "apng-over.png",  "apng-cleared.png", "apng-gray.png",    "apng-hidden.png",
                                        "jxl-frames.jxl", "webp-frames.webp", "webp-blended.webp"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[512];
        Bytes file;
        Image *all, *one;
        FilePart part;
        snprintf(path, sizeof path, FOLDER "%s", names[i]);
        REQUIRE(file_read(path, &file));
        if (codec_decode(file, &all) == STATUS_OK) {
            size_t page = 0;
            for (const Image *each = all; each; each = each->next, page++) {
                REQUIRE(codec_unpack(file, (Pages){.first = page, .count = 1}, SIZE_MAX, &part, &one));
                assert_int_equal(image_count(one), 1);
                compare_colours(names[i], one->view, each->view);
                image_destroy(&one);
            }
            assert_true(page > 1);
            assert_int_equal(codec_unpack(file, (Pages){.first = page, .count = 1}, SIZE_MAX, &part, &one),
                             STATUS_INPUT);
            image_destroy(&all);
        }
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(come_back_though_they_are_alike),
        cmocka_unit_test(are_the_same_read_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
