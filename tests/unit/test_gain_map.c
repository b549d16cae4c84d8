/* test_gain_map.c: gain maps: read, rendered, moved by chains, written, and never promised in vain.
 * tests/formats/gain_map.py and gain_map_boxes.py made the files, and reckoned their HDR renderings. */
#include "core/base/file.h"
#include "core/chain/chain.h"
#include "core/codec/gain_metadata.h"
#include "core/codec/jpeg_gain_map.h"
#include "core/image/gain_map.h"
#include "core/run/gain_map_move.h"
#include "core/run/rendering.h"

#include <math.h>

#include "tests/unit/metadata_fixture.h"

static Image *picture_of(const char *name) {
    char path[64];
    snprintf(path, sizeof path, "jpeg-gain-%s.jpg", name);
    Image *image = load_file(path);
    assert_non_null(image->gain_map);
    return image;
}

static Bytes file_of(const char *name) {
    char path[512];
    Bytes file;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/jpeg-gain-%s.jpg", name);
    REQUIRE(file_read(path, &file));
    return file;
}

/* The largest difference of two pictures of light, as a part of the second one's and a hundredth of white. */
static double apart(ImageView a, ImageView b) {
    double most = 0;
    assert_true(shape_equal(a.shape, b.shape));
    for (size_t y = 0; y < a.shape.height; y++)
        for (size_t x = 0; x < a.shape.width; x++)
            for (int c = 0; c < a.shape.channels; c++) {
                const double is = view_value(a, x, y, c), want = fmax(view_value(b, x, y, c), 0);
                most = fmax(most, fabs(is - want) / (fabs(want) + 0.01));
            }
    return most;
}

static size_t count_of(Bytes bytes, const char *word) {
    size_t count = 0;
    for (const unsigned char *at = bytes.data, *end = at + bytes.size;
         (at = memmem(at, (size_t)(end - at), word, strlen(word))); at++)
        count++;
    return count;
}

/* ---- reading ---- */

/* Renders the samples of a list; returns how many there are of formats that this build has. */
static size_t render_listed(const char *list_name, size_t *left_out) {
    char line[128], name[64], type[8];
    double within;
    size_t samples = 0;
    FILE *list = fopen(list_name, "r");
    assert_non_null(list);
    while (fgets(line, sizeof line, list)) {
        Shape shape = {0};
        if (sscanf(line, "sample %63s within %lf", name, &within) != 2)
            continue;
        if (format_for_path(name)->lacks) {
            ++*left_out;
            continue;
        }
        assert_int_equal(fscanf(list, " picture %zux%zu %7s", &shape.width, &shape.height, type), 3);
        REQUIRE(shape_parse_type(type, &shape));
        Image *image = load_file(name);
        if (!image->gain_map || image->extras)
            fail_msg("%s: %s, extras %x", name, image->gain_map ? "a map" : "no map", image->extras);
        REQUIRE(rendering_make(&image));
        assert_true(image->rendered);
        if (!shape_equal(image->view.shape, shape))
            fail_msg("%s: %zu x %zu of %d channels", name, image->view.shape.width, image->view.shape.height,
                     image->view.shape.channels);
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++)
                for (int c = 0; c < shape.channels; c++) {
                    double want = NAN;
                    assert_int_equal(fscanf(list, "%lf", &want), 1);
                    if (!(fabs(view_value(image->view, x, y, c) - want) <= within))
                        fail_msg("%s: channel %d of pixel %zu, %zu is %.9g, want %.9g", name, c, x, y,
                                 view_value(image->view, x, y, c), want);
                }
        REQUIRE(rendering_settle(image));
        assert_true(!image->rendered && !image->gain_map);
        image_destroy(&image);
        samples++;
    }
    fclose(list);
    return samples;
}

static void renderings_are_as_specified(void **state) {
    (void)state;
    size_t left_out = 0;
    assert_int_equal(render_listed(GLINT_SOURCE_DIR "/tests/formats/gain_map.txt", &left_out), 7);
    assert_int_equal(render_listed(GLINT_SOURCE_DIR "/tests/formats/gain_map_boxes.txt", &left_out) + left_out, 7);
}

