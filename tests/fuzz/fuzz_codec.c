/* fuzz_codec.c: libFuzzer's entry into the codec: any bytes are decoded or refused with a reason.
 *
 *   cmake --preset sanitize && cmake --build --preset sanitize --target fuzzers
 *   mkdir -p build-sanitize/corpus
 *   build-sanitize/fuzz_codec -max_len=4096 -timeout=5 -rss_limit_mb=1024 build-sanitize/corpus SAMPLES
 *
 * SAMPLES is a folder of small pictures of every format. With GLINT_FUZZ_FORMAT=png, only inputs that begin like that
 * format's are decoded. A finding is a crash, a leak (not of HEIF), a hang of 5 s, or a picture whose saved copy does
 * not load. */
#include "core/base/memory.h"
#include "core/codec/codec.h"
#include "tests/fuzz/fuzz.h"

#include <stdint.h>
#include <string.h>
#include <zlib.h>

/* Debian 12's libheif and dav1d leak memory when a file turns out to be damaged, x265 with each encoder. A short stack
 * ends in operator new, which only libraries call here. */
const char *__lsan_default_suppressions(void); /* NOLINT(bugprone-reserved-identifier,cert-dcl37-c,cert-dcl51-cpp) */
const char *__lsan_default_suppressions(void) {
    return "leak:libheif.so\nleak:libdav1d.so\nleak:libstdc++.so\nleak:libx265.so\n";
} /* NOLINT */

static const Format *wanted; /* NULL: any */

static bool is_heif(const Format *format) {
    return format == format_by_name("heic") || format == format_by_name("avif");
}

/* Small, so that large headers are refused and not decoded for seconds. Any picture of JPEG XL wants 8 MiB, of HEIF 16.
 */
int LLVMFuzzerInitialize(int *count, char ***arguments) {
    (void)count, (void)arguments;
    const char *name = getenv("GLINT_FUZZ_FORMAT");
    for (size_t i = 0; name && i < format_count; i++)
        if (strcmp(formats[i]->name, name) == 0)
            wanted = formats[i];
    check(!name || wanted);
    return setenv("GLINT_MEMORY", !wanted || is_heif(wanted) ? "24M" : "12M", 1);
}

/* WebP and GIF leave out an alpha that is opaque everywhere; a picture read from a GIF has colours. */
static bool same_shape(Shape saved, Shape back) {
    return saved.width == back.width && saved.height == back.height && saved.type == back.type &&
           (saved.channels == back.channels || back.channels >= 3);
}

/* A decoded picture can be saved by the formats that hold it, and is read back in its shape. HEIF's encoders take a
 * hundred times as long as others: they save pictures of their own. */
static void there_and_back(const Image *image) {
    for (size_t i = 0; i < format_count; i++) {
        Bytes file;
        Image *back = NULL;
        if (is_heif(formats[i]) && formats[i] != wanted)
            continue;
        if (codec_encode(formats[i], image, (SaveOptions){0}, &file) != STATUS_OK)
            continue;
        check(codec_decode(file, &back) == STATUS_OK && same_shape(image->view.shape, back->view.shape));
        image_destroy(&back);
        bytes_free(&file);
    }
}

/* The host does not call a file damaged that a device may decode. */
static bool is_plain(const Bytes file) {
    bool plain = false;
    for (size_t i = 0; i < format_count && !plain; i++) {
        const FormatShell *shell = formats[i]->shell;
        size_t end = 0;
        plain = shell && formats[i]->recognize(file) && shell->is_plain(file, &end);
        check(end <= file.size && (!plain || end > 0));
    }
    return plain;
}

/* A part has rows, and is of no file that is whole. */
static void try_part(Bytes file, bool whole) {
    Image *image;
    FilePart part;
    const Status status = codec_unpack(file, (Pages){.partial = true}, memory_budget(), &part, &image);
    check((status == STATUS_OK) == (image != NULL));
    check(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0] != '\0'));
    check(!whole || (image && part.of == 0));
    check(!image || whole || (part.rows > 0 && part.rows <= part.of && part.fine <= part.rows));
    image_destroy(&image);
}

static void try_bytes(Bytes file) {
    Image *image = NULL;
    const bool plain = is_plain(file);
    const Status status = codec_decode(file, &image);
    check((status == STATUS_OK) == (image != NULL));
    check(status == STATUS_OK || (status == STATUS_INPUT && status_message()[0] != '\0'));
    check(status == STATUS_OK || !plain || !strstr(status_message(), "damaged"));
    if (image && shape_bytes(image->view.shape) <= 1 << 14)
        there_and_back(image);
    try_part(file, image != NULL);
    image_destroy(&image);
}

static uint32_t be32(const unsigned char *at) {
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

/* Gives the chunks of a PNG the checksums of their data, without which decoders look into none; false if all had
 * theirs. */
static bool mend_checksums(Bytes file) {
    enum { SIGNATURE = 8, FRAME = 12 };
    bool mended = false;
    for (size_t at = SIGNATURE; at <= file.size && file.size - at >= FRAME;) {
        unsigned char *const chunk = file.data + at;
        const size_t size = be32(chunk);
        if (size > file.size - at - FRAME)
            break;
        const uint32_t sum = (uint32_t)crc32(0, chunk + 4, (uInt)size + 4);
        mended |= sum != be32(chunk + 8 + size);
        for (int i = 0; i < 4; i++)
            chunk[8 + size + (size_t)i] = (unsigned char)(sum >> (24 - 8 * i));
        at += size + FRAME;
    }
    return mended;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const Bytes file = {(unsigned char *)(uintptr_t)data, size};
    Input input = input_of(file);
    if (wanted && !format_recognizes(wanted, &input))
        return -1; /* is not kept, by libFuzzer 16 and later */
    try_bytes(file);
    if (format_by_name("png")->recognize(file)) {
        Bytes mended = {malloc(size), size};
        check(mended.data != NULL);
        memcpy(mended.data, data, size);
        if (mend_checksums(mended))
            try_bytes(mended);
        bytes_free(&mended);
    }
    return 0;
}
