/* shot.h: how a picture was taken: the camera, the lens and their settings, as far as its file tells.
 * Owns the type. core/codec reads it from Exif; filters that follow the lens ask plans for it. */
#ifndef GLINT_CORE_IMAGE_SHOT_H
#define GLINT_CORE_IMAGE_SHOT_H

#include <stdbool.h>

/* Texts are empty and numbers 0 where the file does not tell. */
typedef struct Shot {
    bool known; /* it is that of a picture; false: no picture is at hand, as where a chain alone is judged */
    char maker[64], model[64], lens[128];
    double focal, aperture, distance; /* the focal length in mm, the f-number, metres to the subject */
} Shot;

bool shot_equal(const Shot *a, const Shot *b);

#endif
