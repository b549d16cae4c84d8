/* test_damage.c: every format there and back, and every damage refused.
 * The files are made here, by libpng, libjpeg or byte by byte, so that no decoder is tested by its own encoder alone.
 */
#include "tests/unit/damage_libraries.h"
#include "tests/unit/damage_plain.h"

/* Files that glint itself writes, where they differ from the files above. */
static Bytes own(const char *format, int channels, PixelType type, Image **picture) {
    *picture = type == PIXEL_U8 ? stripes(channels) : noise(WIDE, HIGH, channels, type);
    return encoded(format, *picture);
}
static Bytes own_png(Image **picture) {
    return own("png", 4, PIXEL_U16, picture);
}
static Bytes own_bmp(Image **picture) {
    return own("bmp", 3, PIXEL_U8, picture);
}
static Bytes own_bmp_alpha(Image **picture) {
    return own("bmp", 4, PIXEL_U8, picture);
}
static Bytes own_tga(Image **picture) {
    return own("tga", 3, PIXEL_U8, picture);
}
static Bytes own_pam(Image **picture) {
    return own("ppm", 2, PIXEL_U16, picture);
}
static Bytes own_hdr(Image **picture) {
    Image *from = noise(WIDE, HIGH, 3, PIXEL_F32);
    Bytes file = encoded("hdr", from);
    image_destroy(&from);
    (void)picture;
    return file;
}

#define S(make)                                                                                                        \
    { #make, make, 0 }
static const Sample samples[] = {
    S(png_gray1),
    S(png_gray2_key),
    S(png_gray4_adam7),
    S(png_gray8_text),
    S(png_gray16_key),
    S(png_palette1),
    S(png_palette4_adam7),
    S(png_palette8),
    S(png_rgb8_adam7),
    S(png_rgb16_key),
    S(png_ga16_adam7),
    S(png_rgba8),
    S(own_png),
    S(jpeg_gray),
    S(jpeg_gray_progressive),
    S(jpeg_colour),
    S(jpeg_colour_full),
    S(jpeg_rgb),
    S(jpeg_progressive),
    S(jpeg_restarts),
    S(jpeg_arithmetic),
    S(bmp_1),
    S(bmp_4),
    S(bmp_8),
    S(bmp_8_os2),
    S(bmp_16),
    S(bmp_16_fields),
    S(bmp_24),
    S(bmp_24_os2),
    S(bmp_24_top_down),
    S(bmp_24_v5),
    S(bmp_32),
    S(bmp_32_v3),
    S(bmp_32_v4),
    S(own_bmp),
    S(own_bmp_alpha),
    S(tga_gray),
    S(tga_gray_alpha),
    S(tga_gray_runs),
    S(tga_15),
    S(tga_16_runs),
    S(tga_24),
    S(tga_24_runs),
    S(tga_24_right_to_left),
    S(tga_32),
    S(tga_32_runs),
    S(tga_map_24),
    S(tga_map_16_runs),
    S(tga_map_32_from_40),
    S(own_tga),
    {"gif_plain", gif_plain, 1},             /* the trailer */
    {"gif_full_table", gif_full_table, 1},   /* the trailer */
    {"gif_interlaced", gif_interlaced, 1},   /* the trailer */
    {"gif_small_frame", gif_small_frame, 1}, /* the trailer */
    {"gif_animated", gif_animated, 1},       /* the trailer */
    S(hdr_flat),
    S(hdr_flat_wide),
    S(hdr_packed),
    S(own_hdr),
    S(pnm_p1),
    {"pnm_p2", pnm_p2, 1},
    {"pnm_p2_small", pnm_p2_small, 1},
    {"pnm_p3", pnm_p3, 1},
    S(pnm_p4),
    S(pnm_p5),
    S(pnm_p5_long),
    S(pnm_p6),
    S(pnm_p6_long),
    S(pnm_p7),
    S(pnm_p7_bits),
    S(own_pam),
    S(pfm_colour),
    S(pfm_gray_big),
};
enum { SAMPLES = sizeof samples / sizeof *samples };

static bool same(const Image *a, const Image *b) {
    return shape_equal(a->view.shape, b->view.shape) &&
           memcmp(a->view.pixels, b->view.pixels, shape_bytes(a->view.shape)) == 0;
}

/* Decodes a copy of exactly `size` bytes, so that the sanitizer sees a read past them. */
static Status decode_first(Bytes file, size_t size, Image **image) {
    Bytes copy = {malloc(size ? size : 1), size};
    memcpy(copy.data, file.data, size);
    const Status status = codec_decode(copy, image);
    if (status != STATUS_OK && (*image != NULL || status_message()[0] == '\0'))
        fail_msg("a refusal leaves an image, or gives no reason");
    bytes_free(&copy);
    return status;
}

static void samples_decode_to_their_pictures(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        Image *want = NULL, *got = NULL;
        Bytes file = samples[i].make(&want);
        if (decode_first(file, file.size, &got) != STATUS_OK) {
            print_error("%s: %s\n", samples[i].name, status_message());
            fail_msg("%s is refused", samples[i].name);
        }
        if (want && !same(want, got)) {
            const Shape a = want->view.shape, b = got->view.shape;
            fail_msg("%s: wrong pixels; want %zux%zu %dx%d, got %zux%zu %dx%d", samples[i].name, a.width, a.height,
                     a.type, a.channels, b.width, b.height, b.type, b.channels);
        }
        image_destroy(&want);
        image_destroy(&got);
        bytes_free(&file);
    }
}

