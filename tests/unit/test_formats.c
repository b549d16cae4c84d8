/* test_formats.c: the files in tests/formats/, each decoded as another program decodes it, and every damage refused.
 * tests/formats/NAME.py made the files and NAME.txt, which says their values. A file of a format that this build lacks
 * must be recognized, and the missing library named. */
#include "core/codec/codec.h"

#include "core/base/file.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

/* Debian 12's libheif and dav1d leak memory when a file turns out to be damaged, x265 with each encoder. A short stack
 * ends in operator new, which only libraries call here. */
const char *__lsan_default_suppressions(void); /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
const char *__lsan_default_suppressions(void) {
    return "leak:libheif.so\nleak:libdav1d.so\nleak:libstdc++.so\nleak:libx265.so\n";
} /* NOLINT */

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

/* A line "sample NAME within TOLERANCE [premultiplied]", and behind it a picture or several. */
typedef struct Sample {
    char name[64];
    double within;
    bool premultiplied;
    Bytes file;
} Sample;

static FILE *open_list(const char *name) {
    char path[512];
    snprintf(path, sizeof path, FOLDER "%s.txt", name);
    FILE *list = fopen(path, "r");
    if (!list)
        fail_msg("%s: cannot be read", path);
    return list;
}

/* The next sample of the list, with its file; the bytes before it are passed over. */
static bool next_sample(FILE *list, Sample *sample) {
    char line[1 << 13], path[512];
    while (fgets(line, sizeof line, list))
        if (sscanf(line, "sample %63s within %lf", sample->name, &sample->within) == 2) {
            snprintf(path, sizeof path, FOLDER "%s", sample->name);
            sample->premultiplied = strstr(line, " premultiplied") != NULL;
            REQUIRE(file_read(path, &sample->file));
            return true;
        }
    return false;
}

static RawWay raw_way; /* how RAW files are developed */

/* Copies of exactly `size` bytes, so that the sanitizer sees a read past them. */
static Status decode_first(Bytes file, size_t size, Image **image) {
    Bytes copy = {malloc(size ? size : 1), size};
    assert_non_null(copy.data);
    memcpy(copy.data, file.data, size);
    FilePart part;
    const Status status = codec_unpack(copy, (Pages){.raw = raw_way}, memory_budget(), &part, image);
    if (status != STATUS_OK && (*image != NULL || status_message()[0] == '\0'))
        fail_msg("a refusal leaves an image, or gives no reason");
    bytes_free(&copy);
    return status;
}

static bool same(const Image *a, const Image *b) {
    for (; a && b; a = a->next, b = b->next)
        if (!shape_equal(a->view.shape, b->view.shape) ||
            memcmp(a->view.pixels, b->view.pixels, shape_bytes(a->view.shape)) != 0)
            return false;
    return !a && !b;
}

static void compare_picture(FILE *list, const Sample *sample, const Image *got) {
    Shape shape = {0};
    char type[8];
    if (fscanf(list, " picture %zux%zu %7s", &shape.width, &shape.height, type) != 3)
        fail_msg("%s: no picture in the list", sample->name);
    REQUIRE(shape_parse_type(type, &shape));
    assert_int_equal(got->premultiplied, sample->premultiplied);
    const Shape is = got->view.shape;
    size_t left = 0, top = 0, width = shape.width, height = shape.height;
    (void)!fscanf(list, " part %zux%zu+%zu+%zu", &width, &height, &left, &top);
    if (!shape_equal(shape, is))
        fail_msg("%s: %zux%zu %sx%d, want %zux%zu %s", sample->name, is.width, is.height, pixel_type_name(is.type),
                 is.channels, shape.width, shape.height, type);
    for (size_t y = top; y < top + height; y++)
        for (size_t x = left; x < left + width; x++)
            for (int c = 0; c < shape.channels; c++) {
                double want = NAN;
                const double value = view_value(got->view, x, y, c);
                assert_int_equal(fscanf(list, "%lf", &want), 1);
                want = shape.type == PIXEL_F32 ? (double)(float)want : want;
                if (!(fabs(value - want) <= sample->within) && !(isnan(value) && isnan(want)))
                    fail_msg("%s: channel %d of pixel %zu, %zu is %.9g, want %.9g", sample->name, c, x, y, value, want);
            }
}

