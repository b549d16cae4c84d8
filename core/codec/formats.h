/* formats.h: what the files in this folder give to the table in codec.c, and what they share. */
#ifndef GLINT_CORE_CODEC_FORMATS_H
#define GLINT_CORE_CODEC_FORMATS_H

#include "core/codec.h"

#include <stdint.h>

bool png_recognize(Bytes file);
Status png_load(Bytes file, Image **image);
Status png_save(const Image *image, SaveOptions options, Bytes *file);

bool jpeg_recognize(Bytes file);
Status jpeg_load(Bytes file, Image **image);
Status jpeg_save(const Image *image, SaveOptions options, Bytes *file);

bool bmp_recognize(Bytes file);
bool tga_recognize(Bytes file);
bool gif_recognize(Bytes file);
bool hdr_recognize(Bytes file);
Status bmp_load(Bytes file, Image **image);
Status tga_load(Bytes file, Image **image);
Status gif_load(Bytes file, Image **image);
Status hdr_load(Bytes file, Image **image);
Status bmp_save(const Image *image, SaveOptions options, Bytes *file);
Status tga_save(const Image *image, SaveOptions options, Bytes *file);
Status hdr_save(const Image *image, SaveOptions options, Bytes *file);

bool pnm_recognize(Bytes file);
bool pfm_recognize(Bytes file);
Status pnm_load(Bytes file, Image **image);
Status pfm_load(Bytes file, Image **image);
Status pnm_save(const Image *image, SaveOptions options, Bytes *file);
Status pfm_save(const Image *image, SaveOptions options, Bytes *file);

/* Little-endian values; the caller knows that they are inside. */
static inline size_t u16_at(Bytes file, size_t at) {
    return (size_t)file.data[at] | (size_t)file.data[at + 1] << 8;
}
static inline size_t u32_at(Bytes file, size_t at) {
    return u16_at(file, at) | u16_at(file, at + 2) << 16;
}

/* Records that a file of this format stops before its picture does. */
Status file_ends_early(const char *format);

/* Appends to *bytes; false if memory ran out. */
bool bytes_append(Bytes *bytes, size_t *room, const void *data, size_t size);

/* The orientation that the Exif data of a JPEG file, or of a block that begins with the TIFF header, names: 1 to 8; 0
 * without one. */
int exif_orientation(Bytes file);
int exif_block_orientation(Bytes block);

/* Turns and mirrors the picture as the TIFF 6.0 orientation tag (1 to 8) says; anything else leaves it. */
Status image_orient(Image **image, int orientation);

/* Makes RGB of an RGBA picture of u8 whose alpha is 0 everywhere: its writer had none. Leaves all others. */
Status image_drop_blank_alpha(Image **image);

#endif
