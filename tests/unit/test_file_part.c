/* test_file_part.c: files that end early: the rows that are there are those of the whole file, to the last value. */
#include "core/base/memory.h"
#include "core/codec/codec.h"
#include "core/codec/part.h"
#include "tests/check.h"

#include <jpeglib.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>

enum { WIDTH = 93, HEIGHT = 117, CUTS = 60, RST0 = 0xD0, RST7 = 0xD7 };

/* ---- files ---- */

/* Waves and a little noise, so that no row is like another. */
static Image *make_picture(int channels, PixelType type) {
    Image *image;
    REQUIRE(image_create((Shape){WIDTH, HEIGHT, channels, type}, &image));
    view_fill_random(image->view, 7);
    const double white = pixel_type_white(type);
    for (size_t y = 0; y < HEIGHT; y++)
        for (size_t x = 0; x < WIDTH; x++)
            for (int c = 0; c < channels; c++) {
                const double noise = view_value(image->view, x, y, c) / white;
                const double ramp = (double)((3 * x + 5 * y + 40 * (size_t)c) % 256) / 255;
                view_set_value(image->view, x, y, c, white * (0.8 * ramp + 0.2 * noise));
            }
    return image;
}

typedef struct JpegKind {
    int channels, down; /* down: the rows of luma for one of chroma */
    bool progressive, restarts;
} JpegKind;

/* With `restarts`, a marker ends every row of blocks. */
static Bytes jpeg_file(JpegKind kind) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    Image *image = make_picture(kind.channels, PIXEL_U8);
    Bytes file = {0};
    unsigned long size = 0;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &file.data, &size);
    jpeg.image_width = WIDTH;
    jpeg.image_height = HEIGHT;
    jpeg.input_components = kind.channels;
    jpeg.in_color_space = kind.channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg.comp_info[0].h_samp_factor = jpeg.comp_info[0].v_samp_factor = kind.down;
    jpeg.restart_in_rows = kind.restarts;
    if (kind.progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = view_row(image->view, jpeg.next_scanline);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    image_destroy(&image);
    file.size = size;
    return file;
}

static void put_bytes(png_structp png, png_bytep data, size_t size) {
    static size_t capacity;
    Bytes *file = png_get_io_ptr(png);
    if (file->size == 0)
        capacity = 0;
    assert_true(bytes_append(file, &capacity, data, size));
}

static void flush_nothing(png_structp png) {
    (void)png;
}

/* Without compression, so that rows lie where they can be counted. */
static Bytes png_file(int channels, PixelType type, int interlace) {
    static const int colours[] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                  PNG_COLOR_TYPE_RGB_ALPHA};
    Image *image = make_picture(channels, type);
    Bytes file = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    assert_int_equal(setjmp(png_jmpbuf(png)), 0);
    png_set_write_fn(png, &file, put_bytes, flush_nothing);
    png_set_IHDR(png, info, WIDTH, HEIGHT, type == PIXEL_U16 ? 16 : 8, colours[channels], interlace,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    png_set_compression_level(png, 0);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_write_info(png, info);
    for (int passes = png_set_interlace_handling(png); passes > 0; passes--)
        for (size_t y = 0; y < HEIGHT; y++)
            png_write_row(png, view_row(image->view, y));
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
    image_destroy(&image);
    return file;
}

static Bytes pnm_file(void) {
    Image *image = make_picture(3, PIXEL_U8);
    Bytes file;
    REQUIRE(codec_encode(format_by_name("ppm"), image, (SaveOptions){0}, &file));
    image_destroy(&image);
    return file;
}

/* ---- cuts ---- */

static void check_row(const Image *got, const Image *want, size_t y) {
    assert_memory_equal(view_row(got->view, y), view_row(want->view, y), shape_row_bytes(want->view.shape));
}

static void check_blank(const Image *got, size_t y) {
    const Shape shape = got->view.shape;
    const double gray = shape_has_alpha(shape) ? 0 : shape.type == PIXEL_U16 ? 32768 : 128;
    for (size_t x = 0; x < shape.width; x++)
        for (int c = 0; c < shape.channels; c++)
            assert_true(view_value(got->view, x, y, c) == gray);
}

