/* test_metadata.c: data that go with a picture from format to format; tests/formats/metadata.py made the file. */
#include "core/codec/codec.h"

#include "core/base/file.h"
#include "core/codec/formats.h"
#include "core/codec/notes.h"
#include "core/image/icc.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

#define PACKET "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><!-- a packet --></x:xmpmeta>"

static Image *load_file(const char *name) {
    char path[512];
    Image *image;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", name);
    REQUIRE(codec_load(path, &image));
    return image;
}

static Image *load(void) {
    return load_file("metadata.jpg");
}

/* The image after a format has written and read it, and its losses. */
static Image *through(const char *format, const Image *image, unsigned *lost) {
    Bytes file;
    Image *again;
    *lost = 0;
    REQUIRE(codec_encode(format_by_name(format), image, (SaveOptions){.lost = lost}, &file));
    REQUIRE(codec_decode(file, &again));
    bytes_free(&file);
    return again;
}

static bool has(ImageBlock bytes, const char *text) {
    return memmem(bytes.data, bytes.size, text, strlen(text)) != NULL;
}

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

static void blocks_go_through_formats(void **state) {
    (void)state;
    static const struct {
        const char *format;
        unsigned lost;
        bool verbatim; /* TIFF has other places for the same, WebP and JPEG XL put the resolution in */
    } rows[] = {{"png", 0, true},  {"jpg", 0, true},   {"webp", 0, false},
                {"jxl", 0, false}, {"tiff", 0, false}, {"ppm", EXTRA_EXIF | EXTRA_XMP, false}};
    Image *image = load();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned lost;
        if (format_by_name(rows[i].format)->lacks)
            continue;
        Image *again = through(rows[i].format, image, &lost);
        if ((lost & (EXTRA_EXIF | EXTRA_XMP)) != rows[i].lost)
            fail_msg("%s loses %x, want %x", rows[i].format, lost, rows[i].lost);
        assert_true(shape_equal(again->view.shape, image->view.shape));
        if (rows[i].verbatim) {
            assert_int_equal(again->exif.size, image->exif.size);
            assert_memory_equal(again->exif.data, image->exif.data, image->exif.size);
        }
        if (!(rows[i].lost & EXTRA_EXIF))
            assert_true(has(again->exif, "Somebody of that name"));
        if (!(rows[i].lost & EXTRA_XMP)) {
            assert_int_equal(again->xmp.size, strlen(PACKET));
            assert_memory_equal(again->xmp.data, PACKET, strlen(PACKET));
        }
        image_destroy(&again);
    }
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

