/* tiff_handle.c: how libtiff reads and writes bytes, and says what is wrong with them. */
#ifdef GLINT_WITH_TIFF
#    include "core/base/memory.h"
#    include "core/codec/formats.h"
#    include "core/codec/tiff.h"

#    include <fcntl.h>
#    include <stdio.h>

static void keep_reason(TiffHandle *handle, const char *format, va_list values) {
    if (!handle->reason[0])
        vsnprintf(handle->reason, sizeof handle->reason, format, values);
}

/* Whether an error is about a tag that pixels do not depend on, and the library goes on without it. Such are a value
 * that no standard knows, and a private tag ("Tag 65302") of an unknown type. */
static bool is_harmless(const char *format, va_list values) {
    static const char *const tags[] = {
        "\"Orientation\"", "\"ResolutionUnit\"", "\"XResolution\"", "\"YResolution\"", "\"Tag ", "(Tag "};
    char message[160];
    bool harmless = false;
    vsnprintf(message, sizeof message, format, values);
    for (size_t i = 0; i < sizeof tags / sizeof *tags && !strstr(message, "emory"); i++)
        harmless |= strstr(message, tags[i]) != NULL;
    return harmless;
}

static int on_error(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    va_list copy;
    va_copy(copy, values);
    if (!is_harmless(format, copy))
        keep_reason(user, format, values);
    va_end(copy);
    return 1;
}

/* Old files that are decoded all the same: LZW of before TIFF 6.0, and baseline JPEG whose scans end their spectrum at
 * 0. */
static bool is_old_way(const char *format, va_list values) {
    char message[160];
    vsnprintf(message, sizeof message, format, values);
    return strstr(message, "Old-style LZW codes") || strstr(message, "Invalid SOS parameters for sequential JPEG");
}

static int on_warning(TIFF *tiff, void *user, const char *module, const char *format, va_list values) {
    (void)tiff, (void)module;
    TiffHandle *handle = user;
    if (strncmp(format, "IO error during reading of \"%s\"", 31) == 0) { /* the library would do without the tag */
        if (!handle->reason[0])
            snprintf(handle->reason, sizeof handle->reason, "the value of %.64s would lie behind the file's end",
                     va_arg(values, const char *));
    } else if (strncmp(format, "Sum of Photometric type-related", 31) == 0) {
        handle->guesses_extra = true;
    } else if (handle->strict) {
        va_list copy;
        va_copy(copy, values);
        if (!is_old_way(format, copy))
            keep_reason(handle, format, values);
        va_end(copy);
    }
    return 1;
}

static tmsize_t on_read(thandle_t user, void *to, tmsize_t size) {
    TiffHandle *handle = user;
    const Input *in = handle->in;
    const size_t left = handle->at < in->size ? in->size - handle->at : 0,
                 count = (size_t)size < left ? (size_t)size : left;
    if (!input_peek(handle->in, handle->at, to, count))
        return 0;
    handle->at += count;
    return (tmsize_t)count;
}

static tmsize_t on_write(thandle_t user, void *from, tmsize_t size) {
    TiffHandle *handle = user;
    handle->status = handle->out->put(handle->out, handle->at, from, (size_t)size);
    if (handle->status != STATUS_OK)
        return -1;
    handle->at += (size_t)size;
    handle->written = handle->at > handle->written ? handle->at : handle->written;
    return size;
}

/* While several pages are written, the library reads the directory before. */
static tmsize_t read_again(thandle_t user, void *to, tmsize_t size) {
    const TiffHandle *handle = user;
    if (!handle->again || handle->at + (size_t)size > handle->again->size)
        return -1;
    memcpy(to, handle->again->data + handle->at, (size_t)size);
    return size;
}

static tmsize_t no_write(thandle_t user, void *from, tmsize_t size) {
    (void)user, (void)from, (void)size;
    return -1;
}

static toff_t on_size(thandle_t user) {
    const TiffHandle *handle = user;
    return handle->in ? handle->in->size : handle->written;
}

static toff_t on_seek(thandle_t user, toff_t to, int whence) {
    TiffHandle *handle = user;
    handle->at = to + (whence == SEEK_CUR ? handle->at : whence == SEEK_END ? on_size(user) : 0);
    return handle->at;
}

