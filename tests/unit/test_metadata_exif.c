/* test_metadata_exif.c: Exif, orientations and resolutions from format to format. */
#include "core/base/file.h"
#include "core/codec/formats.h"

#include <math.h>

#include "tests/unit/metadata_fixture.h"

/* Tag 0112 of the first directory, in little endian. */
static unsigned orientation(ImageBlock exif) {
    const unsigned char *at = memmem(exif.data, exif.size, "\x12\x01\x03\0\x01\0\0\0", 8);
    assert_non_null(at);
    return at[8];
}

static void exif_is_true_of_the_turned_picture(void **state) {
    (void)state;
    Image *image = load();
    assert_int_equal(image->view.shape.width, 8);
    assert_int_equal(image->view.shape.height, 16);
    assert_int_equal(orientation(image->exif), 1);
    assert_true(has(image->exif, "Somebody of that name"));
    assert_false(has(image->exif, "JFIF")); /* the thumbnail's */
    assert_true(has(image->xmp, "<!-- a packet -->"));
    assert_int_equal(image->extras & (EXTRA_EXIF | EXTRA_XMP), 0);
    image_destroy(&image);
}

/* Four bytes before it say how many more there are: 6 in HEIF by most writers. */
static void exif_of_heif_is_found(void **state) {
    (void)state;
    if (format_by_name("heif")->lacks)
        skip();
    Image *image = load_file("metadata.heic");
    assert_true(image->exif.data && has(image->exif, "Somebody of that name"));
    image_destroy(&image);
}

/* Blocks of Exif alone. */
static void exif_begins_where_it_says(void **state) {
    (void)state;
    static const struct {
        const char *bytes;
        size_t size, left;
    } cases[] = {{"\0\0\0\0MM\0*", 8, 4}, {"\0\0\0\6Exif\0\0MM\0*", 14, 4},
                 {"\0\0\0\4MM\0*", 8, 8}, {"\377\377\377\377MM\0*", 8, 8},
                 {"\0\0\0", 3, 3},        {"\0\0\0\3MM\0*", 8, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ImageBlock block = {0};
        REQUIRE(exif_set(&block, (const unsigned char *)cases[i].bytes, cases[i].size));
        assert_int_equal(block.size, cases[i].left);
        assert_memory_equal(block.data, cases[i].bytes + cases[i].size - cases[i].left, cases[i].left);
        image_block_free(&block);
    }
}

/* Whether an entry of Exif is there, in little endian: tag, type, count, and of four bytes or less the value. */
static bool has_entry(ImageBlock exif, const char *entry, size_t size) {
    return memmem(exif.data, exif.size, entry, size) != NULL;
}

/* The directories of a big-endian TIFF, as a block, in other formats, and in TIFF again. */
static void exif_goes_through_tiff(void **state) {
    (void)state;
    static const char *const formats_between[] = {"tiff", "png"};
    if (format_by_name("tiff")->lacks)
        skip();
    for (size_t i = 0; i < 2; i++) {
        unsigned lost, again_lost;
        Image *image = load_file("metadata.tif"), *between = through(formats_between[i], image, &lost),
              *again = through("tiff", between, &again_lost);
        assert_int_equal(lost | again_lost, 0);
        for (int pass = 0; pass < 2; pass++) {
            const ImageBlock exif = pass ? again->exif : image->exif;
            assert_true(has(exif, "what it shows") && has(exif, "Maker") && has(exif, "opaque to all but its maker."));
            assert_true(has_entry(exif, "\x27\x88\3\0\1\0\0\0\x90\1\0\0", 12)); /* sensitivity 400 */
            assert_true(has_entry(exif, "\1\0\2\0\2\0\0\0N\0\0\0", 12));        /* north */
            assert_true(
                has_entry(exif, "\x33\0\0\0\1\0\0\0\x1C\0\0\0\1\0\0\0\x99\0\0\0\4\0\0\0", 24)); /* 51, 28, 38.25 */
        }
        assert_true(fabs(again->resolution.x - 300 / 0.0254) < 0.5);
        image_destroy(&image);
        image_destroy(&between);
        image_destroy(&again);
    }
}

/* 120 x 60 dots per inch, and turned by a quarter. */
static void resolution_turns_with_the_picture(void **state) {
    (void)state;
    Image *image = load();
    assert_true(fabs(image->resolution.x - 60 / 0.0254) < 1e-6 && fabs(image->resolution.y - 120 / 0.0254) < 1e-6);
    assert_note(image, "Comment", "sixty pictures");
    image_destroy(&image);
}

/* Formats without a place for it have it in Exif: 300 x 150 dots per inch, in fractions of 10000. */
static void resolution_goes_into_exif(void **state) {
    (void)state;
    static const char *const names[] = {"webp", "jxl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        unsigned lost;
        Image *image;
        if (format_by_name(names[i])->lacks)
            continue;
        REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &image));
        image->resolution = (Resolution){300 / 0.0254, 150 / 0.0254};
        Image *again = through(names[i], image, &lost);
        assert_int_equal(lost, 0);
        assert_true(fabs(again->resolution.x - 300 / 0.0254) < 1e-6);
        assert_true(fabs(again->resolution.y - 150 / 0.0254) < 1e-6);
        assert_true(has_entry(again->exif, "\x1A\1\5\0\1\0\0\0\x08\0\0\0", 12)); /* a fraction behind the header */
        assert_true(has_entry(again->exif, "\xC0\xC6\x2D\0\x10\x27\0\0", 8));    /* 3000000 / 10000 */
        again->resolution.x *= 2; /* the Exif that is there says another */
        Image *last = through(names[i], again, &lost);
        assert_int_equal(lost, 0);
        assert_true(fabs(last->resolution.x - 600 / 0.0254) < 1e-6);
        image_destroy(&last);
        image_destroy(&again);
        image->resolution.y = NAN;
        again = through(names[i], image, &lost);
        assert_int_equal(lost, EXTRA_RESOLUTION);
        image_destroy(&again);
        image_destroy(&image);
    }
}

