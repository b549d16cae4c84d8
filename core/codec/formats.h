/* formats.h: what the files in this folder give to the table in codec.c, and what they share. */
#ifndef GLINT_CORE_CODEC_FORMATS_H
#define GLINT_CORE_CODEC_FORMATS_H

#include "core/codec.h"

#include <stdint.h>

bool png_recognize(Bytes head);
Status png_measure(Input *file, Measure *measure);
Status png_load(Bytes file, Image **image);
Status png_save(const Image *image, SaveOptions options, Bytes *file);

bool jpeg_recognize(Bytes head);
Status jpeg_measure(Input *file, Measure *measure);
Status jpeg_load(Bytes file, Image **image);
Status jpeg_save(const Image *image, SaveOptions options, Bytes *file);

bool gif_recognize(Bytes head);
Status gif_measure(Input *file, Measure *measure);
Status gif_load(Bytes file, Image **image);

bool bmp_recognize(Bytes head);
Status bmp_measure(Input *file, Measure *measure);
Status bmp_load(Bytes file, Image **image);
Status bmp_save(const Image *image, SaveOptions options, Bytes *file);

bool hdr_recognize(Bytes head);
Status hdr_measure(Input *file, Measure *measure);
Status hdr_load(Bytes file, Image **image);
Status hdr_save(const Image *image, SaveOptions options, Bytes *file);

bool pfm_recognize(Bytes head);
Status pfm_measure(Input *file, Measure *measure);
Status pfm_load(Bytes file, Image **image);
Status pfm_save(const Image *image, SaveOptions options, Bytes *file);

bool pnm_recognize(Bytes head);
Status pnm_measure(Input *file, Measure *measure);
Status pnm_load(Bytes file, Image **image);
Status pnm_save(const Image *image, SaveOptions options, Bytes *file);

bool tga_recognize(Bytes head);
Status tga_measure(Input *file, Measure *measure);
Status tga_load(Bytes file, Image **image);
Status tga_save(const Image *image, SaveOptions options, Bytes *file);

/* Little-endian values; the caller knows that they are inside. */
static inline size_t u16_at(Bytes file, size_t at) {
    return (size_t)file.data[at] | (size_t)file.data[at + 1] << 8;
}
static inline size_t u32_at(Bytes file, size_t at) {
    return u16_at(file, at) | u16_at(file, at + 2) << 16;
}

/* Records that a file of this format stops before its picture does. */
Status file_ends_early(const char *format);
/* The same, unless the file has that many bytes, or is a stream of unknown length. */
Status file_must_hold(const Input *file, size_t bytes, const char *format);

/* The orientation in a TIFF block of `size` bytes at `at`, as Exif has it: 1 to 8, or 0 without one. */
int exif_orientation(Input *file, size_t at, size_t size);

/* Turns and mirrors the picture as the TIFF 6.0 orientation tag (1 to 8) says; anything else leaves it. */
Status image_orient(Image **image, int orientation);

/* Makes RGB of an RGBA picture of u8 whose alpha is 0 everywhere, in place: its writer had none. Leaves all others. */
void image_drop_blank_alpha(Image *image);

#endif
