/* test_stopping.c: once a signal was caught, the decoders of all formats leave off, whatever is left of a file: each
 * sample of tests/formats/ that can be read ends with STATUS_INTERRUPTED. */
#include "core/base/file.h"
#include "core/base/interrupt.h"
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

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(leave_off_once_a_signal_was_caught)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