/* Exif's own facts go along with a resolution that it does not know: here a camera, in big endian. */
static void resolution_joins_what_exif_says(void **state) {
    (void)state;
    static const unsigned char maker[] = "MM\0*\0\0\0\x08\0\3\1\x0F\0\2\0\0\0\6\0\0\0\x32"
                                         "\1\x1B\0\5\0\0\0\1\0\0\0\x38\1\x31\0\2\0\0\0\2x\0\0\0"
                                         "\0\0\0\0Maker\0\0\0\0\x48\0\0\0\1";
    Image *image;
    unsigned lost;
    if (format_by_name("webp")->lacks)
        skip();
    REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &image));
    REQUIRE(image_block_set(&image->exif, maker, sizeof maker - 1));
    image->resolution = (Resolution){300 / 0.0254, 150 / 0.0254};
    Image *again = through("webp", image, &lost);
    assert_int_equal(lost, 0);
    assert_true(fabs(again->resolution.x - 300 / 0.0254) < 1e-6 && fabs(again->resolution.y - 150 / 0.0254) < 1e-6);
    /* ascending: maker, x, y, unit, software; the values lie behind the old block, of 64 bytes */
    assert_true(has_entry(again->exif,
                          "\0\5\1\x0F\0\2\0\0\0\6\0\0\0\x32\1\x1A\0\5\0\0\0\1\0\0\0\x40"
                          "\1\x1B\0\5\0\0\0\1\0\0\0\x48\1\x28\0\3\0\0\0\1\0\2\0\0"
                          "\1\x31\0\2\0\0\0\2x\0\0\0\0\0\0\0",
                          66));
    assert_string_equal((const char *)again->exif.data + 0x32, "Maker");
    image_destroy(&again);
    image->resolution = (Resolution){40, 40}; /* a metre: nearly nothing, as the block says */
    again = through("webp", image, &lost);
    assert_int_equal(lost, 0);
    assert_true(fabs(again->resolution.x - 40) < 0.01 && fabs(again->resolution.y - 40) < 0.01);
    image_destroy(&again);
    image_destroy(&image);
}

