/* encoding.h: what encoders take of memory. */
#ifndef GLINT_CORE_CODEC_ENCODING_H
#define GLINT_CORE_CODEC_ENCODING_H

#include "core/codec.h"

/* Bytes that encoding a picture holds at most, the file included, the picture not. Formats that are written row by row
 * take less where they are. `lossless` as in SaveOptions. */
size_t encoding_memory(const Format *format, Shape shape, bool lossless);

/* Whether so much can be had now: for libraries that end the program where they find no memory. */
Status encoding_probe(const Format *format, size_t bytes);

#endif