/* A picture that readers without frames would see is no frame, and counts as lost. */
static void pictures_behind_frames_count_as_lost(void **state) {
    (void)state;
    static const char *const names[] = {"frames", "hidden"};
    for (unsigned hidden = 0; hidden < 2; hidden++) {
        char path[512];
        Image *image;
        Bytes file;
        snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/apng-%s.png", names[hidden]);
        REQUIRE(file_read(path, &file));
        REQUIRE(codec_decode(file, &image));
        assert_int_equal(image->extras & EXTRA_FRAMES, hidden * EXTRA_FRAMES);
        image_destroy(&image);
        bytes_free(&file);
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

static void assert_note(const Image *image, const char *key, const char *text) {
    const char *found = notes_find(image, key);
    if (!found || strncmp(found, text, strlen(text)) != 0)
        fail_msg("%s is \"%s\", want \"%s\"", key, found ? found : "(none)", text);
}

static void text_goes_through_formats(void **state) {
    (void)state;
    unsigned lost;
    Image *image = load_file("metadata.png"), *again = through("png", image, &lost);
    assert_int_equal(lost, 0);
    for (int pass = 0; pass < 2; pass++) {
        const Image *has_text = pass ? again : image;
        assert_note(has_text, "Title", "caf\xC3\xA9");
        assert_note(has_text, "Author", "\xC5\x81ukasz");
        assert_note(has_text, "Comment", "many words many words");
        assert_note(has_text, "Description", "\xCF\x80 \xCF\x80 ");
        assert_int_equal(strlen(notes_find(has_text, "Comment")), 2200);
        assert_int_equal(strlen(notes_find(has_text, "Description")), 2700);
        assert_true(has_text->resolution.x >= 4999.5 && has_text->resolution.x <= 5000.5);
        assert_int_equal(has_text->xmp.size, strlen(PACKET));
    }
    image_destroy(&again);
    again = through("jpg", image, &lost);
    assert_int_equal(lost, EXTRA_TEXT); /* all but the comment */
    assert_note(again, "Comment", "many words many words");
    assert_null(notes_find(again, "Title"));
    assert_true(fabs(again->resolution.x - 127 / 0.0254) < 1e-6);
    image_destroy(&again);
    again = through("bmp", image, &lost);
    assert_int_equal(lost, EXTRA_TEXT | EXTRA_XMP);
    assert_true(fabs(again->resolution.x - 5000) < 1e-6 && fabs(again->resolution.y - 5000) < 1e-6);
    image_destroy(&again);
    again = through("ppm", image, &lost);
    assert_int_equal(lost, EXTRA_TEXT | EXTRA_RESOLUTION | EXTRA_XMP);
    image_destroy(&again);
    if (!format_by_name("tiff")->lacks) {
        again = through("tiff", image, &lost);
        assert_int_equal(lost, EXTRA_TEXT); /* Description and Comment are one there */
        assert_true(has(again->exif, "caf\xC3\xA9") && has(again->exif, "\xC5\x81ukasz"));
        image_destroy(&again);
    }
    image_destroy(&image);
}

/* GIF's blocks hold 255 bytes, here the half of a character, and one of no bytes is the end of blocks. */
static void comments_of_gif_are_whole(void **state) {
    (void)state;
    if (format_by_name("gif")->lacks)
        skip();
    char words[300] = "";
    memset(words, 'w', 254);
    strcat(words, "\xC3\xA9 and so on");
    const struct {
        const char *text;
        size_t size;
        unsigned lost;
    } cases[] = {{words, strlen(words), 0}, {"", 0, 0}, {"with\0zero", 9, EXTRA_TEXT}, {"zeros\0\0", 7, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned lost;
        Image *image;
        REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &image));
        REQUIRE(notes_add(image, "Comment", cases[i].text, cases[i].size));
        Image *again = through("gif", image, &lost);
        assert_int_equal(lost, cases[i].lost);
        if (cases[i].size > 0)
            assert_note(again, "Comment", cases[i].text);
        image_destroy(&again);
        image_destroy(&image);
    }
}

/* The profile's curves are none: colours are coded as they are, and libjxl is not asked to convert them. */
static void jxl_keeps_a_broken_profile(void **state) {
    (void)state;
    if (format_by_name("jxl")->lacks)
        skip();
    unsigned lost;
    Image *image = NULL;
    REQUIRE(codec_load(GLINT_SOURCE_DIR "/tests/fuzz/seeds/codec/broken-profile.png", &image));
    Image *again = through("jxl", image, &lost);
    assert_int_equal(lost, 0);
    assert_int_equal(again->profile_size, image->profile_size);
    assert_memory_equal(again->profile, image->profile, image->profile_size);
    image_destroy(&again);
    image_destroy(&image);
}

/* 120 x 60 dots per inch, and turned by a quarter. */
static void resolution_turns_with_the_picture(void **state) {
    (void)state;
    Image *image = load();
    assert_true(fabs(image->resolution.x - 60 / 0.0254) < 1e-6 && fabs(image->resolution.y - 120 / 0.0254) < 1e-6);
    assert_note(image, "Comment", "sixty pictures");
    image_destroy(&image);
}

/* Gives an image the profile of a file. */
static void take_profile(Image *to, const char *name) {
    Image *from = load_file(name);
    free(to->profile);
    to->profile = from->profile;
    to->profile_size = from->profile_size;
    from->profile = NULL;
    image_destroy(&from);
}

/* A profile of gray for colours, or none at all, is left out, and called so. */
static void jxl_leaves_out_a_profile_for_others(void **state) {
    (void)state;
    if (format_by_name("jxl")->lacks)
        skip();
    for (int i = 0; i < 2; i++) {
        unsigned lost;
        Image *image = load_file("icc-adobe.png");
        take_profile(image, "icc-gray.png");
        image->profile_size = i ? 4 : image->profile_size;
        Image *again = through("jxl", image, &lost);
        assert_int_equal(lost, EXTRA_PROFILE);
        assert_null(again->profile);
        image_destroy(&again);
        image_destroy(&image);
    }
}

/* Dark colours and half an alpha, of a profile of their own: coded with loss, and read as they were, about. */
static void jxl_keeps_colours_of_a_profile(void **state) {
    (void)state;
    static const struct {
        const char *profile;
        int channels;
    } rows[] = {{"icc-adobe.png", 4}, {"icc-gray.png", 2}};
    if (format_by_name("jxl")->lacks || !icc_available())
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned lost;
        Image *image;
        const int channels = rows[i].channels;
        REQUIRE(image_create((Shape){64, 16, channels, PIXEL_U8}, &image));
        take_profile(image, rows[i].profile);
        for (size_t y = 0; y < 16; y++)
            for (size_t x = 0; x < 64; x++)
                for (int c = 0; c < channels; c++)
                    view_set_value(image->view, x, y, c, c == channels - 1 ? 128 : (double)x);
        Image *again = through("jxl", image, &lost);
        assert_int_equal(lost, 0);
        assert_true(shape_equal(again->view.shape, image->view.shape));
        assert_int_equal(again->profile_size, image->profile_size);
        assert_memory_equal(again->profile, image->profile, image->profile_size);
        for (size_t y = 0; y < 16; y++)
            for (size_t x = 8; x < 64; x++)
                for (int c = 0; c < channels; c++)
                    assert_true(fabs(view_value(again->view, x, y, c) - view_value(image->view, x, y, c)) <= 4);
        image_destroy(&again);
        image_destroy(&image);
    }
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

/* A file of several pictures that holds metadata once calls that of the others lost. */
static void pages_apart_are_called_lost(void **state) {
    (void)state;
    static const char *const names[] = {"png", "webp", "jxl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Image *first, *second, *again;
        unsigned lost;
        if (format_by_name(names[i])->lacks)
            continue;
        REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &first));
        REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &second));
        first->next = second;
        for (Image *each = first; each; each = each->next) {
            REQUIRE(image_block_set(&each->xmp, PACKET, strlen(PACKET)));
            each->resolution = (Resolution){300 / 0.0254, 300 / 0.0254};
            each->seconds = 1;
        }
        memset(first->view.pixels, 99, 4);
        again = through(names[i], first, &lost);
        assert_int_equal(lost, 0);
        image_destroy(&again);
        second->xmp.data[0] = ' ';
        second->resolution.y *= 2;
        again = through(names[i], first, &lost);
        assert_int_equal(lost, EXTRA_XMP | EXTRA_RESOLUTION);
        image_destroy(&again);
        take_profile(first, "icc-adobe.png"); /* pages, but not frames, would gain it */
        again = through(names[i], first, &lost);
        assert_int_equal(lost, EXTRA_XMP | EXTRA_RESOLUTION);
        image_destroy(&again);
        first->seconds = second->seconds = 0;
        again = through(names[i], first, &lost);
        assert_int_equal(lost, EXTRA_XMP | EXTRA_RESOLUTION | EXTRA_PROFILE);
        image_destroy(&again);
        image_destroy(&first);
    }
}

