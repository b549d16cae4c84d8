/* formats.h: the descriptors of the files in this folder, and their common parts. */
#ifndef GLINT_CORE_CODEC_FORMATS_H
#define GLINT_CORE_CODEC_FORMATS_H

#include "core/base/interrupt.h"
#include "core/codec/format.h"

#include <stdint.h>
#include <string.h>

/* formats.def expanded to declarations: extern const Format format_png, ... */
#define FORMAT(name) extern const Format format_##name;
#include "core/codec/formats.def"
#undef FORMAT

enum { BMP_METRE_AT = 38 }; /* byte, in headers that have them: pixels per metre, across and down */
Status bmp_save(const Image *image, SaveOptions options, Bytes *file); /* stb.c */
Status tga_save(const Image *image, SaveOptions options, Bytes *file);

/* Options that several formats have. */
#define SAVE_QUALITY                                                                                                   \
    { "quality", "N", "quality, 1 to 100 (92)", OPTION_WHOLE, .min = 1, .max = 100, .otherwise = 92 }
#define SAVE_LOSSLESS                                                                                                  \
    { .name = "lossless", .help = "keep every value", .kind = OPTION_SWITCH }

#define SAVE_BYTES                                                                                                     \
    {                                                                                                                  \
        .name = "bytes", .value = "SIZE", .kind = OPTION_BYTES, .min = 1, .max = INT32_MAX,                            \
        .help = "at most so large a file, as 200K: by less than --quality where needed",                               \
    }
#define SAVE_EFFORT                                                                                                    \
    { "effort", "N", "1, fast, to 9, smaller files (4)", OPTION_WHOLE, .min = 1, .max = 9, .otherwise = 4 }
#define SAVE_SAMPLING                                                                                                  \
    {                                                                                                                  \
        .name = "sampling", .value = "auto|444|422|420", .kind = OPTION_CHOICE,                                        \
        .help = "chroma of each pixel, of two, or of four (auto: 444 from quality 90 on, else 420)",                   \
    }

/* The bytes that a file may have by option "bytes"; SIZE_MAX: any. */
size_t save_bytes(const SaveOptions *options);
/* Format.save, at most at options' quality, and at a lower one if the file is larger than option "bytes" says.
 * STATUS_INPUT if it is too large at the lowest, or without loss. */
Status save_within(const Format *format, const Image *image, SaveOptions options, Bytes *file);

/* The level of zlib, 1 to 9, by option "effort". */
int save_deflate_level(const SaveOptions *options);

/* Little-endian values; the caller knows that they are inside. */
static inline size_t u16_at(Bytes file, size_t at) {
    return (size_t)file.data[at] | (size_t)file.data[at + 1] << 8;
}
static inline size_t u32_at(Bytes file, size_t at) {
    return u16_at(file, at) | u16_at(file, at + 2) << 16;
}

/* STATUS_INTERRUPTED once a signal was caught: decoders look between pictures, and between rows. */
static inline Status decoding_goes_on(void) {
    return interrupted() ? fail(STATUS_INTERRUPTED, "interrupted") : STATUS_OK;
}

/* Encoders look as decoders do, if SaveOptions.gives_up asks for it. */
static inline Status encoding_goes_on(bool gives_up) {
    return gives_up ? decoding_goes_on() : STATUS_OK;
}

/* Records that a file of this format stops before its picture does. */
Status file_ends_early(const char *format);
/* Settles the status of a header that was read up to `at` in the file's first bytes. A failure at their end says that
 * they are too few, if the file goes on. */
Status header_settle(Status status, const Input *file, size_t at, const char *format);
/* Fails as file_ends_early unless the file has that many bytes, or is a stream of unknown length. */
Status file_must_hold(const Input *file, size_t bytes, const char *format);

/* A file that is made in memory. */
typedef struct BytesSink {
    ByteSink sink; /* first, so that a ByteSink is ours */
    Bytes *bytes;
    size_t capacity;
    const char *format; /* for messages */
} BytesSink;

BytesSink bytes_sink(Bytes *file, const char *format); /* of an empty file */

/* A whole picture by read_rows and write_rows. */
Status format_load_rows(const Format *format, Bytes bytes, Image **image);
Status format_load_rows_from(const Format *format, Input *input, Image **image);
Status format_save_rows(const Format *format, const Image *image, SaveOptions options, Bytes *file);
Status format_save_rows_to(const Format *format, const Image *image, SaveOptions options, ByteSink *to);
/* All rows of a picture; `gives_up` as in SaveOptions. */
Status format_write_picture(RowSink *rows, ImageView view, bool gives_up);

