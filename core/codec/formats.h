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

/* Appends to *bytes; false if memory ran out. */
bool bytes_append(Bytes *bytes, size_t *room, const void *data, size_t size);

/* Turns and mirrors the picture as the TIFF 6.0 orientation tag (1 to 8) says; anything else leaves it. */
Status image_orient(Image **image, int orientation);

#endif
