/* png.c: PNG through libpng. Every chunk has a checksum; libpng's errors jump out of the loops below. */
#include "core/codec/formats.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { PNG_LEVEL = 3 }; /* zlib: most of the size for a fraction of the time */

typedef struct Reader {
    Bytes file;
    size_t at;
    char reason[160];
    jmp_buf out;
} Reader;

static void on_error(png_structp png, png_const_charp message) {
    Reader *reader = png_get_error_ptr(png);
    if (!reader->reason[0])
        snprintf(reader->reason, sizeof reader->reason, "%s", message);
    longjmp(reader->out, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
    (void)png, (void)message;
}

static void on_read(png_structp png, png_bytep data, size_t size) {
    Reader *reader = png_get_io_ptr(png);
    if (size > reader->file.size - reader->at) {
        snprintf(reader->reason, sizeof reader->reason, "the file ends early");
        png_error(png, "truncated");
    }
    memcpy(data, reader->file.data + reader->at, size);
    reader->at += size;
}

bool png_recognize(Bytes file) {
    return file.size >= 8 && png_sig_cmp(file.data, 0, 8) == 0;
}

/* Asks libpng to expand palettes, transparency and small depths, and to give 16-bit values in our byte order. */
static Shape expand(png_structp png, png_infop info) {
    const int depth = png_get_bit_depth(png, info);
    png_set_expand(png);
    if (depth == 16)
        png_set_swap(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
    return (Shape){png_get_image_width(png, info), png_get_image_height(png, info), png_get_channels(png, info),
                   depth == 16 ? PIXEL_U16 : PIXEL_U8};
}

static void keep_profile(png_structp png, png_infop info, Image *image) {
    png_charp name;
    int method;
    png_bytep profile;
    png_uint_32 size;
    if (!png_get_iCCP(png, info, &name, &method, &profile, &size) || !(image->profile = malloc(size)))
        return;
    memcpy(image->profile, profile, size);
    image->profile_size = size;
}

Status png_load(Bytes file, Image **image) {
    Reader reader = {.file = file};
    Image *volatile made = NULL;
    png_bytep *volatile rows = NULL;
    volatile Status status = STATUS_OK;
    *image = NULL;
    png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info) {
        png_destroy_read_struct(&png, NULL, NULL);
        return fail(STATUS_DEVICE, "no memory to decode PNG");
    }
    if (setjmp(reader.out)) {
        status = fail(STATUS_INPUT, "damaged PNG: %s", reader.reason);
    } else {
        png_set_read_fn(png, &reader, on_read);
        png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* image_create has the say */
        png_read_info(png, info);
        const Shape shape = expand(png, info);
        Image *fresh = NULL;
        status = image_create(shape, &fresh);
        made = fresh;
        if (status == STATUS_OK && !(rows = malloc(shape.height * sizeof *rows)))
            status = fail(STATUS_DEVICE, "no memory to decode PNG");
        if (status == STATUS_OK) {
            for (size_t y = 0; y < shape.height; y++)
                rows[y] = view_row(fresh->view, y);
            png_read_image(png, rows);
            png_read_end(png, info);
            keep_profile(png, info, fresh);
        }
    }
    png_destroy_read_struct(&png, &info, NULL);
    free(rows);
    Image *result = made;
    if (status != STATUS_OK)
        image_destroy(&result);
    *image = result;
    return status;
}

typedef struct Writer {
    Bytes file;
    size_t room;
    jmp_buf out;
} Writer;

static void on_write_error(png_structp png, png_const_charp message) {
    (void)message;
    longjmp(((Writer *)png_get_error_ptr(png))->out, 1);
}

static void on_write(png_structp png, png_bytep data, size_t size) {
    Writer *writer = png_get_io_ptr(png);
    if (!bytes_append(&writer->file, &writer->room, data, size))
        png_error(png, "no memory");
}

static void on_flush(png_structp png) {
    (void)png;
}

Status png_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    static const int colours[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                   PNG_COLOR_TYPE_RGB_ALPHA};
    const Shape shape = image->view.shape;
    if (shape.type == PIXEL_F32)
        return fail(STATUS_INPUT, "PNG holds no floating point values");
    Writer writer = {0};
    volatile Status status = STATUS_OK;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, on_write_error, on_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    if (!info || setjmp(writer.out)) {
        status = fail(STATUS_DEVICE, "no memory to encode PNG");
    } else {
        png_set_write_fn(png, &writer, on_write, on_flush);
        png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
        png_set_IHDR(png, info, (png_uint_32)shape.width, (png_uint_32)shape.height, shape.type == PIXEL_U16 ? 16 : 8,
                     colours[shape.channels], PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                     PNG_FILTER_TYPE_DEFAULT);
        if (image->profile)
            png_set_iCCP(png, info, "icc", PNG_COMPRESSION_TYPE_BASE, image->profile, (png_uint_32)image->profile_size);
        png_set_compression_level(png, PNG_LEVEL);
        png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
        png_write_info(png, info);
        if (shape.type == PIXEL_U16)
            png_set_swap(png);
        for (size_t y = 0; y < shape.height; y++)
            png_write_row(png, view_row(image->view, y));
        png_write_end(png, info);
    }
    png_destroy_write_struct(&png, &info);
    if (status != STATUS_OK)
        bytes_free(&writer.file);
    *file = writer.file;
    return status;
}
