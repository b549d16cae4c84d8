/* test_device_codec.c: JPEGs that a device may decode, and the host's part then: which files these are, and their data
 * besides pixels. */
#include "core/codec/codec.h"
#include "core/math/pcg.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include "tests/check.h"

typedef struct Kind {
    int across, down, restart, colours; /* luma samples for one of chroma; MCUs; J_COLOR_SPACE of the file */
    bool progressive, arithmetic, optimized, plain;
} Kind;

static const Kind kinds[] = {
    {1, 1, 0, JCS_YCbCr, false, false, false, true},     {2, 1, 0, JCS_YCbCr, false, false, false, true},
    {1, 2, 0, JCS_YCbCr, false, false, false, true},     {2, 2, 0, JCS_YCbCr, false, false, false, true},
    {2, 2, 3, JCS_YCbCr, false, false, false, true},     {2, 2, 0, JCS_YCbCr, false, false, true, true},
    {1, 1, 0, JCS_GRAYSCALE, false, false, false, true}, {1, 1, 5, JCS_GRAYSCALE, false, false, true, true},
    {4, 1, 0, JCS_YCbCr, false, false, false, false},    {1, 1, 0, JCS_RGB, false, false, false, false},
    {1, 1, 0, JCS_CMYK, false, false, false, false},     {2, 2, 0, JCS_YCbCr, true, false, false, false},
    {2, 2, 0, JCS_YCbCr, false, true, false, false},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* Noise in half of its columns, and a ramp: long codes, and short ones. */
static Bytes make(const Kind *kind, unsigned width, unsigned height, int quality) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    unsigned char *file = NULL, row[4 * 512];
    unsigned long size = 0;
    Pcg random = pcg_seed(width + height, 1);
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_mem_dest(&jpeg, &file, &size);
    jpeg.image_width = width;
    jpeg.image_height = height;
    jpeg.input_components = kind->colours == JCS_GRAYSCALE ? 1 : kind->colours == JCS_CMYK ? 4 : 3;
    jpeg.in_color_space = kind->colours == JCS_YCbCr ? JCS_RGB : (J_COLOR_SPACE)kind->colours;
    jpeg_set_defaults(&jpeg);
    jpeg_set_colorspace(&jpeg, (J_COLOR_SPACE)kind->colours);
    jpeg_set_quality(&jpeg, quality, TRUE);
    jpeg.comp_info[0].h_samp_factor = kind->across;
    jpeg.comp_info[0].v_samp_factor = kind->down;
    jpeg.restart_interval = (unsigned)kind->restart;
    jpeg.arith_code = kind->arithmetic;
    jpeg.optimize_coding = kind->optimized;
    if (kind->progressive)
        jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    for (unsigned y = 0; y < height; y++) {
        for (unsigned i = 0; i < width * (unsigned)jpeg.input_components; i++)
            row[i] = (unsigned char)(i < width ? pcg_next(&random) & 255 : i + y);
        jpeg_write_scanlines(&jpeg, &(JSAMPROW){row}, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    return (Bytes){file, size};
}

static bool is_plain(Bytes file, size_t *end) {
    return format_by_name("jpg")->shell->is_plain(file, end);
}

static void plain_kinds_are_known(void **state) {
    (void)state;
    static const unsigned sizes[][2] = {{1, 1}, {7, 9}, {16, 16}, {17, 33}, {200, 120}};
    for (int k = 0; k < KINDS; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            for (int quality = 5; quality <= 100; quality += 19) {
                Bytes file = make(&kinds[k], sizes[i][0], sizes[i][1], quality);
                size_t end;
                assert_int_equal(is_plain(file, &end), kinds[k].plain);
                assert_true(!kinds[k].plain || end == file.size);
                bytes_free(&file);
            }
}

static void what_follows_the_picture_is_left_out(void **state) {
    (void)state;
    Bytes file = make(&kinds[3], 40, 30, 90);
    const size_t size = file.size;
    size_t end, capacity = size;
    assert_true(bytes_append(&file, &capacity, "behind it", 9));
    assert_true(is_plain(file, &end));
    assert_int_equal(end, size);
    bytes_free(&file);
}

/* libjpeg has the last word on damage: it decodes a plain file without a warning. It warns nearly always about damage
 * in a restart interval. */
static void nothing_damaged_is_plain(void **state) {
    enum { TRIES = 400 };
    (void)state;
    Pcg random = pcg_seed(7, 7);
    for (int k = 0; k < KINDS; k++) {
        Bytes file = make(&kinds[k], 200, 120, 80);
        for (int i = 0; i < TRIES; i++) {
            Bytes damaged = {malloc(file.size), file.size};
            Image *image = NULL;
            size_t end;
            memcpy(damaged.data, file.data, file.size);
            const size_t at = pcg_next(&random) % file.size;
            if (i % 4 == 0)
                damaged.size = at;
            else if (i % 4 == 1)
                damaged.data[at] = 0xFF;
            else
                damaged.data[at] ^= (unsigned char)(1 << pcg_next(&random) % 8);
            if (is_plain(damaged, &end))
                REQUIRE(codec_decode(damaged, &image));
            assert_true(i % 4 != 0 || !is_plain(damaged, &end));
            image_destroy(&image);
            bytes_free(&damaged);
        }
        bytes_free(&file);
    }
}

/* Scans of more than 64 KiB are walked from their middles, too, wherever that is. Each kind is tried without restarts,
 * with something longer than the picture behind it, and damaged, more often than not near the middle. */
static void long_scans_are_plain_if_whole(void **state) {
    enum { TRIES = 60, LONG = 65536, NEAR = 400 };
    (void)state;
    Pcg random = pcg_seed(8, 8);
    for (int k = 0; k < KINDS; k++) {
        if (!kinds[k].plain || kinds[k].restart > 0)
            continue;
        Bytes file = make(&kinds[k], 512, 700, 95);
        const size_t size = file.size;
        size_t end = 0, capacity = size;
        assert_true(size > LONG + 1024 && is_plain(file, &end));
        assert_int_equal(end, size);
        for (int i = 0; i < TRIES; i++) {
            Image *image = NULL;
            const size_t at = i % 3 == 0 ? pcg_next(&random) % size : size / 2 - NEAR + pcg_next(&random) % (2 * NEAR);
            const unsigned char was = file.data[at];
            file.data[at] = (unsigned char)(was ^ 1 << pcg_next(&random) % 8);
            if (is_plain(file, &end))
                REQUIRE(codec_decode(file, &image));
            image_destroy(&image);
            file.data[at] = was;
        }
        char *behind = calloc(2, size);
        assert_true(bytes_append(&file, &capacity, behind, 2 * size) && is_plain(file, &end));
        assert_int_equal(end, size);
        free(behind);
        bytes_free(&file);
    }
}

/* A walk looks at 4 KiB at a time: of more than that, in whichever place the file ends. */
static void a_part_of_a_file_is_not_plain(void **state) {
    enum { STEP = 7 };
    (void)state;
    for (int k = 3; k <= 4; k++) {
        const Bytes file = make(&kinds[k], 400, 200, 100);
        size_t end;
        assert_true(file.size > 3 * 4096 && is_plain(file, &end));
        for (size_t size = 0; size < file.size; size += STEP * check_every(31)) {
            Bytes part = {malloc(size + 1), size};
            memcpy(part.data, file.data, size);
            part.data = realloc(part.data, size > 0 ? size : 1); /* sanitizers see reads behind it */
            assert_false(is_plain(part, &end));
            bytes_free(&part);
        }
        free(file.data);
    }
}

/* A table whose codes fill all there are: T.81 keeps the one of all ones for fillers, and libjpeg refuses it. */
static void a_code_of_all_ones_is_not_plain(void **state) {
    enum { COUNTS = 5, LONGEST = 9, CODES = 12, SYMBOLS = COUNTS + 16 };
    (void)state;
    Bytes file = make(&kinds[6], 40, 30, 90);
    Image *image = NULL;
    size_t at = 0, end, capacity = file.size;
    assert_true(is_plain(file, &end));
    while (file.data[at] != 0xFF || file.data[at + 1] != 0xC4 || file.data[at + 4] != 0)
        at++;
    unsigned char *table = file.data + at;
    assert_true(table[3] == SYMBOLS - 2 + CODES && table[COUNTS + LONGEST - 1] == 1);
    table[3]++;
    table[COUNTS + LONGEST - 1]++;
    assert_true(bytes_append(&file, &capacity, "", 1));
    table = file.data + at + SYMBOLS + CODES;
    memmove(table + 1, table, file.size - 1 - (size_t)(table - file.data));
    *table = CODES - 1;
    assert_false(is_plain(file, &end));
    assert_int_equal(codec_decode(file, &image), STATUS_INPUT);
    bytes_free(&file);
}

static const unsigned char exif[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3,
                                     0,   1,   0,  0, 0, 1, 0, 0, 0, 0, 0,    0, 0};

static Image *marked(void) {
    Image *image = NULL;
    REQUIRE(image_create((Shape){40, 24, 3, PIXEL_U8}, &image));
    view_fill_random(image->view, 3);
    REQUIRE(image_block_set(&image->exif, exif, sizeof exif));
    REQUIRE(image_block_set(&image->xmp, "<x:xmpmeta/>", 12));
    image->resolution = (Resolution){300 / 0.0254, 300 / 0.0254};
    return image;
}

/* The host writes the segments of a picture that a device encodes as it writes those of one that it encodes itself.
 * Only the bytes behind them differ. */
static void what_is_said_is_written_alike(void **state) {
    (void)state;
    const Format *jpeg = format_by_name("jpg");
    Image *image = marked(), *bare = NULL, *about = NULL, *read = NULL;
    Bytes whole, encoded, made;
    REQUIRE(image_clone(image->view, &bare));
    REQUIRE(codec_encode(jpeg, image, (SaveOptions){0}, &whole));
    REQUIRE(codec_encode(jpeg, bare, (SaveOptions){0}, &encoded));
    REQUIRE(image_create_about(image->view.shape, &about));
    image_pass_on(image, about);
    REQUIRE(codec_encode_about(jpeg, about, encoded, (SaveOptions){0}, &made));
    assert_int_equal(made.size, whole.size);
    assert_memory_equal(made.data, whole.data, whole.size);
    REQUIRE(codec_decode(made, &read));
    assert_int_equal(image_carries(read), EXTRA_EXIF | EXTRA_XMP | EXTRA_RESOLUTION);
    bytes_free(&whole);
    bytes_free(&encoded);
    bytes_free(&made);
    image_destroy(&image);
    image_destroy(&bare);
    image_destroy(&about);
    image_destroy(&read);
}

static void an_encoded_stream_without_tables_is_refused(void **state) {
    (void)state;
    Image *image = marked();
    Bytes file;
    assert_int_equal(codec_encode_about(format_by_name("jpg"), image, (Bytes){(unsigned char *)"\xFF\xD8\xFF\xD9", 4},
                                        (SaveOptions){0}, &file),
                     STATUS_DEVICE);
    image_destroy(&image);
}

/* Read either way, a file says the same; and a device gets the file itself. */
static void what_is_said_is_read_alike(void **state) {
    (void)state;
    Image *image = marked(), *decoded = NULL, *about = NULL;
    EncodedPicture encoded;
    CodecFile codec;
    Bytes file;
    REQUIRE(codec_encode(format_by_name("jpg"), image, (SaveOptions){0}, &file));
    const char *path = "test_device_codec.jpg";
    FILE *out = fopen(path, "wb");
    assert_non_null(out);
    assert_int_equal(fwrite(file.data, 1, file.size, out), file.size);
    assert_int_equal(fclose(out), 0);
    REQUIRE(codec_load(path, &decoded));
    REQUIRE(codec_open(path, (Pages){0}, &codec));
    assert_true(codec_may_stay_encoded(&codec));
    REQUIRE(codec_read_encoded(&codec, SIZE_MAX, &encoded, &about));
    assert_int_equal(encoded.bytes.size, file.size);
    assert_memory_equal(encoded.bytes.data, file.data, file.size);
    assert_true(shape_equal(encoded.shape, decoded->view.shape) && shape_equal(about->view.shape, encoded.shape));
    assert_null(about->view.pixels);
    assert_int_equal(image_carries(about), image_carries(decoded));
    assert_int_equal(about->exif.size, decoded->exif.size);
    assert_memory_equal(about->exif.data, decoded->exif.data, decoded->exif.size);
    assert_true(about->resolution.x == decoded->resolution.x && about->extras == decoded->extras);
    remove(path);
    bytes_free(&file);
    bytes_free(&encoded.bytes);
    image_destroy(&image);
    image_destroy(&decoded);
    image_destroy(&about);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_kinds_are_known),         cmocka_unit_test(what_follows_the_picture_is_left_out),
        cmocka_unit_test(nothing_damaged_is_plain),      cmocka_unit_test(long_scans_are_plain_if_whole),
        cmocka_unit_test(a_part_of_a_file_is_not_plain), cmocka_unit_test(a_code_of_all_ones_is_not_plain),
        cmocka_unit_test(what_is_said_is_written_alike), cmocka_unit_test(an_encoded_stream_without_tables_is_refused),
        cmocka_unit_test(what_is_said_is_read_alike),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
