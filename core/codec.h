/* codec.h: files and byte streams to images and back.
 * Owns the table of formats; a truncated or damaged file is refused with a reason, never decoded to rubbish. */
#ifndef GLINT_CORE_CODEC_H
#define GLINT_CORE_CODEC_H

#include "core/image.h"

#include <stddef.h>

typedef struct Bytes {
    unsigned char *data;
    size_t size;
} Bytes;

typedef struct SaveOptions {
    int quality; /* JPEG: 1 to 100; 0 takes the usual 92 */
} SaveOptions;

/* One file format. `load` and `save` are NULL where the format cannot be read or written. */
typedef struct Format {
    const char *name;       /* "png": also the first extension */
    const char *extensions; /* space-separated, lower case, without dots: "jpg jpeg jpe" */
    const char *holds;      /* one phrase for `glint list formats`: what it loads and saves */
    bool (*recognize)(Bytes head);
    Status (*load)(Bytes file, Image **image);
    Status (*save)(const Image *image, SaveOptions options, Bytes *file);
} Format;

extern const Format formats[];
extern const size_t format_count;

/* By a file name's extension (any case), or by name; NULL if none fits. */
const Format *format_for_path(const char *path);
const Format *format_by_name(const char *name);

/* Decodes by content, not by name; EXIF orientation is applied; 16-bit stays 16-bit, float stays float.
 * STATUS_INPUT with a reason (without the file's name) if the bytes are of no known format, truncated, damaged or
 * larger than image_budget(). */
Status codec_decode(Bytes file, Image **image);
/* Encodes into freshly allocated bytes (bytes_free). STATUS_INPUT if the format cannot hold this shape: the sentence
 * names formats that can. Nothing is converted silently. */
Status codec_encode(const Format *format, const Image *image, SaveOptions options, Bytes *file);

/* codec_decode of a file ("-": standard input); messages begin with the path. */
Status codec_load(const char *path, Image **image);
/* codec_encode into a file by its extension, written as file_write_atomic does ("-" is not handled here). */
Status codec_save(const char *path, const Image *image, SaveOptions options, bool overwrite);
/* Whether codec_save could encode a picture of this shape, for pictures that take long to make: fails as it would. */
Status codec_check(const char *path, Shape shape);

void bytes_free(Bytes *bytes);

#endif