static int on_close(thandle_t user) {
    (void)user;
    return 0;
}

/* Bytes in memory are read where they are. */
static int on_map(thandle_t user, void **base, toff_t *size) {
    const TiffHandle *handle = user;
    if (!handle->in || handle->in->descriptor >= 0)
        return 0;
    *base = handle->in->bytes.data;
    *size = handle->in->bytes.size;
    return 1;
}

static void on_unmap(thandle_t user, void *base, toff_t size) {
    (void)user, (void)base, (void)size;
}

Status tiff_failed(const TiffHandle *handle) {
    if (handle->status != STATUS_OK)
        return handle->status;
    static const char *const signs[] = {"emory", "No space", "malloc", "Insertion"};
    const char *reason = handle->reason;
    bool memory = !handle->in;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        memory |= strstr(reason, signs[i]) != NULL;
    const bool limited = strstr(reason, "beyond") ||
                         strstr(reason, "requires too much") || /* TIFF_BLOCK_MAX; Zstandard's */
                         strstr(reason, "(0 elements");         /* an empty directory */
    if (memory && !limited)
        return fail(STATUS_DEVICE, "no memory to %s TIFF", handle->in ? "decode" : "encode");
    if (!reason[0])
        return fail(STATUS_INPUT, "damaged TIFF: it cannot be decoded");
    if (strstr(reason, "not implemented") || strstr(reason, "not configured") ||
        strstr(reason, "would require libjpeg"))
        return fail(STATUS_INPUT, "a TIFF that libtiff cannot decode: %s", reason);
    return fail(STATUS_INPUT, "damaged TIFF: %s", reason + strspn(reason, ": "));
}

Status tiff_check_directory(TiffHandle *handle) {
    unsigned char count[8] = {0};
    const size_t at = TIFFCurrentDirOffset(handle->tiff), wide = TIFFIsBigTIFF(handle->tiff) ? 8 : 2;
    const bool big_endian = TIFFIsBigEndian(handle->tiff), read = input_peek(handle->in, at, count, wide);
    size_t entries = 0;
    for (size_t i = 0; i < wide; i++)
        entries = entries << 8 | count[big_endian ? i : wide - 1 - i];
    const size_t end = memory_product(entries, wide == 8 ? 20 : 12) + wide + (wide == 8 ? 8 : 4);
    return read ? file_must_hold(handle->in, memory_sum(at, end), "TIFF") : file_ends_early("TIFF");
}

/* A file without a directory: the library refuses it, and says not why. */
static Status check_first_directory(TiffHandle *handle) {
    unsigned char head[16] = {0}, where = 0;
    if (!input_peek(handle->in, 0, head, sizeof head))
        return file_ends_early("TIFF");
    const bool big = head[2] == 43 || head[3] == 43;
    for (size_t i = big ? 8 : 4; i < (big ? 16 : 8); i++)
        where |= head[i];
    return where ? STATUS_OK : fail(STATUS_INPUT, "damaged TIFF: there is no picture in it");
}

Status tiff_open(TiffHandle *handle, const char *mode) {
    if (handle->in)
        TRY(check_first_directory(handle));
    TIFFOpenOptions *options = TIFFOpenOptionsAlloc();
    if (!options)
        return tiff_failed(handle);
    TIFFOpenOptionsSetMaxSingleMemAlloc(options, TIFF_BLOCK_MAX);
    TIFFOpenOptionsSetErrorHandlerExtR(options, on_error, handle);
    TIFFOpenOptionsSetWarningHandlerExtR(options, on_warning, handle);
    handle->tiff =
        TIFFClientOpenExt("", mode, handle, handle->in ? on_read : read_again, handle->in ? no_write : on_write,
                          on_seek, on_close, on_size, on_map, on_unmap, options);
    TIFFOpenOptionsFree(options);
    if (!handle->tiff || handle->reason[0])
        return tiff_failed(handle);
    return handle->in ? tiff_check_directory(handle) : STATUS_OK;
}

void tiff_end(TiffHandle *handle) {
    if (handle->tiff) {
        TIFFSetMode(handle->tiff, O_RDONLY);
        TIFFClose(handle->tiff);
    }
    handle->tiff = NULL;
}
#endif