/* Whether this build reads the format; if not, it says so. */
static bool readable(const Sample *sample) {
    const Format *format = format_for_path(sample->name);
    Image *image;
    assert_non_null(format);
    if (!format->lacks)
        return true;
    assert_int_equal(decode_first(sample->file, sample->file.size, &image), STATUS_INPUT);
    assert_non_null(strstr(status_message(), format->lacks));
    return false;
}

static void values_are_as_others_read_them(const char *name) {
    Sample sample;
    size_t count = 0;
    FILE *list = open_list(name);
    for (; next_sample(list, &sample); count++) {
        Image *got = NULL;
        if (readable(&sample)) {
            if (decode_first(sample.file, sample.file.size, &got) != STATUS_OK)
                fail_msg("%s: %s", sample.name, status_message());
            for (const Image *each = got; each; each = each->next)
                compare_picture(list, &sample, each);
            char rest[8] = "";
            if (fscanf(list, " %7s", rest) == 1 && strcmp(rest, "picture") == 0)
                fail_msg("%s: %zu pictures; there are more", sample.name, image_count(got));
            fseek(list, -(long)strlen(rest), SEEK_CUR);
        }
        image_destroy(&got);
        bytes_free(&sample.file);
    }
    fclose(list);
    assert_true(count > 0);
}

/* The first pictures of `whole`, alpha that is opaque in them apart. */
static bool begins(const Image *whole, const Image *part) {
    for (; whole && part; whole = whole->next, part = part->next) {
        const Shape shape = part->view.shape;
        for (size_t y = 0; y < shape.height; y++)
            for (size_t x = 0; x < shape.width; x++)
                for (int c = 0; c < shape.channels; c++)
                    if (view_value(part->view, x, y, c) != view_value(whole->view, x, y, c))
                        return false;
    }
    return part == NULL;
}

/* A part is refused, unless the missing bytes carry nothing; nothing is made up. PSD says how long it is: no part will
 * do. A GIF that stops behind a frame is one whose writer forgot the trailer. */
static void expect_whole_or_refused(const Sample *sample, Bytes file, size_t size, const Image *whole) {
    Image *got = NULL;
    const bool exact = strncmp(sample->name, "psd", 3) == 0, frames = strncmp(sample->name, "gif", 3) == 0;
    const Status status = decode_first(file, size, &got);
    if (status == STATUS_OK && (exact || !(frames ? begins(whole, got) : same(got, whole))))
        fail_msg("%s: %zu of %zu bytes were taken for a picture", sample->name, size, file.size);
    if (status != STATUS_OK && status != STATUS_INPUT)
        fail_msg("%s: status %d at %zu bytes: %s", sample->name, (int)status, size, status_message());
    image_destroy(&got);
}

enum { BUDGET = 32 << 20 };

static void expect_survived(const Sample *sample, Bytes file, size_t at) {
    Image *got = NULL;
    const Status status = decode_first(file, file.size, &got);
    if (status == STATUS_OK && shape_bytes(got->view.shape) > BUDGET)
        fail_msg("%s: byte %zu makes a picture beyond the budget", sample->name, at);
    if (status != STATUS_OK && status != STATUS_INPUT)
        fail_msg("%s: byte %zu: status %d: %s", sample->name, at, (int)status, status_message());
    image_destroy(&got);
}

/* From one damage to the next: libraries that are slow, or slow under sanitizers, which do not see into them. */
static size_t step_of(const char *name) {
    const bool slow = strcmp(name, "jxl") == 0 || strcmp(name, "tiff") == 0;
    const bool slowest = strcmp(name, "heif") == 0 || strcmp(name, "gain_map_boxes") == 0;
    return slowest ? 5 * check_every(17) : check_every(slow ? 67 : 11);
}

