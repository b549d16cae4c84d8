/* test_reading.c: PNG and GIF as other programs write them, and files of which the first bytes are looked at. */
#include <png.h>
#include <zlib.h>

#include "tests/unit/reading_fixture.h"

typedef struct Growing {
    Bytes file;
    size_t capacity;
} Growing;

static void png_append(png_structp png, png_bytep data, size_t size) {
    Growing *to = png_get_io_ptr(png);
    assert_true(bytes_append(&to->file, &to->capacity, data, size));
}

/* 2 x 1 gray pixels, 16 and 240, with the blocks that `add` puts before them. */
static Bytes png_with(void (*add)(png_structp, png_infop)) {
    Growing made = {0};
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, &made, png_append, NULL);
    png_set_IHDR(png, info, 2, 1, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    add(png, info);
    png_write_info(png, info);
    png_write_row(png, (png_const_bytep) "\x10\xF0");
    png_write_end(png, NULL); /* else Exif stands twice */
    png_destroy_write_struct(&png, &info);
    return made.file;
}

/* A canvas, and a frame of one row of two pixels at its upper left, of colours 0 and 1: clear, 0, 1, end. */
static Bytes gif_of(unsigned char width_256, unsigned char height_256, unsigned char frame_width) {
    const unsigned char file[] = {'G',         'I', 'F', '8', '9', 'a', 0, width_256, 0,    height_256, 0x80, 0,
                                  0,           1,   2,   3,   4,   5,   6, 0x2C,      0,    0,          0,    0,
                                  frame_width, 0,   1,   0,   0,   2,   2, 0x44,      0x0A, 0,          0x3B};
    return bytes_of(file, sizeof file);
}

/* ---- PNG ---- */

/* A directory of 65000 entries, 780 KB; the last says: the first row is the right side. */
static void add_long_exif(png_structp png, png_infop info) {
    enum { ENTRIES = 65000, SIZE = 8 + 2 + ENTRIES * 12 };
    unsigned char *block = calloc(SIZE, 1), *last = block + SIZE - 12;
    assert_non_null(block);
    static const unsigned char header[8] = {'M', 'M', 0, 42, 0, 0, 0, 8}; /* the first directory begins behind it */
    memcpy(block, header, sizeof header);
    block[8] = ENTRIES >> 8;
    block[9] = ENTRIES & 255;
    memcpy(last, "\x01\x12\0\x03\0\0\0\x01\0\x06", 10);
    png_set_eXIf_1(png, info, SIZE, block);
    free(block);
}

static void add_little_endian_exif(png_structp png, png_infop info) {
    unsigned char block[] = "II\x2A\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0";
    png_set_eXIf_1(png, info, sizeof block, block);
}

static void orientation_is_found(void **state) {
    (void)state;
    void (*const adds[])(png_structp, png_infop) = {add_long_exif, add_little_endian_exif};
    for (size_t i = 0; i < 2; i++) {
        Image *image;
        Bytes file = png_with(adds[i]);
        REQUIRE(decode(file, &image));
        assert_int_equal(image->view.shape.width, 1);
        assert_int_equal(image->view.shape.height, 2);
        image_destroy(&image);
        bytes_free(&file);
    }
}

/* No byte of a directory may lead outside the block or make an orientation of rubbish. */
static void a_changed_directory_is_survived(void **state) {
    (void)state;
    Bytes file = png_with(add_little_endian_exif);
    const size_t at = 8 + 25 + 8; /* behind the signature, IHDR and the head of eXIf */
    for (size_t i = 0; i < 22; i++)
        for (unsigned value = 0; value < 256; value += 15) {
            Image *image;
            const unsigned char before = file.data[at + i];
            file.data[at + i] = (unsigned char)value;
            if (decode(file, &image) == STATUS_OK)
                assert_int_equal(shape_bytes(image->view.shape), 2);
            image_destroy(&image);
            file.data[at + i] = before;
        }
    bytes_free(&file);
}

static void no_chunk_claims_more_than_the_file(void **state) {
    (void)state;
    static const char *const types[] = {"eXIf", "iCCP", "tEXt", "PLTE", "zzZz"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        unsigned char head[8] = {0x7F, 0xFF, 0xFF, 0xF0};
        memcpy(head + 4, types[i], 4);
        Bytes plain = png_with(add_little_endian_exif), file = with(plain, 8 + 25, head, sizeof head);
        assert_refused(file, types[i]);
        bytes_free(&file);
        bytes_free(&plain);
    }
}

