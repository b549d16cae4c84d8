/* projection.h: where a scene's points are seen in its picture, and how far pixels reach there. */
#ifndef GLINT_APP_VIEW_DATA_PROJECTION_H
#define GLINT_APP_VIEW_DATA_PROJECTION_H

#include "core/math/camera.h"

#include <stdbool.h>

/* The size of the picture, and of the window if it fills that. */
typedef struct PictureSize {
    int width, height;
} PictureSize;

/* Where a point is seen, in pixels of the picture from the top left. False if it is not ahead of the camera. */
bool projection_of(const Camera *camera, Vec point, PictureSize size, double *x, double *y);
/* World units that a pixel has in the plane through the point that faces the camera. */
float projection_unit(const Camera *camera, Vec point, int height);
/* The point, moved in that plane by pixels to the right and down. */
Vec projection_shift(const Camera *camera, Vec point, double dx, double dy, int height);

#endif