/* The first `size` bytes: refused as a file, shown as a part. FilePart.of is 0 where no row is there. */
static FilePart check_cut(Bytes file, size_t size, const Image *whole) {
    const Bytes cut = {malloc(size), size}; /* of exactly that size, for the sanitizer */
    FilePart part;
    Image *image;
    memcpy(cut.data, file.data, size);
    assert_int_equal(codec_decode(cut, &image), STATUS_INPUT);
    const Status status = codec_unpack(cut, (Pages){.partial = true}, memory_budget(), &part, &image);
    free(cut.data);
    if (status == STATUS_INPUT) {
        assert_null(image);
        return (FilePart){0};
    }
    assert_int_equal(status, STATUS_OK);
    assert_true(shape_equal(image->view.shape, whole->view.shape));
    assert_int_equal(part.of, HEIGHT);
    assert_in_range(part.rows, 1, HEIGHT);
    assert_true(part.fine <= part.rows);
    for (size_t y = 0; y < part.fine; y++)
        check_row(image, whole, y);
    for (size_t y = part.rows; y < HEIGHT; y++)
        check_blank(image, y);
    image_destroy(&image);
    return part;
}

typedef FilePart Parts[CUTS + 1]; /* at equal distances; the last one is short of a byte */

static size_t cut_at(Bytes file, size_t i) {
    return i == CUTS ? file.size - 1 : 1 + file.size * i / CUTS;
}

/* More bytes never have fewer rows; the last byte of all belongs to no row. */
static void cut_everywhere(Bytes file, Parts parts) {
    Image *whole;
    REQUIRE(codec_decode(file, &whole));
    for (size_t i = 0; i <= CUTS; i++) {
        parts[i] = check_cut(file, cut_at(file, i), whole);
        if (i > 0 && (parts[i].rows < parts[i - 1].rows || parts[i].fine < parts[i - 1].fine))
            fail_msg("cut %zu: %zu rows, %zu fine, before: %zu, %zu", i, parts[i].rows, parts[i].fine,
                     parts[i - 1].rows, parts[i - 1].fine);
    }
    assert_int_equal(parts[0].of, 0);
    assert_int_equal(parts[CUTS].rows, HEIGHT);
    image_destroy(&whole);
}

/* Rows of blocks whose restart marker is there. */
static size_t count_restarts(Bytes file, size_t size) {
    size_t count = 0;
    for (size_t i = 1; i < size; i++)
        count += file.data[i - 1] == 0xFF && file.data[i] >= RST0 && file.data[i] <= RST7;
    return count;
}

/* Where chroma is coarser, the last two rows before a cut wait for the next chroma. */
static void baseline_jpegs_give_rows_of_blocks(void **state) {
    static const JpegKind kinds[] = {{1, 1, false, true}, {3, 1, false, true}, {3, 2, false, true}};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        Parts parts;
        Bytes file = jpeg_file(kinds[k]);
        const size_t block = 8 * (size_t)kinds[k].down, waiting = kinds[k].down > 1 ? 2 : 0;
        cut_everywhere(file, parts);
        assert_int_equal(parts[CUTS].fine, HEIGHT);
        for (size_t i = 1; i < CUTS; i++) {
            const size_t whole = block * count_restarts(file, cut_at(file, i));
            const size_t least = whole > waiting ? whole - waiting : 0;
            assert_int_equal(parts[i].rows, parts[i].fine);
            if (parts[i].rows < least || parts[i].rows > whole + block)
                fail_msg("kind %zu, cut %zu: %zu rows, want %zu", k, i, parts[i].rows, whole);
        }
        bytes_free(&file);
    }
}

/* At first some rows, coarse; then all of them; at last some as they are in the whole file. */
static void progressive_jpegs_get_finer(void **state) {
    (void)state;
    for (int down = 1; down <= 2; down++) {
        Parts parts;
        Bytes file = jpeg_file((JpegKind){3, down, true, false});
        size_t some = 0, coarse = 0, finer = 0;
        cut_everywhere(file, parts);
        for (size_t i = 0; i <= CUTS; i++) {
            some += parts[i].rows > 0 && parts[i].rows < HEIGHT;
            coarse += parts[i].rows == HEIGHT && parts[i].fine == 0;
            finer += parts[i].fine > 0 && parts[i].fine < HEIGHT;
        }
        assert_true(some > 0 && coarse > 0 && finer > 0);
        bytes_free(&file);
    }
}

static void pngs_give_rows(void **state) {
    static const struct {
        int channels;
        PixelType type;
    } kinds[] = {{1, PIXEL_U8}, {3, PIXEL_U8}, {4, PIXEL_U8}, {3, PIXEL_U16}};
    (void)state;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        Parts parts;
        Bytes file = png_file(kinds[k].channels, kinds[k].type, PNG_INTERLACE_NONE);
        cut_everywhere(file, parts);
        assert_int_equal(parts[CUTS].fine, HEIGHT);
        for (size_t i = 0; i < CUTS; i++) { /* by its bytes: headers and checksums are a row at most */
            const size_t bytes = file.size / HEIGHT, there = cut_at(file, i) / bytes;
            assert_int_equal(parts[i].rows, parts[i].fine);
            assert_in_range(parts[i].rows + 3, there, there + 3);
        }
        bytes_free(&file);
    }
}

