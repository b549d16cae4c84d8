/* encoding.h: the memory that encoders take. */
#ifndef GLINT_CORE_CODEC_ENCODING_H
#define GLINT_CORE_CODEC_ENCODING_H

#include "core/codec/codec.h"

/* Whether these options keep every value, in formats that may lose some. */
bool encoding_keeps(const SaveOptions *options);
/* Bytes that encoding takes at most, of one picture at a time, besides the picture and codec_encoding_memory. */
size_t encoding_working(const Format *format, Shape shape, const SaveOptions *options);

/* Whether the process may have so many bytes more now: for libraries that end the program where they find no memory. */
Status encoding_probe(const Format *format, size_t bytes);

#endif