/* Turned by a quarter, 120 x 60 dots an inch are 60 x 120, also where only Exif knows them. */
static void resolution_of_exif_turns(void **state) {
    (void)state;
    static const unsigned char turned[] = "II*\0\x08\0\0\0\3\0\x12\1\3\0\1\0\0\0\6\0\0\0"
                                          "\x1A\1\5\0\1\0\0\0\x32\0\0\0\x1B\1\5\0\1\0\0\0\x3A\0\0\0"
                                          "\0\0\0\0\x78\0\0\0\1\0\0\0\x3C\0\0\0\1\0\0";
    Image *image, *back = NULL;
    Bytes file;
    unsigned lost = 0;
    REQUIRE(image_create((Shape){4, 2, 3, PIXEL_U8}, &image));
    REQUIRE(image_block_set(&image->exif, turned, sizeof turned));
    REQUIRE(codec_encode(format_by_name("jpg"), image, (SaveOptions){.lost = &lost}, &file));
    REQUIRE(codec_decode(file, &back));
    assert_int_equal(back->view.shape.width, 2);
    assert_true(fabs(back->resolution.x - 60 / 0.0254) < 1e-6 && fabs(back->resolution.y - 120 / 0.0254) < 1e-6);
    assert_true(has_entry(back->exif, "\x1A\1\5\0\1\0\0\0\x3A\0\0\0", 12));
    bytes_free(&file);
    image_destroy(&back);
    image_destroy(&image);
}

/* A tag that no standard knows, and pixels do not depend on, refuses no file. Here are an orientation of 0, as some
 * writers have it, and a private tag of an unknown type in its place. */
static void odd_tags_of_tiff_are_passed_over(void **state) {
    (void)state;
    static const unsigned char entry[] = "\x12\1\3\0\1\0\0\0",
                               odd[][9] = {"\x12\1\3\0\1\0\0\0", "\x16\xFF\x0E\0\1\0\0\0"};
    if (format_by_name("tiff")->lacks)
        skip();
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        Bytes file;
        Image *turned = load_file("tiff-turned.tif"), *image = NULL;
        REQUIRE(file_read(GLINT_SOURCE_DIR "/tests/formats/tiff-turned.tif", &file));
        unsigned char *at = memmem(file.data, file.size, entry, 8);
        assert_non_null(at);
        memcpy(at, odd[i], 8);
        at[8] = 0;
        REQUIRE(codec_decode(file, &image));
        assert_int_equal(image->view.shape.width, turned->view.shape.height);
        assert_int_equal(image->view.shape.height, turned->view.shape.width);
        image_destroy(&image);
        image_destroy(&turned);
        bytes_free(&file);
    }
}

/* Directories of a TIFF with any bit flipped: refused, or a picture. */
static void damaged_directories_do_no_harm(void **state) {
    (void)state;
    Bytes file;
    unsigned dropped = 0;
    if (format_by_name("tiff")->lacks)
        skip();
    REQUIRE(file_read(GLINT_SOURCE_DIR "/tests/formats/metadata.tif", &file));
    for (size_t at = 264; at < file.size; at += check_every(3))
        for (int bit = 0; bit < 8; bit++) {
            Image *image = NULL;
            unsigned lost;
            file.data[at] ^= (unsigned char)(1 << bit);
            const Status status = codec_decode(file, &image);
            assert_true(status == STATUS_OK || status == STATUS_INPUT);
            if (image) {
                dropped += !image->exif.data;
                Image *again = through("tiff", image, &lost);
                image_destroy(&again);
            }
            image_destroy(&image);
            file.data[at] ^= (unsigned char)(1 << bit);
        }
    assert_true(dropped > 0);
    bytes_free(&file);
}

/* A block in big endian: a directory with the way to Exif's, which has two dimensions and, between them, a sensitivity
 * of 400. */
