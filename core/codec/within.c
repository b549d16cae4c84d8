/* within.c: files of at most so many bytes, by the best quality whose file is small enough. */
#include "core/codec/formats.h"

static bool has_option(const Format *format, const char *name) {
    for (size_t i = 0; i < format->options.count; i++)
        if (strcmp(format->options.rows[i].name, name) == 0)
            return true;
    return false;
}

size_t save_bytes(const SaveOptions *options) {
    const double bytes = save_value(options, "bytes");
    return bytes > 0 ? (size_t)bytes : SIZE_MAX;
}

/* Encodes at this quality; keeps the file in the place of `best` if it is small enough. */
static Status try_quality(const Format *format, const Image *image, SaveOptions options, int quality, Bytes *best,
                          bool *fits) {
    Bytes file = {0};
    TRY(encoding_goes_on(options.gives_up));
    save_put("quality", quality, &options);
    TRY(format->save(image, options, &file));
    *fits = file.size <= save_bytes(&options);
    bytes_free(*fits ? best : &file);
    if (*fits)
        *best = file;
    return STATUS_OK;
}

/* Sizes grow with the quality: halves what is left between one that fits and one that does not. */
static Status search(const Format *format, const Image *image, SaveOptions options, Bytes *best) {
    int low = 1, high = (int)save_value(&options, "quality");
    bool fits = false;
    TRY(try_quality(format, image, options, low, best, &fits));
    while (fits && high - low > 1) {
        const int middle = (low + high) / 2;
        bool better;
        TRY(try_quality(format, image, options, middle, best, &better));
        low = better ? middle : low;
        high = better ? high : middle;
    }
    return STATUS_OK;
}

Status save_within(const Format *format, const Image *image, SaveOptions options, Bytes *file) {
    const size_t max = save_bytes(&options);
    TRY(format->save(image, options, file));
    if (file->size <= max || !has_option(format, "bytes"))
        return STATUS_OK;
    const size_t size = file->size;
    bytes_free(file);
    const bool lossless = save_value(&options, "lossless") != 0;
    const Status status = lossless ? STATUS_OK : search(format, image, options, file);
    if (status == STATUS_OK && file->data)
        return STATUS_OK;
    bytes_free(file);
    return status != STATUS_OK
               ? status
               : fail(STATUS_INPUT, "%s: %zu bytes%s, and --bytes asks for at most %zu; resize it first", format->title,
                      size, lossless ? " without loss" : ", and too many also at quality 1", max);
}