/* Every length, and every byte turned into others. */
static void damage_is_refused(const char *name) {
    static const unsigned char changes[] = {0x01, 0x80, 0xFF};
    Sample sample;
    FILE *list = open_list(name);
    setenv("GLINT_MEMORY", "32M", 1);
    while (next_sample(list, &sample)) {
        const Bytes file = sample.file;
        Image *whole = NULL;
        if (readable(&sample)) {
            REQUIRE(decode_first(file, file.size, &whole));
            const size_t step = step_of(name);
            for (size_t size = 0; size < file.size; size += step)
                expect_whole_or_refused(&sample, file, size, whole);
            for (size_t at = 0; at < file.size; at += at < 400 ? check_every(11) : step)
                for (size_t c = 0; c < sizeof changes; c++) {
                    file.data[at] ^= changes[c];
                    expect_survived(&sample, file, at);
                    file.data[at] ^= changes[c];
                }
        }
        image_destroy(&whole);
        bytes_free(&sample.file);
    }
    unsetenv("GLINT_MEMORY");
    fclose(list);
}

/* ---- several pictures ---- */

static Image *load_all(const char *name) {
    char path[512];
    Bytes file;
    Image *image;
    snprintf(path, sizeof path, FOLDER "%s", name);
    REQUIRE(file_read(path, &file));
    REQUIRE(codec_decode(file, &image));
    bytes_free(&file);
    return image;
}

/* By the scripts that made them. */
static void assert_timing(const char *name, const Image *first, unsigned plays, size_t count) {
    static const double wanted[] = {0.04, 0.08, 0.12, 0.5};
    if (image_count(first) != count || first->plays != plays)
        fail_msg("%s: %zu frames %u times, want %zu %u times", name, image_count(first), first->plays, count, plays);
    for (size_t i = 0; i < count; i++, first = first->next)
        assert_float_equal(first->seconds, wanted[i], 1e-9);
}

static void frames_keep_their_timing(void **state) {
    (void)state;
    static const struct {
        const char *name, *format;
        unsigned plays;
        size_t count;
    } rows[] = {{"webp-frames.webp", "webp", 3, 3}, {"gif-frames.gif", "gif", 3, 4}, {"apng-frames.png", "png", 2, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Image *again;
        Bytes file;
        if (format_by_name(rows[i].format)->lacks)
            continue;
        Image *image = load_all(rows[i].name);
        assert_timing(rows[i].name, image, rows[i].plays, rows[i].count);
        REQUIRE(codec_encode(format_by_name(rows[i].format), image, save_with("lossless", true), &file));
        REQUIRE(codec_decode(file, &again));
        assert_timing(rows[i].name, again, rows[i].plays, rows[i].count);
        assert_true(same(image, again));
        image_destroy(&again);
        bytes_free(&file);
        assert_int_equal(codec_encode(format_by_name("bmp"), image, (SaveOptions){0}, &file), STATUS_INPUT);
        assert_non_null(strstr(status_message(), "; --page N takes one"));
        image_destroy(&image);
    }
}

/* More colours than a palette has: known as lost, and in the mean near to the original. */
static void colours_of_a_gif_are_near(void **state) {
    (void)state;
    const Shape shape = {96, 64, 4, PIXEL_U8};
    Image *image, *again;
    Bytes file;
    unsigned lost = 0;
    double sum = 0;
    if (format_by_name("gif")->lacks)
        skip();
    REQUIRE(image_create(shape, &image));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++)
            for (int c = 0; c < 4; c++)
                view_set_value(image->view, x, y, c,
                               c == 0   ? 2.5 * (double)x
                               : c == 1 ? 4.0 * (double)y
                               : c == 2 ? 128 + 120 * sin((double)(x + y) / 9)
                               : x < 4  ? 100
                                        : 255);
    REQUIRE(codec_encode(format_by_name("gif"), image, (SaveOptions){.lost = &lost}, &file));
    assert_int_equal(lost, EXTRA_ALPHA | EXTRA_COLOURS);
    REQUIRE(codec_decode(file, &again));
    for (size_t y = 0; y < shape.height; y++)
        for (size_t x = 0; x < shape.width; x++) {
            assert_true(view_value(again->view, x, y, 3) == (x < 4 ? 0 : 255));
            for (int c = 0; c < 3 && x >= 4; c++)
                sum += fabs(view_value(again->view, x, y, c) - view_value(image->view, x, y, c));
        }
    assert_true(sum / (92 * 64 * 3) < 12);
    image_destroy(&image);
    image_destroy(&again);
    bytes_free(&file);
}

/* Sound files that the library decodes wrongly, or not at all: refused as that, and not as damaged. Two more are none:
 * one whose block ends before its last row, by the library's count, and one of rows beyond the library's strides. */