/* The bytes of ISO 21496-1's annex C for one channel, and packets as programs write them. */
static void metadata_are_read_as_they_are_written(void **state) {
    (void)state;
    GainCurve curve = gain_curve_default(), again;
    ImageBlock packet = {0};
    unsigned char iso[ISO_GAIN_MAX];
    for (int c = 0; c < GAIN_CHANNELS; c++) {
        curve.min[c] = 0.25 * c - 1;
        curve.max[c] = 1.5 + c;
        curve.gamma[c] = 0.5 + c;
        curve.offset[c] = 0.125 * c;
        curve.offset_hdr[c] = 0.25 * c;
    }
    curve.headroom_max = 3.5;
    for (int three = 1; three >= 0; three--) {
        const size_t size = gain_curve_to_iso(&curve, iso);
        assert_int_equal(size, three ? ISO_GAIN_MAX : 61);
        assert_true(gain_curve_of_iso(iso, size, &again));
        assert_memory_equal(&again, &curve, sizeof curve);
        for (size_t less = 0; less < size; less++)
            assert_false(gain_curve_of_iso(iso, less, &again));
        REQUIRE(gain_curve_to_xmp(&curve, &packet));
        assert_true(gain_curve_of_xmp((const char *)packet.data, packet.size, &again));
        assert_memory_equal(&again, &curve, sizeof curve);
        image_block_free(&packet);
        for (int c = 1; c < GAIN_CHANNELS; c++) {
            curve.min[c] = curve.min[0];
            curve.max[c] = curve.max[0];
            curve.gamma[c] = curve.gamma[0];
            curve.offset[c] = curve.offset[0];
            curve.offset_hdr[c] = curve.offset_hdr[0];
        }
    }
    iso[4] |= 4; /* backward */
    assert_false(gain_curve_of_iso(iso, 61, &again));
    iso[4] &= (unsigned char)~4u;
    iso[1] = 1; /* a later version */
    assert_false(gain_curve_of_iso(iso, 61, &again));
}

#define HDRGM "<a xmlns:hdrgm='http://ns.adobe.com/hdr-gain-map/1.0/' hdrgm:Version='1.0' "

