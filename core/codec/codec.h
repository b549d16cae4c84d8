/* codec.h: files and byte streams to images and back.
 * A truncated or damaged file is refused with a reason, never decoded to rubbish. If Pages.partial asks for it, a file
 * that ends early gives the rows that are there, and says how many. */
#ifndef GLINT_CORE_CODEC_CODEC_H
#define GLINT_CORE_CODEC_CODEC_H

#include "core/codec/format.h"

/* Decodes by content, not by name, all pictures of the file; EXIF orientation is applied; 16-bit stays 16-bit, float
 * stays float. STATUS_INPUT with a reason (without the file's name) if the bytes are of no known format, truncated,
 * damaged or larger than memory_budget(). */
Status codec_decode(Bytes file, Image **image);
/* Encodes the picture and those behind it into freshly allocated bytes (bytes_free). STATUS_INPUT if the format cannot
 * hold this shape, or several pictures: the sentence names formats that can. Nothing is converted silently. */
Status codec_encode(const Format *format, const Image *image, SaveOptions options, Bytes *file);

/* Whether the picture may be encoded from where it lies to where its file goes, with no copy between. */
bool codec_encodes_directly(const Format *format, const Image *image);
/* Encodes as codec_encode does, with no copy between. */
Status codec_encode_to(const Format *format, const Image *image, SaveOptions options, ByteSink *to);

/* The bytes that codec_encode holds at most, the file included, besides encoding_working (core/codec/encoding.h), for
 * so many pictures of one shape. They are the values of each as they are, a byte a row (PNG) and an eighth. */
size_t codec_encoding_memory(Shape shape, size_t pictures);

/* A box reads headers and decodes in the place of this process (core/codec/sandbox.h). Its functions fail as
 * codec_measure and codec_unpack, or where there are more pictures than the header said. */
typedef struct CodecBox CodecBox;
struct CodecBox {
    Status (*measure)(CodecBox *box, Input *file, Pages pages, size_t *format, Measure *measure);
    Status (*unpack)(CodecBox *box, Input *file, const Measure *measure, size_t max, FilePart *part, Image **image);
};

/* The header of a file, by the number of its format; a stream's is in its first bytes. */
Status codec_measure(Input *file, Pages pages, size_t *format, Measure *measure);
/* Decodes a file in memory, within `max` bytes. STATUS_INPUT as codec_decode, or if it takes more. */
Status codec_unpack(Bytes file, Pages pages, size_t max, FilePart *part, Image **image);

/* A picture's file: its first bytes tell its format and the memory it takes; the others are not read yet. */
typedef struct CodecFile {
    Input input;
    CodecBox *box; /* borrowed; NULL: this process decodes */
    const Format *format;
    Measure measure;
    FilePart part;  /* of a picture that was read */
    uint64_t *hash; /* NULL, or gets bytes_hash of all of it in codec_read */
} CodecFile;

/* Opens `path` ("-": standard input), recognizes the format within the first INPUT_HEAD bytes and reads the header;
 * messages begin with the path. STATUS_INPUT as codec_decode, except for damage further on. */
Status codec_open(const char *path, Pages pages, CodecFile *file);
/* Opens a file as codec_open does, but takes over an open input, whatever happens; the box (borrowed, or NULL)
 * decodes. */
Status codec_adopt(Input *input, Pages pages, CodecBox *box, CodecFile *file);
/* The shape of the first picture, its orientation applied. */
Shape codec_shape(const CodecFile *file);
/* The most bytes that codec_read holds at once, file and picture included. SIZE_MAX for a stream, whose length is
 * unknown. */
size_t codec_memory(const CodecFile *file);
/* Reads the rest, decodes it, and closes the file whatever happens. `max` is the memory that the caller has set aside:
 * STATUS_INPUT if a stream turns out to need more. */
Status codec_read(CodecFile *file, size_t max, Image **image);
/* Reads as codec_read does, but leaves a plain file (FormatShell) encoded, in *encoded. The image then has no pixels,
 * but the shape that it will have once it is turned upright. */
Status codec_read_encoded(CodecFile *file, size_t max, EncodedPicture *encoded, Image **image);
/* Whether files of this format may come out of codec_read_encoded so. */
bool codec_may_stay_encoded(const CodecFile *file);
/* As codec_encode, of an image whose pixels were encoded by a device: they are not read. */
Status codec_encode_about(const Format *format, const Image *about, Bytes encoded, SaveOptions options, Bytes *file);
void codec_close(CodecFile *file); /* accepts a closed one */

/* Instead of codec_read, the picture's rows: whether this file has them one after the other. */
bool codec_has_rows(const CodecFile *file);
/* From now on until it is closed, the source is a reader of the file, which stays open. `about` is an image without
 * pixels, of the picture's shape. Fails as codec_read does, without the path, the source also later, within rows. */
Status codec_read_rows(CodecFile *file, RowSource **rows, Image **about);
/* Whether codec_write_rows takes pictures of this shape. */
bool codec_takes_rows(const Format *format, Shape shape, bool seeks);
/* Encodes a picture like `about`, whose pixels are not read (borrowed until the sink is closed), into `to` (borrowed).
 * Fails as codec_encode does. */
Status codec_write_rows(const Format *format, const Image *about, SaveOptions options, ByteSink *to, RowSink **rows);

/* codec_open and codec_read of the first picture, with the whole of memory_budget(). */
Status codec_load(const char *path, Image **image);
/* The same, where a file that ends early gives what is there, and one of RAW is developed so. */
Status codec_load_part(const char *path, RawWay raw, FilePart *part, Image **image);
/* codec_encode in the format that the path's extension names; messages begin with the path. */
Status codec_encode_for(const char *path, const Image *image, SaveOptions options, Bytes *file);
/* Whether codec_encode_for takes a picture of this shape, for pictures that take long to make: fails as it would. */
Status codec_check(const char *path, Shape shape);

#endif