static void add_spared(png_structp png, png_infop info) {
    unsigned char block[] = "II\x2A\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0";
    png_set_eXIf_1(png, info, sizeof block, block);
    png_set_text(
        png, info,
        &(png_text){.compression = PNG_TEXT_COMPRESSION_NONE, .key = (char[]){"Title"}, .text = (char[]){"words"}}, 1);
    png_set_pHYs(png, info, 3000, 3000, PNG_RESOLUTION_METER);
    png_set_gAMA(png, info, 0.5);
}

/* A wrong checksum costs a chunk that pixels do not need: the picture is not turned, and has no text. */
static void a_wrong_checksum_costs_what_pixels_do_not_need(void **state) {
    (void)state;
    static const struct {
        const char *type;
        unsigned extra;
    } rows[] = {{"eXIf", EXTRA_EXIF}, {"tEXt", EXTRA_TEXT}, {"pHYs", EXTRA_RESOLUTION}, {"gAMA", EXTRA_GAMMA}};
    Bytes file = png_with(add_spared);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *image;
        unsigned char *chunk = memmem(file.data, file.size, rows[i].type, 4);
        assert_non_null(chunk);
        unsigned char *const last = chunk + 3 + chunk[-1]; /* of its data */
        *last ^= 1;
        REQUIRE(decode(file, &image));
        assert_int_equal(image->extras, rows[i].extra);
        assert_int_equal(image->view.shape.width, i == 0 ? 2 : 1);
        assert_int_equal(image_carries(image),
                         (EXTRA_EXIF | EXTRA_TEXT | EXTRA_RESOLUTION | EXTRA_GAMMA) & ~rows[i].extra);
        assert_true(view_value(image->view, 0, 0, 0) == 16);
        *last ^= 1;
        memcpy(chunk, (const char[]){'w', 'H', 'A', 'T'}, 4); /* it might have been transparency */
        assert_refused(file, "CRC error");
        memcpy(chunk, rows[i].type, 4);
        image_destroy(&image);
    }
    bytes_free(&file);
}

/* A chunk behind IHDR, with its checksum. */
static Bytes with_chunk(Bytes plain, const char *type, const void *data, size_t size) {
    unsigned char chunk[64] = {0, 0, 0, (unsigned char)size};
    assert_true(size + 12 <= sizeof chunk);
    memcpy(chunk + 4, type, 4);
    memcpy(chunk + 8, data, size);
    const uLong crc = crc32(0, chunk + 4, (uInt)size + 4);
    for (size_t i = 0; i < 4; i++)
        chunk[8 + size + i] = (unsigned char)(crc >> 8 * (3 - i));
    return with(plain, 8 + 25, chunk, size + 12);
}

static void add_nothing(png_structp png, png_infop info) {
    (void)png, (void)info;
}

/* Gray has a transparent value of two bytes, once: libpng passes over others, and pixels would show. */
static void transparency_of_a_wrong_length_is_refused(void **state) {
    (void)state;
    static const unsigned char key[6] = {0, 0x10};
    Bytes plain = png_with(add_nothing), file;
    Image *image;
    for (size_t size = 0; size <= sizeof key; size++) {
        file = with_chunk(plain, "tRNS", key, size);
        if (size != 2) {
            assert_refused(file, "its transparency does not fit the picture (tRNS: invalid)");
        } else {
            REQUIRE(decode(file, &image));
            assert_int_equal(image->view.shape.channels, 2);
            assert_true(view_value(image->view, 0, 0, 1) == 0);
            assert_true(view_value(image->view, 1, 0, 1) == 255);
            image_destroy(&image);
            Bytes twice = with_chunk(file, "tRNS", key, size);
            assert_refused(twice, "its transparency does not fit the picture (tRNS: duplicate)");
            bytes_free(&twice);
        }
        bytes_free(&file);
    }
    bytes_free(&plain);
}

