/* test_reading_jpeg.c: JPEGs as other programs write them. */
#include <math.h>

#include "tests/unit/reading_fixture.h"

/* ---- JPEG ---- */

/* Pillow 13's results for these inks: Image.open(...).convert("RGB"); by its formula ink * black / 255. */
static void inks_become_light(void **state) {
    (void)state;
    static const int wanted[4][3] = {{173, 86, 43}, {255, 0, 128}, {0, 3, 1}, {71, 71, 72}};
    const J_COLOR_SPACE stored[] = {JCS_CMYK, JCS_YCCK};
    for (size_t s = 0; s < 2; s++) {
        Image *image;
        Bytes file = jpeg_of(4, JCS_CMYK, stored[s], 0);
        REQUIRE(decode(file, &image));
        assert_int_equal(image->view.shape.channels, 3);
        for (size_t i = 0; i < 4; i++)
            for (int c = 0; c < 3; c++) {
                const int got = (int)view_value(image->view, i * 8 + 4, 8, c);
                if (abs(got - wanted[i][c]) > 2) /* JPEG's rounding */
                    fail_msg("stripe %zu, channel %d: %d, want %d", i, c, got, wanted[i][c]);
            }
        image_destroy(&image);
        bytes_free(&file);
    }
}

static size_t find_marker(Bytes file, unsigned char marker) {
    for (size_t at = 2; at + 1 < file.size; at++)
        if (file.data[at] == 0xFF && file.data[at + 1] == marker)
            return at;
    fail_msg("no marker %02X", marker);
    return 0;
}

/* JPEGs that libjpeg-turbo is not built for. */
static void deep_and_lossless_jpegs_are_named(void **state) {
    (void)state;
    Bytes file = gray_jpeg(0);
    const size_t frame = find_marker(file, 0xC0);
    file.data[frame + 4] = 12;
    file.data[frame + 1] = 0xC1;
    assert_refused(file, "a JPEG of 12 bits a value; JPEGs of 8 bits");
    file.data[frame + 4] = 16;
    file.data[frame + 1] = 0xC3;
    assert_refused(file, "a lossless JPEG of 16 bits a value");
    bytes_free(&file);
}

/* Five bytes that belong to nothing. */
static Bytes stray_before(unsigned restarts, unsigned char marker) {
    Bytes file = gray_jpeg(restarts), made = with(file, find_marker(file, marker), "\1\2\3\4\5", 5);
    bytes_free(&file);
    return made;
}

static void stray_bytes_are_passed_over(void **state) {
    (void)state;
    Image *plain, *image;
    Bytes file = gray_jpeg(0);
    REQUIRE(decode(file, &plain));
    bytes_free(&file);
    static const unsigned char markers[] = {0xDB, 0xC0, 0xDA, 0xD9}; /* tables, frame, scan, end */
    for (size_t i = 0; i < sizeof markers; i++) {
        file = stray_before(0, markers[i]);
        REQUIRE(decode(file, &image));
        assert_memory_equal(image->view.pixels, plain->view.pixels, shape_bytes(plain->view.shape));
        image_destroy(&image);
        bytes_free(&file);
    }
    image_destroy(&plain);
    /* within the scan they are the rest of a damaged interval */
    file = stray_before(2, 0xD0);
    assert_refused(file, "extraneous");
    bytes_free(&file);
}

static void a_bad_profile_costs_the_profile_only(void **state) {
    (void)state;
    /* an ICC marker that says to be the first of two */
    const unsigned char segment[] = {0xFF, 0xE2, 0,   20,  'I', 'C', 'C', '_', 'P', 'R', 'O',
                                     'F',  'I',  'L', 'E', 0,   1,   2,   'd', 'a', 't', 'a'};
    Image *image;
    Bytes plain = gray_jpeg(0), file = with(plain, 2, segment, sizeof segment);
    REQUIRE(decode(file, &image));
    assert_null(image->profile);
    assert_true(image->extras & EXTRA_PROFILE);
    image_destroy(&image);
    bytes_free(&file);
    bytes_free(&plain);
}

