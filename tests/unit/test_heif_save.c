/* test_heif_save.c: AVIF and HEIC as glint writes them: brands, bits and chroma by their boxes, and values that are
 * kept. tests/formats/written.py has other decoders read them. */
#include "core/codec/codec.h"
#include "core/codec/heif.h"

#include <string.h>

#include "tests/check.h"

static const char *const names[] = {"avif", "heic"};

static bool is_here(const char *name) {
    Image *image;
    Bytes file = {0};
    if (!format_by_name(name)->writes)
        return false;
    REQUIRE(image_create((Shape){16, 16, 3, PIXEL_U8}, &image));
    const Status status = codec_encode(format_by_name(name), image, (SaveOptions){0}, &file);
    image_destroy(&image);
    bytes_free(&file);
    return status == STATUS_OK;
}

/* A picture with every value of 8 bits, or with values of 12. */
static Image *values_of(Shape shape) {
    Image *image;
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < shape.channels; c++) {
                const unsigned value = (unsigned)(37 * x + 101 * y + 59 * (size_t)c);
                view_set_value(image->view, x, y, c,
                               shape.type == PIXEL_U8 ? value & 255 : heif_widen(value & 4095, 12));
            }
    return image;
}

static size_t find(Bytes file, const char *type) {
    for (size_t at = 0; at + 4 <= file.size; at++)
        if (memcmp(file.data + at, type, 4) == 0)
            return at;
    fail_msg("no %s", type);
    return 0;
}

/* Every value of 8 bits has one of 10 and 12: full scale stays full, and back. */
static void bits_are_scaled_to_the_nearest(void **state) {
    (void)state;
    static const struct {
        unsigned wide;
        int bits;
        unsigned narrow;
    } rows[] = {{0, 10, 0},  {65535, 10, 1023}, {65535, 12, 4095}, {32768, 10, 512},
                {257, 8, 1}, {32, 10, 0},       {33, 10, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(heif_narrow(rows[i].wide, rows[i].bits), rows[i].narrow);
    for (int bits = 8; bits <= 12; bits += 2)
        for (unsigned value = 0; value < 1u << bits; value++)
            assert_int_equal(heif_narrow(heif_widen(value, bits), bits), value);
}

static void every_value_is_kept(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int channels = 3; channels <= 4 && is_here(names[n]); channels++)
            for (int type = PIXEL_U8; type <= PIXEL_U16; type++) {
                Image *image = values_of((Shape){33, 20, channels, (PixelType)type}), *back;
                Bytes file;
                REQUIRE(codec_encode(format_by_name(names[n]), image, save_with("lossless", 1), &file));
                (void)find(file, n == 0 ? "avif" : "heic");
                REQUIRE(codec_decode(file, &back));
                assert_true(shape_equal(back->view.shape, image->view.shape));
                assert_memory_equal(back->view.pixels, image->view.pixels, shape_bytes(image->view.shape));
                bytes_free(&file);
                image_destroy(&image);
                image_destroy(&back);
            }
}

/* Box "pixi" (ISO/IEC 23008-12, 6.5.6): version, flags, channels, and the bits of each. */
static void bits_are_those_that_are_asked_for(void **state) {
    (void)state;
    static const int bits[] = {8, 8, 10, 12};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++)
        for (int depth = 0; depth < 4 && is_here(names[n]); depth++) {
            Image *image = values_of((Shape){33, 20, 3, PIXEL_U8});
            Bytes file;
            const Status status = codec_encode(format_by_name(names[n]), image, save_with("depth", depth), &file);
            if (status == STATUS_INPUT && depth == 2 && n == 0) {
                assert_non_null(strstr(status_message(), "does not write 10 bits; want 8 or 12"));
            } else {
                assert_int_equal(status, STATUS_OK);
                assert_int_equal(file.data[find(file, "pixi") + 8], 3);
                assert_int_equal(file.data[find(file, "pixi") + 9], bits[depth]);
            }
            bytes_free(&file);
            image_destroy(&image);
        }
}

/* The box "av1C" (AV1 Codec ISO Media File Format Binding, 2.3.3): the flags of subsampling in its third byte. */
static void chroma_is_sampled_as_it_is_said(void **state) {
    (void)state;
    static const unsigned flags[] = {[SAVE_444] = 0, [SAVE_422] = 2, [SAVE_420] = 3};
    for (int chroma = SAVE_444; chroma <= SAVE_420 && is_here("avif"); chroma++) {
        Image *image = values_of((Shape){33, 20, 3, PIXEL_U8});
        Bytes file;
        REQUIRE(codec_encode(format_by_name("avif"), image, save_with("sampling", chroma), &file));
        assert_int_equal(file.data[find(file, "av1C") + 6] >> 2 & 3, flags[chroma]);
        bytes_free(&file);
        image_destroy(&image);
    }
}

static void values_that_would_be_lost_are_refused(void **state) {
    (void)state;
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        Image *image = values_of((Shape){33, 20, 3, PIXEL_U16});
        Bytes file;
        if (!is_here(names[n]))
            continue;
        view_set_value(image->view, 5, 6, 1, 1);
        assert_int_equal(codec_encode(format_by_name(names[n]), image, save_with("lossless", 1), &file), STATUS_INPUT);
        assert_null(file.data);
        assert_non_null(strstr(status_message(), "12 bits do not keep every value"));
        image_destroy(&image);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_scaled_to_the_nearest), cmocka_unit_test(every_value_is_kept),
        cmocka_unit_test(bits_are_those_that_are_asked_for), cmocka_unit_test(chroma_is_sampled_as_it_is_said),
        cmocka_unit_test(values_that_would_be_lost_are_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