/* Chunks that pixels do not need are left out if their length is wrong, and count as lost. */
static void chunks_of_a_wrong_length_count_as_lost(void **state) {
    (void)state;
    static const struct {
        const char *type, *data;
        size_t size;
        unsigned extra;
    } rows[] = {{"gAMA", "\0\0\xB1", 3, EXTRA_GAMMA},
                {"cHRM", "\0\0\0\0", 4, EXTRA_GAMMA},
                {"cICP", "\x09\x10\0\1\0", 5, EXTRA_CICP},
                {"pHYs", "\0\0\x0B\xB8\0\0\x0B\xB8", 8, EXTRA_RESOLUTION},
                {"pHYs", "\0\0\0\2\0\0\0\1\0", 9, EXTRA_RESOLUTION}, /* twice as many across as down */
                {"pHYs", "\0\0\0\1\0\0\0\1\0", 9, 0}};
    Bytes plain = png_with(add_nothing);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *image;
        Bytes file = with_chunk(plain, rows[i].type, rows[i].data, rows[i].size);
        REQUIRE(decode(file, &image));
        assert_int_equal(image->extras, rows[i].extra);
        assert_int_equal(image_carries(image), 0);
        image_destroy(&image);
        bytes_free(&file);
    }
    bytes_free(&plain);
}

static void add_extras(png_structp png, png_infop info) {
    png_set_gAMA(png, info, 0.5);
    png_set_cHRM(png, info, 0.3127, 0.329, 0.64, 0.33, 0.21, 0.71, 0.15, 0.06);
    png_set_pHYs(png, info, 3000, 3000, PNG_RESOLUTION_METER);
}

/* ---- GIF ---- */

static void a_gif_may_lack_its_trailer(void **state) {
    (void)state;
    Image *image;
    Bytes file = gif_of(1, 1, 2);
    REQUIRE(decode((Bytes){file.data, file.size - 1}, &image));
    assert_int_equal(view_value(image->view, 1, 0, 2), 6);
    assert_int_equal(view_value(image->view, 2, 0, 3), 0);
    image_destroy(&image);
    for (size_t less = 2; less < 8; less++)
        assert_refused((Bytes){file.data, file.size - less}, "ends early");
    bytes_free(&file);
}

static void a_frame_must_be_covered_by_data(void **state) {
    (void)state;
    Bytes file = gif_of(250, 250, 0);
    file.data[25] = file.data[27] = 250; /* 64000 x 64000 pixels in 35 bytes */
    file.data[26] = 0;
    setenv("GLINT_MEMORY", "1T", 1);
    assert_refused(file, "ends early");
    unsetenv("GLINT_MEMORY");
    bytes_free(&file);
}

/* NETSCAPE2.0: block 1 says how often pictures run again; block 2 is about buffers. Pillow 13 reads plays alike. */
static void the_block_of_plays_counts_plays(void **state) {
    (void)state;
    static const struct {
        const char *blocks;
        size_t size;
        unsigned plays;
    } rows[] = {{"\3\1\5\0", 4, 6},
                {"\3\1\0\0", 4, 0},
                {"\5\2\0\1\0\0", 6, 1},
                {"\3\1\5\0\5\2\0\1\0\0", 10, 6},
                {"\5\2\0\1\0\0\3\1\5\0", 10, 6},
                {"\2\1\5", 3, 1}};
    Bytes plain = gif_of(1, 1, 2);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *image;
        Bytes named = with(plain, 19, "\x21\xFF\x0BNETSCAPE2.0", 14);
        Bytes blocks = with(named, 19 + 14, rows[i].blocks, rows[i].size);
        Bytes file = with(blocks, 19 + 14 + rows[i].size, "", 1);
        REQUIRE(decode(file, &image));
        assert_int_equal(image->plays, rows[i].plays);
        image_destroy(&image);
        bytes_free(&file);
        bytes_free(&blocks);
        bytes_free(&named);
    }
    bytes_free(&plain);
}

/* ---- losses ---- */

static unsigned lost_by(const char *format, const Image *image) {
    unsigned lost = 0;
    Bytes file;
    REQUIRE(codec_encode(format_by_name(format), image, (SaveOptions){.lost = &lost}, &file));
    bytes_free(&file);
    return lost;
}