static void assert_same(Bytes file, const Image *want, unsigned extras) {
    Image *image;
    REQUIRE(decode(file, &image));
    assert_memory_equal(image->view.pixels, want->view.pixels, shape_bytes(want->view.shape));
    assert_int_equal(image->extras, extras);
    image_destroy(&image);
}

/* Samsung's phones end the spectrum of sequential scans at 0 (OpenImageIO 2837). Nobody knows a device's result for
 * such a file: it does not count as plain. */
static void the_spectrum_of_sequential_scans_is_not_asked(void **state) {
    (void)state;
    Image *plain;
    Bytes file = jpeg_of(3, JCS_RGB, JCS_YCbCr, 0);
    size_t end;
    REQUIRE(decode(file, &plain));
    assert_true(format_by_name("jpg")->shell->is_plain(file, &end));
    for (int at = 1; at <= 3; at++) { /* first, last, approximation */
        const size_t scan = find_marker(file, 0xDA), which = scan + 4 + 2 * 3 + (size_t)at;
        const unsigned char was = file.data[which];
        file.data[which] = was ^ 63;
        assert_same(file, plain, 0);
        assert_false(format_by_name("jpg")->shell->is_plain(file, &end));
        file.data[which] = was;
    }
    image_destroy(&plain);
    bytes_free(&file);
}

/* A file that lacks its end is called so, wherever it ends. */
static void a_jpeg_that_ends_early_is_called_so(void **state) {
    (void)state;
    for (unsigned restarts = 0; restarts <= 2; restarts += 2) {
        Bytes file = jpeg_of(3, JCS_RGB, JCS_YCbCr, restarts);
        for (size_t size = 4; size < file.size; size++)
            assert_refused((Bytes){file.data, size}, "the file ends early");
        bytes_free(&file);
    }
}

/* Films, gain maps and other pictures lie behind the end marker; padding does, too. Decoding and the shell's load_about
 * say so. */
static void what_lies_behind_a_jpeg_counts_as_lost(void **state) {
    (void)state;
    static const struct {
        const char *behind;
        size_t size;
        unsigned extras;
    } rows[] = {{"\0\0\0\x18"
                 "ftypmp42",
                 12, EXTRA_BESIDE},
                {"\0\0\0\0", 4, 0},
                {"\xFF\xFF", 2, 0},
                {"\0\xFF\xD8\xFF\xE1", 5, EXTRA_BESIDE}};
    Image *plain, *about;
    Bytes file = jpeg_of(3, JCS_RGB, JCS_YCbCr, 0);
    REQUIRE(decode(file, &plain));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bytes longer = with(file, file.size, rows[i].behind, rows[i].size);
        const FormatShell *shell = format_by_name("jpg")->shell;
        size_t end = 0;
        assert_same(longer, plain, rows[i].extras);
        assert_true(shell->is_plain(longer, &end));
        assert_int_equal(end, file.size);
        REQUIRE(image_create_about(plain->view.shape, &about));
        REQUIRE(shell->load_about(longer, end, about));
        assert_int_equal(about->extras, rows[i].extras);
        image_destroy(&about);
        bytes_free(&longer);
    }
    image_destroy(&plain);
    bytes_free(&file);
}

/* A red stripe next to a green one, at an odd place. At full chroma no value is far off, else those at the edge are.
 */
static void chroma_is_full_at_high_quality(void **state) {
    (void)state;
    static const struct {
        int quality;
        bool full;
    } rows[] = {{0, true}, {50, false}, {89, false}, {90, true}, {100, true}};
    const Shape shape = {32, 16, 3, PIXEL_U8};
    Image *image, *again;
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            view_set_value(image->view, x, y, x >= 13, 255);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Bytes file;
        double off = 0;
        REQUIRE(codec_encode(format_by_name("jpg"), image, save_with("quality", rows[i].quality), &file));
        const unsigned char *frame = file.data + find_marker(file, 0xC0);
        assert_int_equal(frame[11], rows[i].full ? 0x11 : 0x22); /* sampling of the first component */
        REQUIRE(decode(file, &again));
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < 3; c++)
                off = fmax(off, fabs(view_value(again->view, x, 8, c) - view_value(image->view, x, 8, c)));
        assert_true(rows[i].full ? off < 40 : off > 80);
        image_destroy(&again);
        bytes_free(&file);
    }
    image_destroy(&image);
}