static void dimensions_are_cut_out_of_exif(void **state) {
    (void)state;
    static const unsigned char block[] = {'M', 'M',  0, 42, 0,  0,   0,    8,    0, 1, 0x87, 0x69, 0, 4, 0, 0,    0,
                                          1,   0,    0, 0,  26, 0,   0,    0,    0, 0, 3,    0xA0, 2, 0, 4, 0,    0,
                                          0,   1,    0, 0,  0,  100, 0x88, 0x27, 0, 3, 0,    0,    0, 1, 1, 0x90, 0,
                                          0,   0xA0, 3, 0,  3,  0,   0,    0,    1, 0, 60,   0,    0, 0, 0, 0,    0};
    static const unsigned char want[] = {0, 1, 0x88, 0x27, 0, 3, 0, 0, 0, 1, 1, 0x90, 0, 0, 0, 0, 0, 0};
    Image *image;
    REQUIRE(image_create((Shape){1, 1, 1, PIXEL_U8}, &image));
    REQUIRE(image_block_set(&image->exif, block, sizeof block));
    exif_settle(image);
    assert_true(image->exif.size >= 26 + sizeof want);
    assert_memory_equal(image->exif.data, block, 26);
    assert_memory_equal(image->exif.data + 26, want, sizeof want);
    image_destroy(&image);
}

/* A block of one entry of Exif, tag 0112. */
static size_t make_orientation(unsigned char block[26], bool big, unsigned type, unsigned count, const char *value) {
    static const unsigned char little_head[] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1},
                               big_head[] = {'M', 'M', 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12};
    memset(block, 0, 26);
    memcpy(block, big ? big_head : little_head, sizeof big_head);
    block[big ? 13 : 12] = (unsigned char)type;
    block[big ? 17 : 14] = (unsigned char)count;
    memcpy(block + 18, value, 4);
    return 26;
}

/* Orientations of all types of whole numbers are applied, and then say upright. A block that says none stays to the
 * byte, and so does XMP's where nothing was applied. */
static void orientations_are_applied_or_stay(void **state) {
    (void)state;
    static const struct {
        bool big;
        unsigned type, count;
        char value[5], after[5];
        bool turned;
    } rows[] = {
        {false, 3, 1, "\6\0\0\0", "\1\0\0\0", true},      {true, 3, 1, "\0\6\0\0", "\0\1\0\0", true},
        {false, 4, 1, "\6\0\0\0", "\1\0\0\0", true},      {true, 4, 1, "\0\0\0\6", "\0\0\0\1", true},
        {false, 1, 1, "\6\0\0\0", "\1\0\0\0", true},      {true, 1, 1, "\6\0\0\0", "\1\0\0\0", true},
        {true, 9, 1, "\0\0\0\6", "\0\0\0\1", true},       {false, 8, 2, "\6\0\7\0", "\1\0\7\0", true},
        {false, 3, 1, "\1\0\0\0", "\1\0\0\0", false},     {false, 3, 1, "\0\0\0\0", "\0\0\0\0", false},
        {false, 3, 1, "\x09\0\0\0", "\x09\0\0\0", false}, {false, 2, 2, "6\0\0\0", "6\0\0\0", false},
        {false, 3, 0, "\6\0\0\0", "\6\0\0\0", false},     {true, 4, 1, "\0\1\0\6", "\0\1\0\6", false},
        {false, 7, 1, "\6\0\0\0", "\6\0\0\0", false},
    };
    static const char *const between[] = {"jpg", "png", "webp"}, packet[] = "<a tiff:Orientation='6'/>";
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t f = 0; f < sizeof between / sizeof *between; f++) {
            unsigned char block[26];
            unsigned lost;
            Image *image;
            if (format_by_name(between[f])->lacks)
                continue;
            REQUIRE(image_create((Shape){4, 2, 3, PIXEL_U8}, &image));
            const size_t size = make_orientation(block, rows[i].big, rows[i].type, rows[i].count, rows[i].value);
            REQUIRE(image_block_set(&image->exif, block, size));
            REQUIRE(image_block_set(&image->xmp, packet, sizeof packet - 1));
            Image *again = through(between[f], image, &lost);
            const bool applied = rows[i].turned || rows[i].value[0] == 1;
            if (again->view.shape.width != (rows[i].turned ? 2 : 4) || again->exif.size != size ||
                memcmp(again->exif.data + 18, rows[i].after, 4) != 0 || memcmp(again->exif.data, block, 18) != 0 ||
                has(again->xmp, "Orientation") == applied)
                fail_msg("row %zu, %s: %zu pixels wide, %.*s", i, between[f], again->view.shape.width,
                         (int)again->xmp.size, (const char *)again->xmp.data);
            image_destroy(&again);
            image_destroy(&image);
        }
}