static void packets_that_make_no_sense_are_none(void **state) {
    (void)state;
    static const struct {
        const char *packet;
        bool sound;
    } rows[] = {
        {HDRGM "hdrgm:GainMapMax='2' hdrgm:HDRCapacityMax='2'/>", true},
        {HDRGM "hdrgm:GainMapMax = \"2.5\" hdrgm:HDRCapacityMax='2' hdrgm:BaseRenditionIsHDR='False'/>", true},
        {HDRGM "hdrgm:GainMapMax='2' hdrgm:HDRCapacityMax='2' hdrgm:BaseRenditionIsHDR='True'/>", false},
        {HDRGM "hdrgm:GainMapMax='2'/>", false},
        {HDRGM "hdrgm:HDRCapacityMax='2'/>", false},
        {HDRGM "hdrgm:GainMapMax='nan' hdrgm:HDRCapacityMax='2'/>", false},
        {HDRGM "hdrgm:GainMapMax='1 2' hdrgm:HDRCapacityMax='2'/>", false},
        {HDRGM "hdrgm:GainMapMax='2' hdrgm:GainMapMin='3' hdrgm:HDRCapacityMax='2'/>", false},
        {HDRGM "hdrgm:GainMapMax='2' hdrgm:Gamma='0' hdrgm:HDRCapacityMax='2'/>", false},
        {HDRGM "hdrgm:GainMapMax='2' hdrgm:HDRCapacityMin='3' hdrgm:HDRCapacityMax='2'/>", false},
        {HDRGM "hdrgm:HDRCapacityMax='2'><hdrgm:GainMapMax>2</hdrgm:GainMapMax></a>", true},
        {HDRGM "hdrgm:HDRCapacityMax='2'><hdrgm:GainMapMax><rdf:Seq><rdf:li>2</rdf:li><rdf:li>2</rdf:li></rdf:Seq>"
               "</hdrgm:GainMapMax></a>",
         false},
        {HDRGM "hdrgm:HDRCapacityMax='2'><hdrgm:GainMapMax>2", false},
        {HDRGM "hdrgm:GainMapMax='2", false},
        {"<a xmlns:g='http://ns.adobe.com/hdr-gain-map/1.0/' g:Version='1.0' g:GainMapMax='2' g:HDRCapacityMax='2'/>",
         true},
        {"", false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        GainCurve curve;
        if (gain_curve_of_xmp(rows[i].packet, strlen(rows[i].packet), &curve) != rows[i].sound)
            fail_msg("%s", rows[i].packet);
    }
}

/* Where the map ends early or says too much, the picture is there, and its loss is told. */
static void damaged_maps_cost_themselves(void **state) {
    (void)state;
    Bytes file = file_of("plain");
    Input input = input_of(file);
    JpegGainMap found;
    Image *image;
    assert_true(jpeg_gain_map_find(&input, &found));
    for (size_t size = found.at + 1; size < file.size; size += 7) {
        REQUIRE(codec_decode((Bytes){file.data, size}, &image));
        assert_null(image->gain_map);
        assert_true(image->extras & EXTRA_BESIDE);
        image_destroy(&image);
    }
    unsigned char *frame = memmem(file.data + found.at, file.size - found.at, "\xFF\xC0", 2);
    assert_non_null(frame);
    /* 65500 x 65500: nothing is allocated for it */
    memcpy(frame + 5, "\xFF\xDC\xFF\xDC", 4); /* NOLINT(bugprone-not-null-terminated-result) */
    REQUIRE(codec_decode(file, &image));
    assert_null(image->gain_map);
    image_destroy(&image);
    bytes_free(&file);
}

/* A byte of a box that makes another sense of the map, or none: the picture is there, and its loss is told. */
static void boxes_without_sense_cost_the_map(void **state) {
    (void)state;
    static const struct {
        const char *name, *word; /* where it stands for the last time */
        size_t byte;             /* behind the word's first */
        unsigned char value;
    } rows[] = {
        {"jxl-gain.jxl", "jhgm", 4, 1},                            /* a later version of the box */
        {"jxl-gain.jxl", "jhgm", 7 + 1, 1},                        /* and of the metadata */
        {"jxl-gain.jxl", "jhgm", 6, 200},                          /* metadata up to elsewhere */
        {"heif-gain.avif", "\0\0\0\0\0\x40\0\0\0\0", 0, 1},        /* a later version of the item */
        {"heif-gain.avif", "\0\0\0\0\0\x40\0\0\0\0", 5, 0x44},     /* from HDR to the picture */
        {"heif-gain.avif", "dimg", 9, 3},                          /* not made of the primary picture */
        {"heif-gain-apple.heic", "Apple iOS", 0, 'a'},             /* not these notes */
        {"heif-gain-headroom.heic", "Headroom=\"3.25\"", 10, '0'}, /* not above white */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        Bytes file;
        Image *image;
        unsigned char *found = NULL;
        const size_t length = rows[i].word[0] ? strlen(rows[i].word) : 10;
        if (format_for_path(rows[i].name)->lacks)
            continue;
        snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", rows[i].name);
        REQUIRE(file_read(path, &file));
        for (unsigned char *at = file.data;
             (at = memmem(at, (size_t)(file.data + file.size - at), rows[i].word, length)); at++)
            found = at;
        if (!found) {
            fail_msg("row %zu: \"%s\" is not in the file", i, rows[i].word);
            return;
        }
        found[rows[i].byte] = rows[i].value;
        REQUIRE(codec_decode(file, &image));
        if (image->gain_map || !(image->extras & EXTRA_BESIDE))
            fail_msg("row %zu: %s, extras %x", i, image->gain_map ? "a map" : "no map", image->extras);
        image_destroy(&image);
        bytes_free(&file);
    }
}

/* ---- writing ---- */

/* Values of maps come back within so many steps of a byte. */
static void go_through(const char *format, double within) {
    static const char *const names[] = {"plain", "xmp", "iso", "common", "elements", "gray", "turned"};
    for (size_t i = 0; i < sizeof names / sizeof *names && !format_by_name(format)->lacks; i++) {
        unsigned lost;
        Image *image = picture_of(names[i]), *again = through(format, image, &lost);
        assert_int_equal(lost | again->extras, 0);
        assert_non_null(again->gain_map);
        const GainCurve *was = &image->gain_curve, *is = &again->gain_curve;
        for (int c = 0; c < GAIN_CHANNELS; c++) {
            assert_true(fabs(is->min[c] - was->min[c]) < 1e-6 && fabs(is->max[c] - was->max[c]) < 1e-6);
            assert_true(fabs(is->gamma[c] - was->gamma[c]) < 1e-6 && fabs(is->offset[c] - was->offset[c]) < 1e-6);
            assert_true(fabs(is->offset_hdr[c] - was->offset_hdr[c]) < 1e-6);
        }
        const ImageView map = image->gain_map->view, map_again = again->gain_map->view;
        assert_true(shape_equal(map.shape, map_again.shape));
        for (size_t y = 0; y < map.shape.height; y++)
            for (size_t x = 0; x < map.shape.width; x++)
                for (int c = 0; c < map.shape.channels; c++)
                    assert_true(fabs(view_value(map, x, y, c) - view_value(map_again, x, y, c)) <= within);
        image_destroy(&again);
        image_destroy(&image);
    }
}

static void maps_go_through_jpeg(void **state) {
    (void)state;
    go_through("jpg", 4);
}

static void maps_go_through_jpeg_xl(void **state) {
    (void)state;
    go_through("jxl", 0);
}

/* A file promises a map if it has one, once; another format says that it is lost. */
static void nothing_is_promised_in_vain(void **state) {
    (void)state;
    static const char *const promises[] = {"hdrgm", "Container", "GainMap", "21496"};
    Image *image = picture_of("plain");
    unsigned lost = 0;
    Bytes file;
    REQUIRE(image_block_set(&image->xmp,
                            "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\"><rdf:RDF xmlns:rdf=\"r\">"
                            "<rdf:Description rdf:about=\"uuid:7\" dc:x=\"kept\"/></rdf:RDF></x:xmpmeta>",
                            126));
    for (int i = 0; i < 3; i++) { /* each time of what was written before */
        REQUIRE(codec_encode(format_by_name("jpg"), image, (SaveOptions){.lost = &lost}, &file));
        assert_int_equal(lost, 0);
        assert_int_equal(count_of(file, "<Container:Directory>"), 1);
        assert_int_equal(count_of(file, "dc:x=\"kept\""), 1);
        assert_int_equal(count_of(file, "<rdf:Description rdf:about=\"uuid:7\" xmlns:hdrgm"), 1);
        assert_int_equal(count_of(file, "21496"), 2);
        image_destroy(&image);
        REQUIRE(codec_decode(file, &image));
        bytes_free(&file);
        assert_true(image->gain_map && image->extras == 0 && has(image->xmp, "kept") && !has(image->xmp, "hdrgm:"));
    }
    REQUIRE(codec_encode(format_by_name("png"), image, (SaveOptions){.lost = &lost}, &file));
    assert_int_equal(lost, EXTRA_GAIN_MAP);
    bytes_free(&file);
    image_destroy(&image->gain_map);
    image_block_free(&image->xmp);
    REQUIRE(codec_encode(format_by_name("jpg"), image, (SaveOptions){0}, &file));
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++)
        assert_int_equal(count_of(file, promises[i]), 0);
    bytes_free(&file);
    image_destroy(&image);
}