/* The first component's factors of sampling, ISO/IEC 10918-1, B.2.2. */
static void chroma_is_sampled_as_it_is_said(void **state) {
    (void)state;
    static const unsigned char sampling[][2] = {{0, 0x11}, {SAVE_444, 0x11}, {SAVE_422, 0x21}, {SAVE_420, 0x22}};
    for (int channels = 1; channels <= 3; channels += 2)
        for (size_t i = 0; i < sizeof sampling / sizeof *sampling; i++) {
            Image *image;
            Bytes file;
            REQUIRE(image_create((Shape){20, 20, channels, PIXEL_U8}, &image));
            REQUIRE(codec_encode(format_by_name("jpg"), image, save_with("sampling", sampling[i][0]), &file));
            assert_int_equal(file.data[find_marker(file, 0xC0) + 11], channels == 1 ? 0x11 : sampling[i][1]);
            bytes_free(&file);
            image_destroy(&image);
        }
}

/* Both code the same coefficients in fewer bytes, and so are decoded to the same pixels. */
static void progressive_and_optimized_files_are_smaller(void **state) {
    (void)state;
    Image *image, *plain;
    Bytes file, smaller;
    REQUIRE(image_create((Shape){120, 90, 3, PIXEL_U8}, &image));
    for (size_t y = 0; y < 90; y++)
        for (size_t x = 0; x < 120; x++)
            for (int c = 0; c < 3; c++)
                view_set_value(image->view, x, y, c, 128 + 100 * sin((double)(x * y) / 500 + c));
    REQUIRE(codec_encode(format_by_name("jpg"), image, (SaveOptions){0}, &file));
    REQUIRE(decode(file, &plain));
    REQUIRE(codec_encode(format_by_name("jpg"), image, save_with("optimize", 1), &smaller));
    (void)find_marker(smaller, 0xC0);
    assert_true(smaller.size < file.size);
    assert_same(smaller, plain, 0);
    bytes_free(&smaller);
    REQUIRE(codec_encode(format_by_name("jpg"), image, save_with("progressive", 1), &smaller));
    (void)find_marker(smaller, 0xC2);
    assert_true(smaller.size < file.size);
    assert_same(smaller, plain, 0);
    bytes_free(&smaller);
    bytes_free(&file);
    image_destroy(&plain);
    image_destroy(&image);
}

/* A frame of 65500 x 65500 in a few hundred bytes: nothing is allocated for it. */
static void a_frame_is_believed_as_far_as_the_file_holds_it(void **state) {
    (void)state;
    Bytes file = gray_jpeg(0);
    const size_t frame = find_marker(file, 0xC0);
    memcpy(file.data + frame + 5, "\xFF\xDC\xFF\xDC", 4);
    assert_refused(file, "ends early");
    bytes_free(&file);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inks_become_light),
        cmocka_unit_test(deep_and_lossless_jpegs_are_named),
        cmocka_unit_test(stray_bytes_are_passed_over),
        cmocka_unit_test(a_bad_profile_costs_the_profile_only),
        cmocka_unit_test(the_spectrum_of_sequential_scans_is_not_asked),
        cmocka_unit_test(a_jpeg_that_ends_early_is_called_so),
        cmocka_unit_test(what_lies_behind_a_jpeg_counts_as_lost),
        cmocka_unit_test(chroma_is_sampled_as_it_is_said),
        cmocka_unit_test(progressive_and_optimized_files_are_smaller),
        cmocka_unit_test(chroma_is_full_at_high_quality),
        cmocka_unit_test(a_frame_is_believed_as_far_as_the_file_holds_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