static void interlaced_pngs_get_finer(void **state) {
    (void)state;
    Parts parts;
    Bytes file = png_file(3, PIXEL_U8, PNG_INTERLACE_ADAM7);
    size_t coarse = 0, finer = 0;
    cut_everywhere(file, parts);
    assert_int_equal(parts[CUTS].fine, HEIGHT);
    for (size_t i = 0; i <= CUTS; i++) {
        coarse += parts[i].rows == HEIGHT && parts[i].fine == 0;
        finer += parts[i].fine > 0 && parts[i].fine < HEIGHT;
    }
    assert_in_range(coarse, CUTS / 2 - 4, CUTS / 2 + 1); /* the last pass has half of the pixels, the first a 64th */
    assert_in_range(finer, CUTS / 2 - 4, CUTS / 2 + 1);
    bytes_free(&file);
}

static void pnms_give_rows(void **state) {
    (void)state;
    Bytes file = pnm_file();
    const size_t row = 3 * (size_t)WIDTH, begin = file.size - HEIGHT * row;
    Image *whole;
    REQUIRE(codec_decode(file, &whole));
    for (size_t y = 0; y < HEIGHT; y++)
        assert_int_equal(check_cut(file, begin + y * row + row / 2, whole).rows, y);
    image_destroy(&whole);
    bytes_free(&file);
}

/* Rows lie from the bottom up, or from the top down where the height is negative. A part has those that the file stores
 * first, of 24 bits a pixel and of 32. A row has whole words. */
static void bmps_give_rows(void **state) {
    (void)state;
    for (int kind = 0; kind < 4; kind++) {
        const int channels = kind / 2 + 3;
        const bool down = kind % 2 == 1;
        const size_t row = (WIDTH * (size_t)channels + 3) / 4 * 4;
        Image *picture = make_picture(channels, PIXEL_U8), *whole;
        Bytes file;
        REQUIRE(codec_encode(format_by_name("bmp"), picture, (SaveOptions){0}, &file));
        image_destroy(&picture);
        const int32_t height = down ? -HEIGHT : HEIGHT;
        memcpy(file.data + 22, &height, 4); /* little-endian, as all of these machines are */
        const size_t begin = file.size - HEIGHT * row;
        REQUIRE(codec_decode(file, &whole));
        assert_int_equal(whole->view.shape.channels, channels);
        for (size_t rows = 0; rows < HEIGHT; rows += 13) {
            FilePart part;
            Image *image;
            const Bytes cut = {file.data, begin + rows * row + row / 2};
            assert_int_equal(codec_decode(cut, &image), STATUS_INPUT);
            const Status status = codec_unpack(cut, (Pages){.partial = true}, memory_budget(), &part, &image);
            assert_int_equal(status, rows > 0 ? STATUS_OK : STATUS_INPUT);
            if (rows == 0)
                continue;
            assert_int_equal(part.of, HEIGHT);
            assert_int_equal(part.rows, rows);
            assert_int_equal(part.fine, rows);
            for (size_t y = 0; y < HEIGHT; y++)
                if (down ? y < rows : y >= HEIGHT - rows)
                    check_row(image, whole, y);
                else
                    check_blank(image, y);
            image_destroy(&image);
        }
        image_destroy(&whole);
        bytes_free(&file);
    }
}

#ifdef GLINT_WITH_TIFF
enum { STRIP = 8, TAGS = 9 };

static void put_tag(unsigned char *to, uint16_t tag, uint16_t type, uint32_t count, uint32_t value) {
    memcpy(to, &tag, 2); /* little-endian, as all of these machines are */
    memcpy(to + 2, &type, 2);
    memcpy(to + 4, &count, 4);
    memcpy(to + 8, &value, 4);
}

