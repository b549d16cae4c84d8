/* stand_in.h: the JPEG within a RAW file, in the place of the picture that developing it will give. */
#ifndef GLINT_APP_VIEW_SESSION_STAND_IN_H
#define GLINT_APP_VIEW_SESSION_STAND_IN_H

#include "core/codec/raw_way.h"
#include "core/image/image.h"

/* Reads the JPEG within a RAW file, and makes it as large as the developed picture and of its type. So nothing moves
 * when that comes. *picture is NULL for other files, where the JPEG itself is wanted, and where none is large enough.
 * It has an eighth of the width at least, and the same proportions. STATUS_DEVICE if memory is short; other failures
 * give NULL. */
Status stand_in_decode(const char *path, RawWay raw, Image **picture);
/* How to read a picture that is shown within so many pixels: a RAW file's JPEG if it is as large, else by halves. */
RawWay stand_in_way(const char *path, size_t width, size_t height);

#endif
