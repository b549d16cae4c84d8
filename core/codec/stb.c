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
    bool failed;
} Writer;

static void on_write(void *user, void *data, int size) {
    Writer *writer = user;
    writer->failed |= !bytes_append(&writer->file, &writer->capacity, data, (size_t)size);
}

static Status written(Writer *writer, int ok, const char *format, Bytes *file) {
    if (ok && !writer->failed) {
        *file = writer->file;
        return STATUS_OK;
    }
    bytes_free(&writer->file);
    return fail(STATUS_DEVICE, "no memory to encode %s", format);
}

/* A whole number in little endian; 0 if it is none that a BMP has. */
static void put_u32(const Bytes *file, size_t at, double value) {
    const uint32_t whole = value > 0 && value < (double)INT32_MAX ? (uint32_t)(value + 0.5) : 0;
    for (size_t i = 0; i < 4; i++)
        file->data[at + i] = (unsigned char)(whole >> 8 * i);
}

Status bmp_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    const Shape shape = image->view.shape;
    Writer writer = {0};
    if (shape_bytes(shape) > BYTES_MAX)
        return fail(STATUS_INPUT, "BMP is written up to 1 GiB");
    const int ok = stbi_write_bmp_to_func(on_write, &writer, (int)shape.width, (int)shape.height, shape.channels,
                                          image->view.pixels);
    TRY(written(&writer, ok, "BMP", file));
    put_u32(file, BMP_METRE_AT, image->resolution.x);
    put_u32(file, BMP_METRE_AT + 4, image->resolution.y);
    return STATUS_OK;
}

Status tga_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    const Shape shape = image->view.shape;
    Writer writer = {0};
    if (shape_bytes(shape) > BYTES_MAX)
        return fail(STATUS_INPUT, "TGA is written up to 1 GiB");
    const int ok = stbi_write_tga_to_func(on_write, &writer, (int)shape.width, (int)shape.height, shape.channels,
                                          image->view.pixels);
    return written(&writer, ok, "TGA", file);
}
