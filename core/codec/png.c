/* png.c: PNG through libpng. Every chunk has a checksum. libpng's errors jump out of the functions that call setjmp;
 * what they own lives in a Reader or Writer of the caller, so that no local is looked at after a jump. */
#include "core/codec/formats.h"

#include <png.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

enum { PNG_LEVEL = 3 }; /* zlib: most of the size for a fraction of the time */

/* Chunks that say nothing about the pixels: skipped, so that none of them can be a compressed bomb. */
enum { CHUNK_NAME = 5, PROFILE_MOST = 8 << 20 };
static const png_byte unread[] = "tEXt\0zTXt\0iTXt\0sPLT\0hIST\0pCAL\0sCAL";

enum { DEFLATE_MOST = 1032 }; /* one compressed byte stands for no more (zlib, "Maximum Expansion Factor") */

typedef struct Reader {
    Bytes file;
    size_t at;
    png_structp png;
    png_infop info;
    Image *image;
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
    png_read_update_info(png, info);
    return (Shape){png_get_image_width(png, info), png_get_image_height(png, info), png_get_channels(png, info),
                   depth == 16 ? PIXEL_U16 : PIXEL_U8};
}

static Status keep_profile(png_structp png, png_infop info, Image *image) {
    png_charp name;
    int method;
    png_bytep profile;
    png_uint_32 size;
    if (!png_get_iCCP(png, info, &name, &method, &profile, &size))
        return STATUS_OK;
    image->profile = malloc(size);
    if (!image->profile)
        return fail(STATUS_DEVICE, "no memory to decode PNG");
    memcpy(image->profile, profile, size);
    image->profile_size = size;
    return STATUS_OK;
}

/* Fails early where the pixels that the header promises cannot be in so small a file. */
static Status check_promise(const Reader *reader) {
    const size_t most = reader->file.size * DEFLATE_MOST / png_get_rowbytes(reader->png, reader->info);
    return png_get_image_height(reader->png, reader->info) <= most ? STATUS_OK : file_ends_early("PNG");
}

static int orientation_of(png_structp png, png_infop info) {
    png_uint_32 size;
    png_bytep block;
    return png_get_eXIf_1(png, info, &size, &block) ? exif_block_orientation((Bytes){block, size}) : 0;
}

static Status read_picture(Reader *reader) {
    if (setjmp(reader->out))
        return fail(STATUS_INPUT, "damaged PNG: %s", reader->reason);
    png_structp const png = reader->png;
    png_set_read_fn(png, reader, on_read);
    png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX); /* image_create has the say */
    png_set_chunk_malloc_max(png, PROFILE_MOST);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread, sizeof unread / CHUNK_NAME);
    png_read_info(png, reader->info);
    TRY(check_promise(reader));
    const int passes = png_set_interlace_handling(png);
    const Shape shape = expand(png, reader->info);
    TRY(image_create(shape, &reader->image));
    for (int pass = 0; pass < passes; pass++)
        for (size_t y = 0; y < shape.height; y++)
            png_read_row(png, view_row(reader->image->view, y), NULL);
    png_read_end(png, reader->info);
    TRY(keep_profile(png, reader->info, reader->image));
    return image_orient(&reader->image, orientation_of(png, reader->info));
}

Status png_load(Bytes file, Image **image) {
    Reader reader = {.file = file};
    reader.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &reader, on_error, on_warning);
    reader.info = reader.png ? png_create_info_struct(reader.png) : NULL;
    const Status status = reader.info ? read_picture(&reader) : fail(STATUS_DEVICE, "no memory to decode PNG");
    png_destroy_read_struct(&reader.png, &reader.info, NULL);
    if (status != STATUS_OK)
        image_destroy(&reader.image);
    *image = reader.image;
    return status;
}

typedef struct Writer {
    Bytes file;
    size_t room;
    png_structp png;
    png_infop info;
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

static Status write_picture(Writer *writer, const Image *image) {
    static const int colours[5] = {0, PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                                   PNG_COLOR_TYPE_RGB_ALPHA};
    const Shape shape = image->view.shape;
    png_structp const png = writer->png;
    if (setjmp(writer->out))
        return fail(STATUS_DEVICE, "no memory to encode PNG");
    png_set_write_fn(png, writer, on_write, on_flush);
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_benign_errors(png, 1); /* a profile that does not fit the picture is left out */
    png_set_IHDR(png, writer->info, (png_uint_32)shape.width, (png_uint_32)shape.height,
                 shape.type == PIXEL_U16 ? 16 : 8, colours[shape.channels], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (image->profile)
        png_set_iCCP(png, writer->info, "icc", PNG_COMPRESSION_TYPE_BASE, image->profile,
                     (png_uint_32)image->profile_size);
    png_set_compression_level(png, PNG_LEVEL);
    png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    png_write_info(png, writer->info);
    if (shape.type == PIXEL_U16)
        png_set_swap(png);
    for (size_t y = 0; y < shape.height; y++)
        png_write_row(png, view_row(image->view, y));
    png_write_end(png, writer->info);
    return STATUS_OK;
}

Status png_save(const Image *image, SaveOptions options, Bytes *file) {
    (void)options;
    if (image->view.shape.type == PIXEL_F32)
        return fail(STATUS_INPUT, "PNG holds no floating point values");
    Writer writer = {0};
    writer.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writer, on_write_error, on_warning);
    writer.info = writer.png ? png_create_info_struct(writer.png) : NULL;
    const Status status = writer.info ? write_picture(&writer, image) : fail(STATUS_DEVICE, "no memory to encode PNG");
    png_destroy_write_struct(&writer.png, &writer.info);
    if (status != STATUS_OK)
        bytes_free(&writer.file);
    *file = writer.file;
    return status;
}
