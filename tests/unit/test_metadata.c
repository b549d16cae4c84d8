/* test_metadata.c: metadata from format to format: XMP, texts, profiles, times, and what is called lost. */
#include "core/base/file.h"
#include "core/codec/formats.h"
#include "core/image/icc.h"

#include <math.h>

#include "tests/unit/metadata_fixture.h"

#define PACKET "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><!-- a packet --></x:xmpmeta>"

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
            const Status status = icc_to_srgb(image, "--icc keep");
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
        assert_int_equal(xmp_settle(&packet, true, false), rows[i].promises ? EXTRA_BESIDE : 0);
        if (packet.size != strlen(rows[i].want) ||
            (packet.size > 0 && memcmp(packet.data, rows[i].want, packet.size) != 0))
            fail_msg("%s becomes %.*s, want %s", rows[i].packet, (int)packet.size, (const char *)packet.data,
                     rows[i].want);
        assert_int_equal(packet.data == NULL, packet.size == 0);
        image_block_free(&packet);
    }
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
        cmocka_unit_test(chunks_of_png_stand_once),
        cmocka_unit_test(packets_lose_what_is_not_true_any_more),
        cmocka_unit_test(captions_of_iptc_count_as_lost),
        cmocka_unit_test(what_boxes_hold_besides_counts_as_lost),
        cmocka_unit_test(times_count_where_they_have_no_place),
        cmocka_unit_test(places_count_as_lost),
        cmocka_unit_test(gray_becomes_rgb),
        cmocka_unit_test(blocks_go_through_formats),
        cmocka_unit_test(text_goes_through_formats),
        cmocka_unit_test(jxl_leaves_out_a_profile_for_others),
        cmocka_unit_test(jxl_keeps_colours_of_a_profile),
        cmocka_unit_test(pages_apart_are_called_lost),
        cmocka_unit_test(text_is_limited),
        cmocka_unit_test(notes_of_a_png_are_few),
        cmocka_unit_test(times_have_an_end),
        cmocka_unit_test(comments_of_gif_are_whole),
        cmocka_unit_test(jxl_keeps_a_broken_profile),
        cmocka_unit_test(damaged_profiles_cost_themselves),
        cmocka_unit_test(profiles_tell_their_curves),
        cmocka_unit_test(keywords_that_png_has_not_are_left_out),
        cmocka_unit_test(stripped_pictures_have_neither),
        cmocka_unit_test(damaged_blocks_cost_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