static void expect_refused(const Sample *sample, Bytes file, size_t size, const Image *whole) {
    Image *got = NULL;
    const Status status = decode_first(file, size, &got);
    if (status == STATUS_OK && (size + sample->spare < file.size || !same(got, whole)))
        fail_msg("%s: %zu of %zu bytes were taken for a picture", sample->name, size, file.size);
    if (status != STATUS_OK && status != STATUS_INPUT)
        fail_msg("%s: status %d at %zu bytes: %s", sample->name, (int)status, size, status_message());
    image_destroy(&got);
}

static void cut_files_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < SAMPLES; i++) {
        Image *want = NULL, *whole = NULL;
        Bytes file = samples[i].make(&want);
        assert_int_equal(codec_decode(file, &whole), STATUS_OK);
        for (size_t percent = 0; percent < 100; percent++)
            expect_refused(&samples[i], file, file.size * percent / 100, whole);
        for (size_t left = 1; left <= 16; left++)
            expect_refused(&samples[i], file, file.size - left, whole);
        image_destroy(&want);
        image_destroy(&whole);
        bytes_free(&file);
    }
}

/* Any byte may turn into anything: no crash, no endless loop, no image beyond the budget. PNG has checksums: a changed
 * byte is refused, or it is one that carries no pixels. */
static void changed_bytes_do_no_harm(void **state) {
    (void)state;
    static const unsigned char changes[] = {0x01, 0x80, 0xFF};
    enum { BUDGET = 1 << 20 };
    setenv("GLINT_MEMORY", "1M", 1);
    for (size_t i = 0; i < SAMPLES; i++) {
        Image *want = NULL, *whole = NULL;
        Bytes file = samples[i].make(&want);
        assert_int_equal(codec_decode(file, &whole), STATUS_OK);
        const bool checked = strstr(samples[i].name, "png") != NULL;
        for (size_t at = 0; at < file.size; at += (file.size > 4000 && at > 400 ? 11 : 1) * check_every(5))
            for (size_t c = 0; c < sizeof changes; c++) {
                Image *got = NULL;
                file.data[at] ^= changes[c];
                const Status status = decode_first(file, file.size, &got);
                if (status == STATUS_OK && (shape_bytes(got->view.shape) > BUDGET || (checked && !same(got, whole))))
                    fail_msg("%s: byte %zu changed by %02X gives rubbish", samples[i].name, at, changes[c]);
                if (status != STATUS_OK && status != STATUS_INPUT)
                    fail_msg("%s: byte %zu: status %d: %s", samples[i].name, at, (int)status, status_message());
                image_destroy(&got);
                file.data[at] ^= changes[c];
            }
        image_destroy(&want);
        image_destroy(&whole);
        bytes_free(&file);
    }
    unsetenv("GLINT_MEMORY");
}

/* Whole files whose contents contradict their headers. */

static Bytes gif_half(void) { /* 2 x 2 pixels promised, two stored */
    Bytes file = begin();
    put(&file, "GIF89a\2\0\2\0\x80\0\0\1\2\3\4\5\6\x2C\0\0\0\0\2\0\2\0\0\2", 30);
    put(&file, "\2\x44\x0A\0;", 5); /* clear, 0, 1, end: 3 bits each */
    return file;
}

static Bytes bmp_behind_map(void) {
    Image *picture;
    Bytes file = bmp_of((BmpKind){.header = 40, 8, 4, {0}, false}, &picture);
    file.data[file.size - 4] = 200;
    image_destroy(&picture);
    return file;
}

static Bytes tga_behind_map(void) {
    Image *picture;
    Bytes file = tga_of((TgaKind){.type = 1, 8, 24, 0, 0}, &picture);
    file.data[file.size - 1] = 200;
    image_destroy(&picture);
    return file;
}

static Bytes tga_long_run(void) {
    Bytes file = begin();
    put(&file, "\0\0\x0A\0\0\0\0\0\0\0\0\0\2\0\2\0\x18\0\x87\1\2\3", 22);
    return file;
}

static void contradictions_are_refused(void **state) {
    (void)state;
    const struct {
        const char *name, *says;
        Bytes (*make)(void);
    } rows[] = {{"gif_half", "ends early", gif_half},
                {"bmp_behind_map", "colour 200", bmp_behind_map},
                {"tga_behind_map", "colour 200", tga_behind_map},
                {"tga_long_run", "longer than the picture", tga_long_run}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *got = NULL;
        Bytes file = rows[i].make();
        if (decode_first(file, file.size, &got) != STATUS_INPUT)
            fail_msg("%s was taken for a picture", rows[i].name);
        if (!strstr(status_message(), rows[i].says))
            fail_msg("%s: %s", rows[i].name, status_message());
        bytes_free(&file);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_decode_to_their_pictures),
        cmocka_unit_test(cut_files_are_refused),
        cmocka_unit_test(changed_bytes_do_no_harm),
        cmocka_unit_test(contradictions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
