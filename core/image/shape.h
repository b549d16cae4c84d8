/* shape.h: shapes that pictures may have, whatever memory there is. */
#ifndef GLINT_CORE_IMAGE_SHAPE_H
#define GLINT_CORE_IMAGE_SHAPE_H

#include "core/image/image.h"

/* STATUS_INPUT if no picture has this shape: sides of 0, channels out of range, more bytes than can be counted.
 * shape_check is for shapes that shall lie in memory. */
Status shape_exists(Shape shape);

#endif
