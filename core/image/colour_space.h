/* colour_space.h: the meaning of a picture's values, or of a monitor's, as an ICC profile.
 * Owns the profile's bytes. A space never changes, and has any number of owners, in any threads. NULL stands for sRGB,
 * which is also meant where nobody knows. */
#ifndef GLINT_CORE_IMAGE_COLOUR_SPACE_H
#define GLINT_CORE_IMAGE_COLOUR_SPACE_H

#include "core/base/bytes.h"
#include "core/image/image.h"

typedef struct ColourSpace {
    int owners;    /* counted in all threads */
    bool gray;     /* else RGB */
    bool srgb;     /* alike but for rounding */
    char name[64]; /* the profile's description: letters of ASCII */
    Bytes profile;
} ColourSpace;

/* A picture's, as those who show it keep it. */
typedef struct PictureColours {
    ColourSpace *space; /* an owner of it, or NULL */
    bool coded;         /* floats are values of it; else they are light */
} PictureColours;

/* The space of a picture: by its ICC profile, else as a PNG's gAMA and cHRM say; cICP comes before these. *space is
 * NULL where there are none, where they say sRGB of whole numbers, and without Little CMS. STATUS_INPUT, with *space
 * NULL, if they cannot be used; STATUS_DEVICE if memory is short. */
Status colour_space_of_picture(const Image *picture, ColourSpace **space);
/* The space of a monitor, by a profile's bytes. STATUS_INPUT if it is damaged, or not one of RGB that colours can be
 * converted to; STATUS_USAGE without Little CMS; STATUS_DEVICE if memory is short. */
Status colour_space_of_monitor(Bytes profile, ColourSpace **space);
/* The same, of a file. */
Status colour_space_of_file(const char *path, ColourSpace **space);
/* Another owner; accepts NULL. */
ColourSpace *colour_space_retain(ColourSpace *space);
void colour_space_release(ColourSpace **space); /* accepts NULL, nulls the pointer */
/* Whether values of the two mean the same colours; of gray and RGB never. */
bool colour_space_equal(const ColourSpace *a, const ColourSpace *b);

#endif