/* Some fits, the rest is called lost. */
static void text_is_limited(void **state) {
    (void)state;
    Image *image;
    REQUIRE(image_create((Shape){2, 2, 1, PIXEL_U8}, &image));
    char *words = malloc(NOTES_MAX / 4 + 1);
    assert_non_null(words);
    memset(words, 'w', NOTES_MAX / 4);
    words[NOTES_MAX / 4] = '\0';
    for (int i = 0; i < 3; i++) /* Latin-1 could have become twice as long */
        REQUIRE(notes_add(image, "Comment", words, NOTES_MAX / 4));
    assert_int_equal(image->extras, EXTRA_TEXT);
    assert_true(image->text.size < NOTES_MAX);
    unsigned lost;
    Image *again = through("png", image, &lost);
    assert_int_equal(again->text.size, image->text.size);
    image_destroy(&again);
    image_destroy(&image);
    free(words);
}

/* libpng would take minutes for some 100 000: the first 4096 are written, the others are called lost. */
static void notes_of_a_png_are_few(void **state) {
    (void)state;
    enum { MOST = 1 << 12 };
    Image *image, *again;
    unsigned lost;
    REQUIRE(image_create((Shape){2, 2, 1, PIXEL_U8}, &image));
    for (int i = 0; i < MOST; i++)
        REQUIRE(notes_add(image, "Comment", "c", 1));
    again = through("png", image, &lost);
    assert_int_equal(lost, 0);
    assert_int_equal(again->text.size, image->text.size);
    image_destroy(&again);
    REQUIRE(notes_add(image, "Comment", "c", 1));
    again = through("png", image, &lost);
    assert_int_equal(lost, EXTRA_TEXT);
    assert_int_equal(again->text.size, MOST * sizeof "Comment\0c");
    image_destroy(&again);
    image_destroy(&image);
}