/* A packet that has no room for it, or is none, gives way to the map's. */
static void packets_without_room_give_way(void **state) {
    (void)state;
    static unsigned char long_packet[65400];
    ImageBlock packet = {0};
    unsigned lost = 0;
    memset(long_packet, ' ', sizeof long_packet);
    memcpy(long_packet + sizeof long_packet - 20, "</rdf:RDF>", 10); /* NOLINT(bugprone-not-null-terminated-result) */
    const ImageBlock blocks[] = {{long_packet, sizeof long_packet}, {(unsigned char *)"no RDF", 6}};
    for (size_t i = 0; i < 2; i++) {
        lost = 0;
        REQUIRE(gain_map_announce(blocks[i], 12345, 65000, &packet, &lost));
        assert_int_equal(lost, EXTRA_XMP);
        assert_true(packet.size < 2000 && has(packet, "Item:Length=\"12345\""));
        assert_int_equal(gain_map_announced((const char *)packet.data, packet.size, 20000), 20000 - 12345);
        assert_int_equal(gain_map_announced((const char *)packet.data, packet.size, 12345), 0);
        image_block_free(&packet);
    }
}

/* ---- chains ---- */

/* A picture of this shape with a map of `step` times fewer pixels each way, whose values tell their places. */
static Image *mapped(size_t width, size_t height, size_t step) {
    Image *image, *map;
    REQUIRE(image_create((Shape){width, height, 3, PIXEL_U8}, &image));
    REQUIRE(image_create((Shape){width / step, height / step, 1, PIXEL_U8}, &map));
    for (size_t y = 0; y < height / step; y++)
        for (size_t x = 0; x < width / step; x++)
            view_set_value(map->view, x, y, 0, 100 + 10 * (double)y + (double)x);
    GainCurve curve = gain_curve_default();
    for (int c = 0; c < GAIN_CHANNELS; c++) {
        curve.min[c] = -1;
        curve.max[c] = 3;
    }
    curve.headroom_max = 3;
    image->gain_map = map;
    image->gain_curve = curve;
    return image;
}