static void what_is_lost_is_known(void **state) {
    (void)state;
    Image *image;
    Bytes file = png_with(add_extras);
    REQUIRE(decode(file, &image));
    assert_int_equal(lost_by("png", image), 0);
    assert_int_equal(lost_by("ppm", image), EXTRA_GAMMA | EXTRA_RESOLUTION);
    image->profile_size = 200;
    image->profile = calloc(image->profile_size, 1); /* no profile that libpng would write */
    assert_int_equal(lost_by("png", image) & EXTRA_PROFILE, EXTRA_PROFILE);
    assert_int_equal(lost_by("ppm", image) & EXTRA_PROFILE, EXTRA_PROFILE);
    assert_int_equal(lost_by("jpg", image) & EXTRA_PROFILE, 0);
    image_destroy(&image);
    bytes_free(&file);
    char names[200];
    image_extras_format(EXTRA_PROFILE | EXTRA_FRAMES, names, sizeof names);
    assert_string_equal(names, "ICC profiles, further frames");
}

/* gAMA and cHRM as libpng writes them (50000 and eight more, each times 100000); cICP of BT.2100 PQ. */
static void colour_chunks_go_through_png(void **state) {
    (void)state;
    static const unsigned char red_x[] = {0, 0, 0xFA, 0}, cicp[] = {9, 16, 0, 1};
    Image *image, *again;
    Bytes file = png_with(add_extras), written;
    REQUIRE(decode(file, &image));
    assert_true(image->colours.has_gama && image->colours.has_chrm && !image->colours.has_cicp);
    assert_memory_equal(image->colours.gama, "\0\0\xC3\x50", 4);
    assert_memory_equal(image->colours.chrm + 8, red_x, sizeof red_x);
    image->colours.has_cicp = true;
    memcpy(image->colours.cicp, cicp, sizeof cicp);
    assert_int_equal(lost_by("tga", image), EXTRA_GAMMA | EXTRA_CICP | EXTRA_RESOLUTION);
    image_strip(image);
    REQUIRE(codec_encode(format_by_name("png"), image, (SaveOptions){0}, &written));
    REQUIRE(decode(written, &again));
    assert_memory_equal(&again->colours, &image->colours, sizeof image->colours);
    image_destroy(&image);
    image_destroy(&again);
    bytes_free(&written);
    bytes_free(&file);
}

/* 2 MiB of text in 2 KiB, and damaged text: left out, and known. */
static void add_long_text(png_structp png, png_infop info) {
    enum { LONG = 2 << 20 };
    char *words = calloc(1, LONG + 1);
    assert_non_null(words);
    memset(words, 'w', LONG);
    png_text text = {.compression = PNG_TEXT_COMPRESSION_zTXt, .key = (png_charp) "Comment", .text = words};
    png_set_text(png, info, &text, 1);
    free(words);
}

static void add_damaged_text(png_structp png, png_infop info) {
    png_unknown_chunk chunk = {"zTXt", (png_bytep) "Comment\0\0no zlib", 17, PNG_HAVE_IHDR};
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "zTXt", 1);
    png_set_unknown_chunks(png, info, &chunk, 1);
}

static void add_cut_text(png_structp png, png_infop info) {
    png_unknown_chunk chunk = {"iTXt", (png_bytep) "Comment\0\0\0no end", 16, PNG_HAVE_IHDR};
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_ALWAYS, (png_const_bytep) "iTXt", 1);
    png_set_unknown_chunks(png, info, &chunk, 1);
}

static void text_costs_itself(void **state) {
    (void)state;
    void (*const adds[])(png_structp, png_infop) = {add_long_text, add_damaged_text, add_cut_text};
    for (size_t i = 0; i < sizeof adds / sizeof *adds; i++) {
        Image *image;
        Bytes file = png_with(adds[i]);
        REQUIRE(decode(file, &image));
        assert_int_equal(image->extras, EXTRA_TEXT);
        assert_null(image->text.data);
        image_destroy(&image);
        bytes_free(&file);
    }
}

/* ---- files ---- */

static void write_file(const char *path, const char *start, off_t size) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(start, file);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(ftruncate(fileno(file), size), 0);
    fclose(file);
}