/* The longest that each format holds (JPEG XL, in milliseconds: 2^32 - 1), for a picture that is shown longer. */
static void times_have_an_end(void **state) {
    (void)state;
    static const struct {
        const char *format;
        double least, most;
    } rows[] = {{"png", 600, 65535}, {"gif", 655, 656}, {"webp", 16777, 16778}, {"jxl", 4294967, 4294968}};
    Image *image;
    unsigned lost;
    REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &image));
    REQUIRE(image_create((Shape){2, 2, 3, PIXEL_U8}, &image->next));
    ((unsigned char *)image->view.pixels)[0] = 255;
    image->seconds = image->next->seconds = 1e12;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (format_by_name(rows[i].format)->lacks)
            continue;
        Image *again = through(rows[i].format, image, &lost);
        if (!(again->seconds >= rows[i].least && again->seconds <= rows[i].most))
            fail_msg("%s: %g s", rows[i].format, again->seconds);
        image_destroy(&again);
    }
    image_destroy(&image);
}

static void stripped_pictures_have_neither(void **state) {
    (void)state;
    Image *image = load();
    unsigned lost = 0;
    Bytes file;
    image_strip(image);
    assert_int_equal(image_carries(image), 0);
    assert_true(image->text.data == NULL && image->resolution.x <= 0);
    REQUIRE(codec_encode(format_by_name("ppm"), image, (SaveOptions){.lost = &lost}, &file));
    assert_int_equal(lost, 0);
    bytes_free(&file);
    image_destroy(&image);
}

/* Blocks that contradict themselves are dropped, never followed outside; the picture stays. */
static void damaged_blocks_cost_themselves(void **state) {
    (void)state;
    Bytes file;
    REQUIRE(file_read(GLINT_SOURCE_DIR "/tests/formats/metadata.jpg", &file));
    const unsigned char *exif = memmem(file.data, file.size, "Exif\0\0", 6);
    const size_t begin = (size_t)(exif - file.data) + 6;
    for (size_t at = begin; at < begin + 260; at++)
        for (int bit = 0; bit < 8; bit++) {
            Image *image = NULL;
            file.data[at] ^= (unsigned char)(1 << bit);
            REQUIRE(codec_decode(file, &image));
            if (!image->exif.data)
                assert_int_equal(image->extras & EXTRA_EXIF, EXTRA_EXIF);
            image_destroy(&image);
            file.data[at] ^= (unsigned char)(1 << bit);
        }
    bytes_free(&file);
}

/* Profiles with any byte changed, or cut: pictures are converted, or refused. */
static void damaged_profiles_cost_themselves(void **state) {
    (void)state;
    ToneCurve tone;
    unsigned refused = 0;
    if (!icc_available())
        skip();
    Image *image = load_file("icc-eci.png");
    const size_t size = image->profile_size;
    unsigned char *whole = image->profile;
    image->profile = NULL;
    for (size_t at = 0; at < size; at += (at < 700 ? 1 : 37) * check_every(5))
        for (int kind = 0; kind < 3; kind++) {
            image->profile_size = kind == 2 ? at : size;
            image->profile = malloc(image->profile_size + 1);
            assert_non_null(image->profile);
            memcpy(image->profile, whole, image->profile_size);
            if (kind < 2)
                image->profile[at] ^= kind ? 0x80 : 0x01;
            image->extras = 0;
            (void)icc_tone(image->profile, image->profile_size, &tone);
            const Status status = icc_to_srgb(image);
            assert_true(status == STATUS_OK || status == STATUS_INPUT);
            assert_null(image->profile);
            assert_int_equal(image->extras, 0);
            refused += status == STATUS_INPUT;
        }
    assert_true(refused > 0);
    free(whole);
    image_destroy(&image);
}

