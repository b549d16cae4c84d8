/* metadata_fixture.h: pictures with metadata, and entries of Exif. */
#ifndef GLINT_TESTS_UNIT_METADATA_FIXTURE_H
#define GLINT_TESTS_UNIT_METADATA_FIXTURE_H

#include "core/codec/codec.h"
#include "core/codec/notes.h"
#include "tests/check.h"

#include <string.h>

static inline Image *load_file(const char *name) {
    char path[512];
    Image *image;
    snprintf(path, sizeof path, GLINT_SOURCE_DIR "/tests/formats/%s", name);
    REQUIRE(codec_load(path, &image));
    return image;
}

static inline Image *load(void) {
    return load_file("metadata.jpg");
}

/* The image after a format has written and read it, and its losses. */
static inline Image *through(const char *format, const Image *image, unsigned *lost) {
    Bytes file;
    Image *again;
    *lost = 0;
    REQUIRE(codec_encode(format_by_name(format), image, (SaveOptions){.lost = lost}, &file));
    REQUIRE(codec_decode(file, &again));
    bytes_free(&file);
    return again;
}

static inline bool has(ImageBlock bytes, const char *text) {
    return memmem(bytes.data, bytes.size, text, strlen(text)) != NULL;
}

static inline void assert_note(const Image *image, const char *key, const char *text) {
    const char *found = notes_find(image, key);
    if (!found || strncmp(found, text, strlen(text)) != 0)
        fail_msg("%s is \"%s\", want \"%s\"", key, found ? found : "(none)", text);
}

#endif