static void exrs_beyond_the_library_are_refused(void **state) {
    (void)state;
    static const struct {
        const char *name, *reason;
    } rows[] = {{"exr-b44-float.exr", "B44 with channels of 32 bits"},
                {"exr-dwaa.exr", "cannot decode"},
                {"exr-sampled-short.exr", "damaged EXR"},
                {"exr-sampled-wide.exr", "134217728 pixels a row"}};
    if (format_by_name("exr")->lacks)
        skip();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[512];
        Image *image;
        snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", rows[i].name);
        const Status status = codec_load(path, &image);
        if (status == STATUS_OK) /* a later library */
            image_destroy(&image);
        else if (status != STATUS_INPUT || !strstr(status_message(), rows[i].reason))
            fail_msg("%s: %s", rows[i].name, status_message());
    }
}

#define FORMAT_TESTS(name)                                                                                             \
    static void values_of_##name(void **state) {                                                                       \
        (void)state;                                                                                                   \
        values_are_as_others_read_them(#name);                                                                         \
    }                                                                                                                  \
    static void damaged_##name(void **state) {                                                                         \
        (void)state;                                                                                                   \
        damage_is_refused(#name);                                                                                      \
    }
static void damaged_gain_map(void **state) {
    (void)state;
    damage_is_refused("gain_map");
    damage_is_refused("gain_map_boxes");
}

FORMAT_TESTS(tiff)
FORMAT_TESTS(webp)
FORMAT_TESTS(animations)
FORMAT_TESTS(stb)
FORMAT_TESTS(jpeg)
FORMAT_TESTS(jxl)
FORMAT_TESTS(heif)
FORMAT_TESTS(raw)
FORMAT_TESTS(exr)
FORMAT_TESTS(old)

/* Each kind of value and storage; the effect of damage is the same for all of a format. */
static void values_of_matrix(void **state) {
    (void)state;
    values_are_as_others_read_them("matrix");
}

static void raw_files_are_developed_as_asked(void **state) {
    static const char *const ways[] = {"quality", "fast", "half", "linear", "blend", "reconstruct", "preview"};
    (void)state;
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char list[32], spelled[32];
        REQUIRE(raw_way_parse("--raw", ways[i], &raw_way));
        raw_way_spell(raw_way, spelled, sizeof spelled);
        assert_string_equal(spelled, i > 0 ? ways[i] : "");
        snprintf(list, sizeof list, "raw-%s", ways[i]);
        values_are_as_others_read_them(list);
    }
    REQUIRE(raw_way_parse("--raw", "linear,half,blend", &raw_way));
    assert_true(raw_way.linear && raw_way.develop == RAW_HALF && raw_way.highlights == RAW_BLEND);
    static const char *const wrong[] = {"", "best", "fast,half", "linear,", "linear,linear", "clip blend"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(raw_way_parse("--raw", wrong[i], &raw_way), STATUS_USAGE);
    raw_way = (RawWay){0};
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_keep_their_timing),
        cmocka_unit_test(colours_of_a_gif_are_near),
        cmocka_unit_test(damaged_gain_map),
        cmocka_unit_test(values_of_tiff),
        cmocka_unit_test(damaged_tiff),
        cmocka_unit_test(values_of_webp),
        cmocka_unit_test(values_of_animations),
        cmocka_unit_test(damaged_animations),
        cmocka_unit_test(values_of_stb),
        cmocka_unit_test(damaged_stb),
        cmocka_unit_test(values_of_jpeg),
        cmocka_unit_test(damaged_jpeg),
        cmocka_unit_test(values_of_jxl),
        cmocka_unit_test(damaged_jxl),
        cmocka_unit_test(values_of_heif),
        cmocka_unit_test(damaged_heif),
        cmocka_unit_test(values_of_raw),
        cmocka_unit_test(raw_files_are_developed_as_asked),
        cmocka_unit_test(damaged_raw),
        cmocka_unit_test(damaged_webp),
        cmocka_unit_test(exrs_beyond_the_library_are_refused),
        cmocka_unit_test(values_of_exr),
        cmocka_unit_test(damaged_exr),
        cmocka_unit_test(values_of_old),
        cmocka_unit_test(damaged_old),
        cmocka_unit_test(values_of_matrix),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
