/* test_stopping.c: once a signal was caught, the decoders of all formats leave off, whatever is left of a file. Each
 * sample of tests/formats/ that can be read ends with STATUS_INTERRUPTED. Encoders leave off if they are asked to; else
 * they finish, as for light traced until the signal. */
#include "core/base/file.h"
#include "core/base/interrupt.h"
#include "core/codec/codec.h"
#include "core/codec/formats.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>

#include "tests/check.h"

#define FOLDER GLINT_SOURCE_DIR "/tests/formats/"

enum { SAMPLES_MAX = 1000 };

typedef struct Sample {
    char name[256];
    Bytes file;
    size_t format;
} Sample;

static Sample samples[SAMPLES_MAX];
static size_t count;

static Status load(const Format *format, Bytes file, Image **image) {
    return format->load_pages ? format->load_pages(file, (Pages){0}, image)
           : format->load     ? format->load(file, image)
                              : format_load_rows(format, file, image);
}

/* Keeps those that can be read. */
static void find_samples(void) {
    DIR *folder = opendir(FOLDER);
    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) && count < SAMPLES_MAX;) {
        char path[512];
        Measure measure;
        Image *image = NULL;
        Sample *sample = &samples[count];
        snprintf(path, sizeof path, FOLDER "%s", entry->d_name);
        if (entry->d_type == DT_DIR || file_read(path, &sample->file) != STATUS_OK)
            continue;
        Input input = input_of(sample->file);
        const bool read = codec_measure(&input, (Pages){0}, &sample->format, &measure) == STATUS_OK &&
                          load(formats[sample->format], sample->file, &image) == STATUS_OK;
        image_destroy(&image);
        snprintf(sample->name, sizeof sample->name, "%s", entry->d_name);
        if (read)
            count++;
        else
            bytes_free(&sample->file);
    }
    closedir(folder);
    assert_true(count > 100);
}

static void leave_off_once_a_signal_was_caught(void **state) {
    (void)state;
    find_samples();
    interrupts_catch();
    assert_int_equal(raise(SIGTERM), 0);
    for (size_t i = 0; i < count; i++) {
        Image *image = NULL;
        const Status status = load(formats[samples[i].format], samples[i].file, &image);
        image_destroy(&image);
        bytes_free(&samples[i].file);
        if (status != STATUS_INTERRUPTED)
            fail_msg("%s: status %d (%s)", samples[i].name, (int)status, status_message());
    }
}

/* The signal was caught above. */
static void encodes_unless_asked_to_leave_off(const Format *format, const Image *image) {
    for (int gives_up = 0; gives_up < 2; gives_up++) {
        Bytes file = {0};
        const Status status = codec_encode(format, image, (SaveOptions){.gives_up = gives_up}, &file);
        bytes_free(&file);
        if (status != (gives_up ? STATUS_INTERRUPTED : STATUS_OK))
            fail_msg("%s, %d: status %d (%s)", format->name, gives_up, (int)status, status_message());
    }
}

static void encoders_leave_off_if_asked_to(void **state) {
    static const char *const of_bytes[] = {"png", "tiff", "ppm", "webp", "jxl", "jpg",
                                           "gif", "bmp",  "tga", "avif", "heic"},
                             *const of_floats[] = {"exr", "hdr", "pfm"};
    Image *flat, *many, *floats;
    (void)state;
    assert_true(interrupted());
    assert_int_equal(image_create((Shape){300, 300, 3, PIXEL_U8}, &flat), STATUS_OK);
    assert_int_equal(image_create((Shape){300, 300, 3, PIXEL_U8}, &many), STATUS_OK); /* colours, for GIF */
    assert_int_equal(image_create((Shape){300, 300, 3, PIXEL_F32}, &floats), STATUS_OK);
    memset(flat->view.pixels, 7, shape_bytes(flat->view.shape));
    for (size_t y = 0; y < 300; y++) {
        unsigned char *row = view_row(many->view, y);
        for (size_t i = 0; i < shape_row_bytes(many->view.shape); i++)
            row[i] = (unsigned char)((i * y >> 4) & 255);
    }
    for (size_t i = 0; i < sizeof of_bytes / sizeof *of_bytes; i++) {
        const Format *format = format_by_name(of_bytes[i]);
        assert_non_null(format);
        if (!format->writes)
            continue;
        encodes_unless_asked_to_leave_off(format, flat);
        encodes_unless_asked_to_leave_off(format, many);
    }
    for (size_t i = 0; i < sizeof of_floats / sizeof *of_floats; i++) {
        const Format *format = format_by_name(of_floats[i]);
        assert_non_null(format);
        if (format->writes)
            encodes_unless_asked_to_leave_off(format, floats);
    }
    image_destroy(&flat);
    image_destroy(&many);
    image_destroy(&floats);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leave_off_once_a_signal_was_caught),
                                       cmocka_unit_test(encoders_leave_off_if_asked_to)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
