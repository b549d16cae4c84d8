/* jpeg_plain.h: JPEGs that any decoder can decode. */
#ifndef GLINT_CORE_CODEC_JPEG_PLAIN_H
#define GLINT_CORE_CODEC_JPEG_PLAIN_H

#include "core/base/bytes.h"

/* Whether the file is a baseline JPEG, gray or YCbCr (4:4:4, 4:2:2, 4:4:0, 4:2:0) in one scan, that libjpeg decodes
 * without a warning. The test walks all of its code. Then *end is behind its last marker. */
bool jpeg_is_plain(Bytes file, size_t *end);

#endif