/* Curves tell how values stand for light: gamma as Adobe RGB has it, and L*, against its definition. */
static void profiles_tell_their_curves(void **state) {
    (void)state;
    ToneCurve tone;
    Image *image = load_file("icc-adobe.png");
    if (!icc_available()) {
        image_destroy(&image);
        skip();
    }
    REQUIRE(icc_tone(image->profile, image->profile_size, &tone));
    assert_true(fabs(tone.gamma - 563 / 256.0) < 1e-4);
    image_destroy(&image);
    image = load_file("icc-eci.png");
    REQUIRE(icc_tone(image->profile, image->profile_size, &tone));
    assert_int_equal(tone.count, KNOTS_MAX);
    for (int i = 0; i < tone.count; i++) {
        const double value = 100 * tone_value(i), light = value > 8 ? pow((value + 16) / 116, 3) : value * 27 / 24389;
        assert_true(fabs(tone.light[i] - light) < 2e-5);
    }
    REQUIRE(icc_tone(NULL, 0, &tone));
    assert_true(tone.gamma <= 0 && tone.count == 0);
    assert_int_equal(icc_tone(image->profile, 100, &tone), STATUS_INPUT);
    image_destroy(&image);
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

static void keywords_that_png_has_not_are_left_out(void **state) {
    (void)state;
    unsigned lost;
    Image *image = load_file("metadata.png");
    assert_int_equal(image->extras & EXTRA_TEXT, 0);
    image_block_free(&image->text);
    REQUIRE(notes_add(image, "Not \xFF a keyword of PNG", "text", 4));
    REQUIRE(notes_add(image, "\xCE\xA9", "text", 4));
    Image *again = through("png", image, &lost);
    assert_int_equal(lost & EXTRA_TEXT, EXTRA_TEXT);
    image_destroy(&again);
    image_destroy(&image);
}

/* The parts that are cut out of a packet, worked out by hand; text that is not XML stays from there on. */
static void packets_lose_what_is_not_true_any_more(void **state) {
    (void)state;
    static const struct {
        const char *packet, *want;
        bool promises;
    } rows[] = {
        {"<a tiff:Orientation=\"6\" b=\"1\"/>", "<a b=\"1\"/>", false},
        {"<a\n tiff:Orientation = '6'>t</a>", "<a\n>t</a>", false},
        {"<a><tiff:Orientation>8</tiff:Orientation>t</a>", "<a>t</a>", false},
        {"<a><tiff:ImageWidth/><tiff:ImageLength x='>'>5</tiff:ImageLength ></a>", "<a></a>", false},
        {"<a exif:PixelXDimension=\"9\" exif:PixelYDimension=\"9\"></a>", "<a></a>", false},
        {"<a><xmp:Thumbnails><b c=\"SECRET\"/></xmp:Thumbnails></a>", "<a></a>", false},
        {"<a><xap:Thumbnails>SECRET</xap:Thumbnails ></a>", "<a></a>", false},
        {"<a b=\" tiff:Orientation='6'\"> tiff:Orientation=\"6\"</a>",
         "<a b=\" tiff:Orientation='6'\"> tiff:Orientation=\"6\"</a>", false},
        {"<!-- <tiff:Orientation>6</tiff:Orientation> --><?p <tiff:Orientation/>?><a/>",
         "<!-- <tiff:Orientation>6</tiff:Orientation> --><?p <tiff:Orientation/>?><a/>", false},
        {"<a><![CDATA[it's <tiff:Orientation/>]]><tiff:Orientation/></a>",
         "<a><![CDATA[it's <tiff:Orientation/>]]></a>", false},
        {"<a tiff:OrientationOfAnother=\"6\"/>", "<a tiff:OrientationOfAnother=\"6\"/>", false},
        {"<a><xmp:Thumbnails>SECRET", "<a><xmp:Thumbnails>SECRET", false},
        {"<a tiff:Orientation=\"6", "<a tiff:Orientation=\"6", false},
        {"<a tiff:Orientation", "<a tiff:Orientation", false},
        {"<tiff:Orientation/>", "", false},
        {"<", "<", false},
        /* prefixes mean the spaces that packets bind them to */
        {"<a xmlns:t='http://ns.adobe.com/tiff/1.0/' t:Orientation='6' tiff:Make='M'/>",
         "<a xmlns:t='http://ns.adobe.com/tiff/1.0/' tiff:Make='M'/>", false},
        {"<a xmlns:tiff = \"urn:mine\" tiff:Orientation='6'/>", "<a xmlns:tiff = \"urn:mine\" tiff:Orientation='6'/>",
         false},
        {"<a><tiff:ImageWidth><b><tiff:ImageWidth>5</tiff:ImageWidth></b></tiff:ImageWidth>t</a>", "<a>t</a>", false},
        {"<a xmpNote:HasExtendedXMP='0123' GDepth:Format='RangeInverse'/>", "<a/>", true},
        {"<a GDepth:Format='RangeInverse' GDepth:Data='here'/>", "<a GDepth:Format='RangeInverse' GDepth:Data='here'/>",
         false},
        {"<a hdrgm:Version=\"1.0\"><hdrgm:GainMapMax><rdf:Seq><!-- <x> --><rdf:li>1</rdf:li><rdf:li/></rdf:Seq>"
         "</hdrgm:GainMapMax>t</a>",
         "<a>t</a>", true},
        {"<a xmlns:g='http://ns.adobe.com/hdr-gain-map/1.0/' g:Version='1.0' hdr:Version='2'/>",
         "<a xmlns:g='http://ns.adobe.com/hdr-gain-map/1.0/' hdr:Version='2'/>", true},
        {"<a><Container:Directory><rdf:Seq><rdf:li rdf:parseType='Resource'><Container:Item Item:Mime='image/jpeg' "
         "Item:Length='9'/></rdf:li></rdf:Seq></Container:Directory></a>",
         "<a></a>", true},
        {"<a HDRGainMap:HDRGainMapVersion='65536' b='1'/>", "<a b='1'/>", true},
        {"<a GCamera:MicroVideo='1' GCamera:MicroVideoOffset='1000' GCamera:MotionPhoto='1' "
         "GCamera:MotionPhotoPresentationTimestampUs='5' GCamera:SpecialTypeID='b'/>",
         "<a GCamera:SpecialTypeID='b'/>", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ImageBlock packet = {0};
        REQUIRE(image_block_set(&packet, rows[i].packet, strlen(rows[i].packet)));
        assert_int_equal(xmp_settle(&packet, true), rows[i].promises ? EXTRA_BESIDE : 0);
        if (packet.size != strlen(rows[i].want) ||
            (packet.size > 0 && memcmp(packet.data, rows[i].want, packet.size) != 0))
            fail_msg("%s becomes %.*s, want %s", rows[i].packet, (int)packet.size, (const char *)packet.data,
                     rows[i].want);
        assert_int_equal(packet.data == NULL, packet.size == 0);
        image_block_free(&packet);
    }
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

/* IPTC is not carried on, and that is said; Photoshop's other resources are nobody's loss. */
static void captions_of_iptc_count_as_lost(void **state) {
    (void)state;
    static const unsigned char with[] = "Photoshop 3.0\0"
                                        "8BIM\x04\x04\0\0\0\0\0\x02"
                                        "\x1C\x02",
                               without[] = "Photoshop 3.0\0"
                                           "8BIM\x04\x0C\0\0\0\0\0\x02"
                                           "\x1C\x02";
    assert_true(notes_of_iptc(with, sizeof with - 1));
    assert_false(notes_of_iptc(without, sizeof without - 1));
}

static Bytes read_sample(const char *name) {
    char path[512];
    Bytes file;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", name);
    REQUIRE(file_read(path, &file));
    return file;
}

static void times_count_where_they_have_no_place(void **state) {
    (void)state;
    static const char *const keep[] = {"gif", "png", "webp", "jxl"};
    Bytes file = read_sample("gif-frames.gif");
    Image *image;
    unsigned lost;
    REQUIRE(codec_decode(file, &image));
    bytes_free(&file);
    assert_true(image->next && image->seconds > 0);
    for (size_t i = 0; i < sizeof keep / sizeof *keep; i++)
        if (format_by_name(keep[i]) && format_by_name(keep[i])->writes) {
            image_destroy(&(Image *){through(keep[i], image, &lost)});
            assert_int_equal(lost & EXTRA_TIMES, 0);
        }
    image_destroy(&(Image *){through("tiff", image, &lost)});
    assert_int_equal(lost & EXTRA_TIMES, EXTRA_TIMES);
    image_destroy(&image);
}

/* Sequences, films and gain maps, of which none is read, and XMP in the last box, which says no size. */
static void what_boxes_hold_besides_counts_as_lost(void **state) {
    (void)state;
    static const struct {
        const char *name;
        unsigned extras;
    } rows[] = {{"heif-turned.avif", 0},
                {"heif-turned-alpha.avif", 0},
                {"heif-sequence.avif", EXTRA_FRAMES},
                {"heif-wide.avif", EXTRA_BESIDE},
                {"jxl-wide.jxl", EXTRA_BESIDE}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (format_for_path(rows[i].name)->lacks)
            continue;
        Bytes file = read_sample(rows[i].name);
        Image *image;
        REQUIRE(codec_decode(file, &image));
        if (image->extras != rows[i].extras || (strstr(rows[i].name, "jxl") && !has(image->xmp, "adobe:ns:meta")))
            fail_msg("%s: %x, want %x", rows[i].name, image->extras, rows[i].extras);
        image_destroy(&image);
        bytes_free(&file);
    }
}

/* The extras of a file whose bytes from `at` on are others. */
static unsigned extras_with(Bytes file, size_t at, const void *bytes, size_t size) {
    Image *image;
    assert_true(at + size <= file.size);
    memcpy(file.data + at, bytes, size);
    REQUIRE(codec_decode(file, &image));
    const unsigned extras = image->extras;
    image_destroy(&image);
    return extras;
}

/* A display window of one pixel more; the last tag of a TIFF made ModelPixelScale. */
static void places_count_as_lost(void **state) {
    (void)state;
    static const char window[] = "displayWindow\0box2i\0\x10\0\0"; /* and one zero more, its own */
    static const unsigned char scale[] = {0x0E, 0x83};
    if (format_by_name("exr")->reads) {
        Bytes exr = read_sample("exr-half-none.exr");
        const unsigned char *found = memmem(exr.data, exr.size, window, sizeof window);
        assert_non_null(found);
        const size_t right = (size_t)(found - exr.data) + sizeof window + 8;
        assert_int_equal(extras_with(exr, 0, "", 0) & EXTRA_PLACE, 0);
        assert_int_equal(extras_with(exr, right, &(unsigned char){(unsigned char)(exr.data[right] + 1)}, 1),
                         EXTRA_PLACE);
        bytes_free(&exr);
    }
    if (format_by_name("tiff")->reads) {
        Bytes tiff = read_sample("tiff-u8x3-planes.tif");
        const size_t directory = tiff.data[4] | (size_t)tiff.data[5] << 8 | (size_t)tiff.data[6] << 16;
        const size_t last = directory + 2 + 12 * (tiff.data[directory] - 1U);
        assert_memory_equal(tiff.data, "II", 2);
        assert_int_equal(extras_with(tiff, 0, "", 0) & EXTRA_PLACE, 0);
        assert_int_equal(extras_with(tiff, last, scale, sizeof scale) & EXTRA_PLACE, EXTRA_PLACE);
        bytes_free(&tiff);
    }
}

static void gray_becomes_rgb(void **state) {
    (void)state;
    static const unsigned char profile[128] = {[16] = 'G', [17] = 'R', [18] = 'A', [19] = 'Y'};
    for (int channels = 1; channels <= 2; channels++) {
        const Shape shape = {3, 2, channels, PIXEL_U16};
        Image *image;
        REQUIRE(image_create(shape, &image));
        view_fill_random(image->view, 7);
        Image *const gray = image_retain(image);
        REQUIRE(image_create(shape, &image->next));
        image->profile = malloc(sizeof profile);
        assert_non_null(image->profile);
        memcpy(image->profile, profile, sizeof profile);
        image->profile_size = sizeof profile;
        REQUIRE(image_make_rgb(&image));
        assert_int_equal(image_count(image), 2);
        assert_int_equal(image->view.shape.channels, channels + 2);
        assert_int_equal(image->next->view.shape.channels, channels + 2);
        assert_null(image->profile);
        assert_int_equal(image->extras, EXTRA_PROFILE);
        for (size_t y = 0; y < 2; y++)
            for (size_t x = 0; x < 3; x++)
                for (int c = 0; c < channels + 2; c++)
                    assert_true(view_value(image->view, x, y, c) == view_value(gray->view, x, y, c < 3 ? 0 : 1));
        image_destroy(&image);
        image_destroy(&(Image *){gray});
    }
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

/* PNG 1.2 to 3, 5.6: chunks of which there is one at most, whatever goes along. */
static void chunks_of_png_stand_once(void **state) {
    (void)state;
    static const char *const once[] = {"IHDR", "iCCP", "eXIf", "pHYs", "gAMA", "cHRM", "cICP", "acTL"};
    Image *image = load(), *second = NULL;
    image->colours = (ColourChunks){.has_gama = true, .has_chrm = true, .has_cicp = true, .cicp = {1, 13, 0, 1}};
    take_profile(image, "icc-adobe.png");
    REQUIRE(image_clone(image->view, &second));
    for (int frames = 1; frames <= 2; frames++) {
        Bytes file;
        REQUIRE(codec_encode(format_by_name("png"), image, (SaveOptions){0}, &file));
        for (size_t i = 0; i < sizeof once / sizeof *once; i++) {
            unsigned count = 0;
            for (size_t at = 8; at < file.size;) {
                const unsigned char *chunk = file.data + at;
                count += memcmp(chunk + 4, once[i], 4) == 0;
                at += 12 + ((size_t)chunk[0] << 24 | (size_t)chunk[1] << 16 | (size_t)chunk[2] << 8 | chunk[3]);
            }
            if (count != (frames == 1 && i == 7 ? 0 : 1))
                fail_msg("%u chunks %s", count, once[i]);
        }
        bytes_free(&file);
        image->next = second;
    }
    image_destroy(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pictures_behind_frames_count_as_lost),
        cmocka_unit_test(orientations_are_applied_or_stay),
        cmocka_unit_test(resolutions_of_all_types_are_read),
        cmocka_unit_test(dimensions_of_the_picture_are_cut_out_of_exif),
        cmocka_unit_test(chunks_of_png_stand_once),
        cmocka_unit_test(exif_of_heif_is_found),
        cmocka_unit_test(exif_begins_where_it_says),
        cmocka_unit_test(packets_lose_what_is_not_true_any_more),
        cmocka_unit_test(dimensions_are_cut_out_of_exif),
        cmocka_unit_test(captions_of_iptc_count_as_lost),
        cmocka_unit_test(what_boxes_hold_besides_counts_as_lost),
        cmocka_unit_test(times_count_where_they_have_no_place),
        cmocka_unit_test(places_count_as_lost),
        cmocka_unit_test(gray_becomes_rgb),
        cmocka_unit_test(exif_is_true_of_the_turned_picture),
        cmocka_unit_test(blocks_go_through_formats),
        cmocka_unit_test(exif_goes_through_tiff),
        cmocka_unit_test(text_goes_through_formats),
        cmocka_unit_test(jxl_leaves_out_a_profile_for_others),
        cmocka_unit_test(jxl_keeps_colours_of_a_profile),
        cmocka_unit_test(resolution_goes_into_exif),
        cmocka_unit_test(resolution_joins_what_exif_says),
        cmocka_unit_test(resolution_of_exif_turns),
        cmocka_unit_test(odd_tags_of_tiff_are_passed_over),
        cmocka_unit_test(pages_apart_are_called_lost),
        cmocka_unit_test(text_is_limited),
        cmocka_unit_test(notes_of_a_png_are_few),
        cmocka_unit_test(times_have_an_end),
        cmocka_unit_test(comments_of_gif_are_whole),
        cmocka_unit_test(jxl_keeps_a_broken_profile),
        cmocka_unit_test(resolution_turns_with_the_picture),
        cmocka_unit_test(damaged_profiles_cost_themselves),
        cmocka_unit_test(profiles_tell_their_curves),
        cmocka_unit_test(damaged_directories_do_no_harm),
        cmocka_unit_test(keywords_that_png_has_not_are_left_out),
        cmocka_unit_test(stripped_pictures_have_neither),
        cmocka_unit_test(damaged_blocks_cost_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