/* PNGs with frames or without, apng.c. */
typedef struct ApngSurvey {
    size_t count; /* frames; 0 where there are none */
    bool opaque;  /* no frame shows transparent pixels */
} ApngSurvey;
/* Walks through a file whose canvas has this shape. */
ApngSurvey apng_survey(Input *file, Shape canvas);
/* The shape of its frames: with alpha, unless they are opaque. */
Shape apng_canvas(Shape shape, ApngSurvey survey);
Status apng_load(Bytes file, Pages pages, Image **image);
Status apng_save(const Image *image, SaveOptions options, Bytes *file);

/* STATUS_INPUT if the first of the pages that are wanted is behind the last of `count`. */
Status file_has_page(size_t count, Pages pages, const char *format);

/* STATUS_INPUT unless a picture is as large as the first one. */
Status pictures_alike(const Image *first, const Image *image, const char *format);

/* For formats that hold data once: the bits of enum Extra for data in which pictures behind the first one differ from
 * it. */
unsigned extras_apart(const Image *first);

/* Where directories name others: that of Exif's own tags, and two more. */
enum { TAG_EXIF = 0x8769, TAG_GPS = 0x8825, TAG_INTEROPERABILITY = 0xA005 };

/* The orientation in a TIFF block of `size` bytes at `at`, as Exif has it: 1 to 8, or 0 without one. */
int exif_orientation(Input *file, size_t at, size_t size);

/* Bytes before a TIFF block where a program begins it as JPEG does, though its format does not want that; or 0. */
size_t exif_prefix(const unsigned char *data, size_t size);

/* Makes the Exif block of a picture that was turned upright say so, where it says an orientation that exif_orientation
 * understands. Cuts out its thumbnail, and the dimensions, which filters may change. A block that contradicts itself is
 * dropped, and counts as lost. A resolution that it knows becomes the picture's, if that has none. */
void exif_settle(Image *image);
/* Whether a block of at least one byte does not contradict itself, as exif_settle leaves it. */
bool exif_is_sound(ImageBlock exif);
/* Serves formats that have no other place for a resolution. *exif is the picture's block if that tells it, else a copy
 * that does, *made (to be freed). *lost gets EXTRA_RESOLUTION where Exif cannot say it. STATUS_DEVICE without
 * memory. */
Status exif_with_resolution(const Image *image, ImageBlock *made, ImageBlock *exif, unsigned *lost);
/* Cuts out of a packet in UTF-8, in place: dimensions, thumbnails, and promises of pictures and films that stood
 * elsewhere in its file. If the picture was turned as its file says, the orientation goes, too. Returns EXTRA_BESIDE if
 * it promised any, but for the gain map if that was read (`mapped`). Leaves a packet as it is from the place on where
 * it is not XML. Another encoding stays as it is. */
unsigned xmp_settle(ImageBlock *block, bool turned, bool mapped);
/* A block as HEIF (ISO/IEC 23008-12, annex A) and JPEG XL (ISO/IEC 18181-2) have it. Its first four bytes are the
 * distance from their end to its TIFF header. One that ends before that is kept as it is, for exif_settle to judge.
 * STATUS_DEVICE without memory. */
Status exif_set(ImageBlock *block, const unsigned char *data, size_t size);
/* Makes a block of its own of a TIFF page's Exif: camera and author in the directory at `directory`, and those of Exif
 * and GPS. Damage, or more than EXIF_MAX, costs the block: *lost gets EXTRA_EXIF. */
enum { EXIF_MAX = 1 << 20 };
typedef struct TiffDirectory {
    Input *file;
    size_t at;
    bool big_endian, wide; /* wide: of a BigTIFF */
} TiffDirectory;
Status exif_of_tiff(TiffDirectory directory, ImageBlock *block, unsigned *lost);
/* Makes the block's directories in little endian for a TIFF file. They will begin at byte `at` of the file; *exif and
 * *gps are where these are in it (0: there is none). STATUS_INPUT if it is not to be understood, STATUS_DEVICE without
 * memory. */
Status exif_directories(ImageBlock block, size_t at, Bytes *made, size_t *exif, size_t *gps);
/* A fraction of the maker's notes in a block, if these are Apple's: a directory of their own. False without one. */
bool exif_apple_fraction(ImageBlock exif, unsigned tag, double *value);
/* The ASCII value of a tag of the block's first directory, with its zero; NULL without one. */
const char *exif_text(ImageBlock block, unsigned tag);
/* Tags of that directory, ascending and up to a 0, which a TIFF's own directory has alike: all are ASCII. */
extern const unsigned exif_text_tags[];

/* The shape of a picture once image_orient has turned it. */
Shape shape_oriented(Shape shape, int orientation);
/* Turns and mirrors the picture as the TIFF 6.0 orientation tag (1 to 8) says; anything else leaves it. */
Status image_orient(Image **image, int orientation);

/* Makes RGB of an RGBA picture of u8 whose alpha is 0 everywhere, in place: its writer had none. Leaves all others. */
void image_drop_blank_alpha(Image *image);

#endif
