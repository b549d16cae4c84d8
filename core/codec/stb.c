/* stb.c: writing BMP and TGA through stb_image_write. It counts bytes in int: larger pictures are refused. */
#include "core/codec/formats.h"

#include <limits.h>
#include <string.h>

#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

enum { BYTES_MAX = INT_MAX / 2 };

typedef struct Writer {
    Bytes file;
    size_t capacity;
    size_t skipped; /* bytes that are yet to be left out */
    bool failed;
} Writer;

static void on_write(void *user, void *data, int size) {
    Writer *writer = user;
    const size_t all = (size_t)size, out = all < writer->skipped ? all : writer->skipped;
    writer->skipped -= out;
    writer->failed |= !bytes_append(&writer->file, &writer->capacity, (const unsigned char *)data + out, all - out);
}

typedef int Encoder(stbi_write_func *write, void *user, int width, int height, int channels, const void *pixels);

/* Encodes a picture from the bottom up in pieces, between which it looks for signals. Both formats store rows in that
 * order, and each by itself: pieces follow each other, but for their headers. */
static Status encode(Encoder *encoder, const char *format, size_t header, ImageView view, bool gives_up,
                     Writer *writer) {
    enum { PIECE = 256 }; /* rows */
    const int width = (int)view.shape.width, channels = view.shape.channels;
    for (size_t left = view.shape.height; left > 0;) {
        const size_t rows = left < PIECE ? left : PIECE;
        TRY(encoding_goes_on(gives_up));
        writer->skipped = left < view.shape.height ? header : 0;
        left -= rows;
        if (!encoder(on_write, writer, width, (int)rows, channels, view_row(view, left)) || writer->failed)
            return fail(STATUS_DEVICE, "no memory to encode %s", format);
    }
    return STATUS_OK;
}

static Status save(Encoder *encoder, const char *format, size_t header, const Image *image, bool gives_up,
                   Bytes *file) {
    Writer writer = {0};
    if (shape_bytes(image->view.shape) > BYTES_MAX)
        return fail(STATUS_INPUT, "%s is written up to 1 GiB", format);
    const Status status = encode(encoder, format, header, image->view, gives_up, &writer);
    if (status != STATUS_OK)
        bytes_free(&writer.file);
    *file = writer.file;
    return status;
}

/* A whole number in little endian; 0 if it is none that a BMP has. */
static void put_u32(const Bytes *file, size_t at, double value) {
    const uint32_t whole = value > 0 && value < (double)INT32_MAX ? (uint32_t)(value + 0.5) : 0;
    for (size_t i = 0; i < 4; i++)
        file->data[at + i] = (unsigned char)(whole >> 8 * i);
}

Status bmp_save(const Image *image, SaveOptions options, Bytes *file) {
    enum { SIZE_AT = 2, HEIGHT_AT = 22, HEADER = 54, HEADER_OF_ALPHA = 122 };
    const size_t header = shape_has_alpha(image->view.shape) ? HEADER_OF_ALPHA : HEADER;
    TRY(save(stbi_write_bmp_to_func, "BMP", header, image, options.gives_up, file));
    put_u32(file, SIZE_AT, (double)file->size);
    put_u32(file, HEIGHT_AT, (double)image->view.shape.height);
    put_u32(file, BMP_METRE_AT, image->resolution.x);
    put_u32(file, BMP_METRE_AT + 4, image->resolution.y);
    return STATUS_OK;
}

Status tga_save(const Image *image, SaveOptions options, Bytes *file) {
    enum { HEIGHT_AT = 14, HEADER = 18 };
    TRY(save(stbi_write_tga_to_func, "TGA", HEADER, image, options.gives_up, file));
    file->data[HEIGHT_AT] = (unsigned char)image->view.shape.height;
    file->data[HEIGHT_AT + 1] = (unsigned char)(image->view.shape.height >> 8);
    return STATUS_OK;
}