static void move_by(const char *text, Image *image, PlanOptions options) {
    Chain *chain;
    Shape moved;
    REQUIRE(chain_open(text, &chain));
    REQUIRE(gain_map_moved_shape(chain, image->view.shape, options, image->gain_map->view.shape, &moved));
    REQUIRE(gain_map_move(chain, image->view.shape, options, image));
    if (image->gain_map && image->gain_map->view.shape.type == PIXEL_F32)
        assert_true(shape_equal(image->gain_map->view.shape, moved));
    else
        assert_true(moved.channels == 0 || image->gain_map);
    chain_destroy(&chain);
}

/* Crops, flips and turns take whole pixels of the map: row by row, those that the picture then shows. */
static void maps_are_moved_as_pictures_are(void **state) {
    (void)state;
    static const struct {
        const char *chain;
        size_t width, height;
        double values[6];
    } rows[] = {
        {"crop=x=4:y=2:width=6:height=4", 3, 2, {112, 113, 114, 122, 123, 124}},
        {"flip", 8, 4, {107, 106, 105, 104, 103, 102}},
        {"rotate=90", 4, 8, {130, 120, 110, 100, 131, 121}},
        {"rotate=180", 8, 4, {137, 136, 135, 134, 133, 132}},
        {"rotate=270,crop=x=0:y=0:width=4:height=4", 2, 2, {107, 117, 106, 116}},
        {"crop=x=4:y=2:width=6:height=4,flip", 3, 2, {114, 113, 112, 124, 123, 122}},
        {"gaussian=2,~rotate=90,sepia", 8, 4, {100, 101, 102, 103, 104, 105}},
        {"rotate=90:within=8x8+0+0", 8, 4, {100, 101, 102, 103, 104, 105}},
        {"pad=2:colour=128", 10, 6, {63.75, 63.75, 63.75, 63.75, 63.75, 63.75}}, /* a gain of 1: 255 / 4 */
        {"pad=2", 10, 6, {100, 100, 101, 102, 103, 104}},                        /* clamp */
        {"resize=32:16", 8, 4, {100, 101, 102, 103, 104, 105}},                  /* as fine as before */
        {"resize=4:2", 4, 2, {105.5, 107.5, 109.5, 111.5, 125.5, 127.5}},        /* no finer than the picture */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *image = mapped(16, 8, 2);
        move_by(rows[i].chain, image, (PlanOptions){.border = {BORDER_CLAMP, 0}});
        assert_non_null(image->gain_map);
        const ImageView view = image->gain_map->view;
        if (view.shape.width != rows[i].width || view.shape.height != rows[i].height)
            fail_msg("%s: %zu x %zu", rows[i].chain, view.shape.width, view.shape.height);
        for (size_t k = 0; k < 6; k++) {
            const double is = view_value(view, k % view.shape.width, k / view.shape.width, 0) * 255 /
                              pixel_type_white(view.shape.type);
            if (fabs(is - rows[i].values[k]) > 1e-4)
                fail_msg("%s: value %zu is %g, want %g", rows[i].chain, k, is, rows[i].values[k]);
        }
        image_destroy(&image);
    }
}

/* A lens moves the map as it moves a picture of the same size, by the filter's own formula: OpenCV's undistort. */
static void lenses_move_maps(void **state) {
    (void)state;
    Image *image = mapped(16, 8, 1);
    move_by("distort=k1=-0.05:focal=8", image, (PlanOptions){.border = {BORDER_CLAMP, 0}});
    const double a = (10 - 7.5) / 8, b = (5 - 3.5) / 8, radial = 1 - 0.05 * (a * a + b * b);
    const double x = a * radial * 8 + 7.5, y = b * radial * 8 + 3.5;
    assert_true(fabs(view_value(image->gain_map->view, 10, 5, 0) * 255 - (100 + 10 * y + x)) < 1e-3);
    image_destroy(&image);
}

/* No map fits a result that does not show the picture pixel by pixel. */
static void maps_that_fit_no_more_count_as_lost(void **state) {
    (void)state;
    Image *image = mapped(16, 8, 2);
    move_by("bank", image, (PlanOptions){.border = {BORDER_CLAMP, 0}});
    assert_null(image->gain_map);
    assert_int_equal(image->extras, EXTRA_GAIN_MAP);
    image_destroy(&image);
}

/* ---- renderings ---- */