/* 300 dots an inch in whole numbers, and in floats of either size: the field that is an offset elsewhere is the value
 * here. */
static void resolutions_of_all_types_are_read(void **state) {
    (void)state;
    static const struct {
        unsigned char type, value[4], behind[8];
        double x;
    } rows[] = {
        {3, {0x2C, 1}, {0}, 300},
        {4, {0x2C, 1}, {0}, 300},
        {11, {0, 0, 0x96, 0x43}, {0}, 300},
        {5, {26}, {0x2C, 1, 0, 0, 1}, 300},
        {10, {26}, {0x58, 2, 0, 0, 2}, 300},
        {12, {26}, {0, 0, 0, 0, 0, 0xC0, 0x72, 0x40}, 300},
        {2, {26}, {0x2C, 1, 0, 0, 1}, 0},
        {5, {200}, {0}, 0},
        {5, {26}, {0x2C, 1}, 0},
        {11, {0, 0, 0x80, 0x7F}, {0}, 0}, /* without end */
        {12, {26}, {0, 0, 0, 0, 0, 0, 0xF0, 0x7F}, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned char block[34] = {'I', 'I', 42, 0, 8, 0, 0, 0, 1, 0, 0x1A, 1};
        Image *image;
        block[12] = rows[i].type;
        block[14] = 1;
        memcpy(block + 18, rows[i].value, 4);
        memcpy(block + 26, rows[i].behind, 8);
        REQUIRE(image_create((Shape){1, 1, 1, PIXEL_U8}, &image));
        REQUIRE(image_block_set(&image->exif, block, sizeof block));
        exif_settle(image);
        if (!(fabs(image->resolution.x - rows[i].x / 0.0254) < 1e-6))
            fail_msg("row %zu: %g a metre, want %g", i, image->resolution.x, rows[i].x / 0.0254);
        image_destroy(&image);
    }
}

/* Width and height of the first directory, which some phones write. */
static void dimensions_of_the_picture_are_cut_out_of_exif(void **state) {
    (void)state;
    static const unsigned char block[] = "II*\0\x08\0\0\0\3\0\0\1\4\0\1\0\0\0\x64\0\0\0\1\1\3\0\1\0\0\0\x32\0\0\0"
                                         "\x12\1\3\0\1\0\0\0\1\0\0\0\0\0\0",
                               want[] = "II*\0\x08\0\0\0\1\0\x12\1\3\0\1\0\0\0\1\0\0\0\0\0\0";
    Image *image;
    REQUIRE(image_create((Shape){1, 1, 1, PIXEL_U8}, &image));
    REQUIRE(image_block_set(&image->exif, block, sizeof block));
    exif_settle(image);
    assert_true(image->exif.size >= sizeof want);
    assert_memory_equal(image->exif.data, want, sizeof want);
    image_destroy(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(orientations_are_applied_or_stay),
        cmocka_unit_test(resolutions_of_all_types_are_read),
        cmocka_unit_test(dimensions_of_the_picture_are_cut_out_of_exif),
        cmocka_unit_test(exif_of_heif_is_found),
        cmocka_unit_test(exif_begins_where_it_says),
        cmocka_unit_test(dimensions_are_cut_out_of_exif),
        cmocka_unit_test(exif_is_true_of_the_turned_picture),
        cmocka_unit_test(exif_goes_through_tiff),
        cmocka_unit_test(resolution_goes_into_exif),
        cmocka_unit_test(resolution_joins_what_exif_says),
        cmocka_unit_test(resolution_of_exif_turns),
        cmocka_unit_test(odd_tags_of_tiff_are_passed_over),
        cmocka_unit_test(resolution_turns_with_the_picture),
        cmocka_unit_test(damaged_directories_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