/* As cameras write it: the directory comes first, then strips of eight gray rows. *begin: of the first strip. */
static Bytes tiff_file(size_t *begin) {
    enum { STRIPS = (HEIGHT + STRIP - 1) / STRIP, LISTS = 8 + 2 + TAGS * 12 + 4 };
    Image *picture = make_picture(1, PIXEL_U8);
    *begin = LISTS + 2 * STRIPS * 4;
    Bytes file = {calloc(*begin + WIDTH * HEIGHT, 1), *begin + WIDTH * HEIGHT};
    unsigned char *tag = file.data + 10;
    static const unsigned char head[] = {'I', 'I', '*', 0, 8, 0, 0, 0}; /* the directory begins at byte 8 */
    const uint16_t tags = TAGS;
    memcpy(file.data, head, sizeof head);
    memcpy(file.data + 8, &tags, 2);
    put_tag(tag, 256, 4, 1, WIDTH);
    put_tag(tag + 12, 257, 4, 1, HEIGHT);
    put_tag(tag + 24, 258, 3, 1, 8);
    put_tag(tag + 36, 259, 3, 1, 1);
    put_tag(tag + 48, 262, 3, 1, 1);
    put_tag(tag + 60, 273, 4, STRIPS, LISTS);
    put_tag(tag + 72, 277, 3, 1, 1);
    put_tag(tag + 84, 278, 4, 1, STRIP);
    put_tag(tag + 96, 279, 4, STRIPS, LISTS + STRIPS * 4);
    for (uint32_t i = 0; i < STRIPS; i++) {
        const uint32_t rows = i + 1 < STRIPS ? STRIP : HEIGHT - i * STRIP;
        const uint32_t at = (uint32_t)*begin + i * STRIP * WIDTH, bytes = rows * WIDTH;
        memcpy(file.data + LISTS + i * 4, &at, 4);
        memcpy(file.data + LISTS + (STRIPS + i) * 4, &bytes, 4);
    }
    for (size_t y = 0; y < HEIGHT; y++)
        memcpy(file.data + *begin + y * WIDTH, view_row(picture->view, y), WIDTH);
    image_destroy(&picture);
    return file;
}

static void tiffs_give_strips(void **state) {
    (void)state;
    size_t begin;
    Bytes file = tiff_file(&begin);
    Image *whole;
    REQUIRE(codec_decode(file, &whole));
    for (size_t y = 0; y < HEIGHT; y += 3) {
        const FilePart part = check_cut(file, begin + y * WIDTH + WIDTH / 2, whole);
        assert_int_equal(part.rows, y / STRIP * STRIP);
        assert_int_equal(part.fine, part.rows);
    }
    assert_int_equal(check_cut(file, begin - 1, whole).of, 0);
    assert_int_equal(check_cut(file, 40, whole).of, 0);
    image_destroy(&whole);
    bytes_free(&file);
}
#endif

/* A wrong checksum in the middle of a PNG, a marker between the codes of a JPEG. */
static void damage_before_the_end_is_refused(void **state) {
    (void)state;
    Bytes files[] = {png_file(3, PIXEL_U8, PNG_INTERLACE_NONE), jpeg_file((JpegKind){3, 1, false, true})};
    for (size_t i = 0; i < 2; i++) {
        FilePart part;
        Image *image;
        memcpy(files[i].data + files[i].size / 2, "\xFF\xC4", 2);
        files[i].size -= 100;
        assert_int_equal(codec_unpack(files[i], (Pages){.partial = true}, memory_budget(), &part, &image),
                         STATUS_INPUT);
        assert_null(image);
        bytes_free(&files[i]);
    }
}

static void words_say_what_is_there(void **state) {
    static const struct {
        FilePart part;
        const char *words;
    } cases[] = {{{0, 0, 0}, ""},
                 {{2836, 1503, 1503}, "ends early: 1503 of 2836 rows are there"},
                 {{9, 9, 9}, "ends early: all 9 rows are there"},
                 {{9, 9, 0}, "ends early: all 9 rows are there, without details"},
                 {{9, 9, 4}, "ends early: 4 of 9 rows are there with all details"},
                 {{9, 4, 0}, "ends early: 4 of 9 rows are there, without details"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char words[PART_WORDS];
        assert_int_equal(part_describe(cases[i].part, words, sizeof words), strlen(cases[i].words));
        assert_string_equal(words, cases[i].words);
        assert_true(part_is_sound(cases[i].part, cases[i].part.of));
    }
    assert_false(part_is_sound((FilePart){9, 0, 0}, 9));
    assert_false(part_is_sound((FilePart){9, 10, 0}, 9));
    assert_false(part_is_sound((FilePart){9, 4, 5}, 9));
    assert_false(part_is_sound((FilePart){9, 4, 4}, 10));
    assert_false(part_is_sound((FilePart){0, 4, 0}, 10));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(baseline_jpegs_give_rows_of_blocks),
        cmocka_unit_test(progressive_jpegs_get_finer),
        cmocka_unit_test(pngs_give_rows),
        cmocka_unit_test(interlaced_pngs_get_finer),
        cmocka_unit_test(pnms_give_rows),
        cmocka_unit_test(bmps_give_rows),
#ifdef GLINT_WITH_TIFF
        cmocka_unit_test(tiffs_give_strips),
#endif
        cmocka_unit_test(damage_before_the_end_is_refused),
        cmocka_unit_test(words_say_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