/* The rendering twice as bright, in a file of its own: what it renders to is that, within 1 %. */
static void a_new_map_gives_the_rendering(void **state) {
    (void)state;
    static const char *const names[] = {"plain", "iso", "gray"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        Image *image = picture_of(names[i]), *want;
        REQUIRE(rendering_make(&image));
        for (size_t y = 0; y < image->view.shape.height; y++)
            for (size_t x = 0; x < image->view.shape.width; x++)
                for (int c = 0; c < image->view.shape.channels; c++)
                    view_set_value(image->view, x, y, c, 2 * view_value(image->view, x, y, c));
        REQUIRE(image_clone(image->view, &want));
        REQUIRE(rendering_split(NULL, &(SaveOptions){0}, &image));
        assert_true(!image->rendered && image->view.shape.type == PIXEL_U8 && image->gain_map);
        assert_true(gain_curve_is_sound(&image->gain_curve));
        REQUIRE(rendering_make(&image));
        if (apart(image->view, want->view) > 1e-4)
            fail_msg("%s: %g apart", names[i], apart(image->view, want->view));
        image_destroy(&image);
        image_destroy(&want);
    }
}

/* The largest difference of light as a JPEG of this quality holds it, as a part of the light, or of a tenth of white.
 */
static double lost_in_jpeg(const char *name, double quality) {
    const Format *jpg = format_by_name("jpg");
    SaveOptions how = {0};
    Bytes file;
    double most = 0;
    Image *image = picture_of(name), *want;
    save_put("quality", quality, &how);
    REQUIRE(rendering_make(&image));
    REQUIRE(image_clone(image->view, &want));
    REQUIRE(rendering_split(jpg, &how, &image));
    REQUIRE(codec_encode(jpg, image, how, &file));
    image_destroy(&image);
    REQUIRE(codec_decode(file, &image));
    bytes_free(&file);
    REQUIRE(rendering_make(&image));
    for (size_t y = 0; y < image->view.shape.height; y++)
        for (size_t x = 0; x < image->view.shape.width; x++)
            for (int c = 0; c < image->view.shape.channels; c++) {
                const double light = fmax(view_value(want->view, x, y, c), 0);
                most = fmax(most, fabs(fmax(view_value(image->view, x, y, c), 0) - light) / fmax(light, 0.1));
            }
    image_destroy(&image);
    image_destroy(&want);
    return most;
}

/* A byte of the map is half a percent here, and its JPEG is off by two of them. One of the picture alone is 2.7 %. */
static void a_map_makes_up_for_jpeg(void **state) {
    (void)state;
    static const char *const names[] = {"plain", "iso", "gray", "xmp"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (lost_in_jpeg(names[i], 100) > 0.015 || lost_in_jpeg(names[i], 99) < 0.015)
            fail_msg("%s: %g, of quality 99 %g", names[i], lost_in_jpeg(names[i], 100), lost_in_jpeg(names[i], 99));
}

/* NaN and infinity make no map that says nothing. */
static void renderings_without_sense_split(void **state) {
    (void)state;
    Image *image = picture_of("plain");
    REQUIRE(rendering_make(&image));
    for (size_t x = 0; x < 4; x++)
        view_set_value(image->view, x, 0, 0, x == 0 ? NAN : x == 1 ? INFINITY : x == 2 ? -INFINITY : -5);
    REQUIRE(rendering_split(NULL, &(SaveOptions){0}, &image));
    assert_true(gain_curve_is_sound(&image->gain_curve));
    image_destroy(&image);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(renderings_are_as_specified),
        cmocka_unit_test(metadata_are_read_as_they_are_written),
        cmocka_unit_test(packets_that_make_no_sense_are_none),
        cmocka_unit_test(damaged_maps_cost_themselves),
        cmocka_unit_test(boxes_without_sense_cost_the_map),
        cmocka_unit_test(maps_go_through_jpeg),
        cmocka_unit_test(maps_go_through_jpeg_xl),
        cmocka_unit_test(nothing_is_promised_in_vain),
        cmocka_unit_test(packets_without_room_give_way),
        cmocka_unit_test(maps_are_moved_as_pictures_are),
        cmocka_unit_test(lenses_move_maps),
        cmocka_unit_test(maps_that_fit_no_more_count_as_lost),
        cmocka_unit_test(a_new_map_gives_the_rendering),
        cmocka_unit_test(a_map_makes_up_for_jpeg),
        cmocka_unit_test(renderings_without_sense_split),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