/* A terabyte without blocks on the disk. */
static void first_bytes_decide(void **state) {
    (void)state;
    CodecFile file;
    Image *image;
    write_file("reading.tmp", "no picture", (off_t)1 << 40);
    assert_int_equal(codec_open("reading.tmp", (Pages){.count = 1}, &file), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "no known picture format"));
    write_file("reading.tmp", "P5 10 10 255\n", (off_t)1 << 40);
    REQUIRE(codec_open("reading.tmp", (Pages){.count = 1}, &file));
    assert_int_equal(file.input.bytes.size, INPUT_HEAD);
    assert_true(codec_memory(&file) >= (size_t)1 << 40);
    codec_close(&file);
    setenv("GLINT_MEMORY", "1G", 1);
    assert_int_equal(codec_load("reading.tmp", &image), STATUS_INPUT);
    assert_non_null(strstr(status_message(), "GLINT_MEMORY"));
    unsetenv("GLINT_MEMORY");
    write_file("reading.tmp", "P5 10 10 255\n", 13 + 100);
    REQUIRE(codec_load("reading.tmp", &image));
    image_destroy(&image);
    unlink("reading.tmp");
}

/* A file that is read whole, or far, before its picture is known must fit, too: nothing of it is walked through before.
 * Behind these heads lie zeros: padding of a GIF, and a box of JPEG XL that is passed over. */
static void what_is_read_before_the_picture_must_fit(void **state) {
    (void)state;
    static const struct {
        const char *format, *head;
        size_t size;
    } rows[] = {{"gif", "GIF89a\1\0\1\0\0\0\0", 13},
                {"jxl",
                 "\0\0\0\x0CJXL \r\n\x87\n\0\0\0\x14"
                 "ftypjxl \0\0\0\0jxl \1\0\0\0free",
                 40}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CodecFile file;
        if (format_by_name(rows[i].format)->lacks)
            continue;
        FILE *out = fopen("reading.tmp", "w");
        assert_non_null(out);
        assert_int_equal(fwrite(rows[i].head, 1, rows[i].size, out), rows[i].size);
        assert_int_equal(fflush(out), 0);
        assert_int_equal(ftruncate(fileno(out), 20 << 20), 0);
        fclose(out);
        setenv("GLINT_MEMORY", "1M", 1);
        assert_int_equal(codec_open("reading.tmp", (Pages){.count = 1}, &file), STATUS_INPUT);
        if (!strstr(status_message(), "GLINT_MEMORY"))
            fail_msg("%s: %s", rows[i].format, status_message());
        unsetenv("GLINT_MEMORY");
    }
    unlink("reading.tmp");
}

/* A frame's header behind more than INPUT_HEAD bytes of other segments. */
static void a_header_may_be_long(void **state) {
    (void)state;
    static unsigned char comment[2 + 65535] = {0xFF, 0xFE, 0xFF, 0xFF};
    Bytes plain = gray_jpeg(0), long_one = with(plain, 2, comment, sizeof comment);
    Bytes file = with(long_one, 2, comment, sizeof comment);
    FILE *out = fopen("reading.tmp", "w");
    assert_int_equal(fwrite(file.data, 1, file.size, out), file.size);
    fclose(out);
    CodecFile opened;
    Image *image;
    REQUIRE(codec_open("reading.tmp", (Pages){.count = 1}, &opened));
    assert_int_equal(codec_shape(&opened).width, 32);
    assert_int_equal(opened.input.bytes.size, INPUT_HEAD);
    REQUIRE(codec_read(&opened, SIZE_MAX, &image));
    image_destroy(&image);
    unlink("reading.tmp");
    bytes_free(&file);
    bytes_free(&long_one);
    bytes_free(&plain);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientation_is_found),
        cmocka_unit_test(a_changed_directory_is_survived),
        cmocka_unit_test(no_chunk_claims_more_than_the_file),
        cmocka_unit_test(a_wrong_checksum_costs_what_pixels_do_not_need),
        cmocka_unit_test(transparency_of_a_wrong_length_is_refused),
        cmocka_unit_test(chunks_of_a_wrong_length_count_as_lost),
        cmocka_unit_test(a_gif_may_lack_its_trailer),
        cmocka_unit_test(the_block_of_plays_counts_plays),
        cmocka_unit_test(a_frame_must_be_covered_by_data),
        cmocka_unit_test(what_is_lost_is_known),
        cmocka_unit_test(colour_chunks_go_through_png),
        cmocka_unit_test(text_costs_itself),
        cmocka_unit_test(first_bytes_decide),
        cmocka_unit_test(what_is_read_before_the_picture_must_fit),
        cmocka_unit_test(a_header_may_be_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
