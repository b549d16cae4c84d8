/* lens_library.h: the function of Lensfun that glint needs, and the type of profiles. lens_library.c, which has it, is
 * a module of its own (glint-lens.so), compiled where Lensfun is. It is loaded when a chain asks for a lens. */
#ifndef GLINT_CORE_CODEC_LENS_LIBRARY_H
#define GLINT_CORE_CODEC_LENS_LIBRARY_H

#include "core/image/shot.h"

enum { LENS_TEXT = 256 /* bytes */ };

/* The faults of a lens at a shot's focal length, aperture and distance, by the models of Lensfun's manual. Radii are
 * distances from the picture's middle. In `bend` and `apart`, 1 is half the shorter side of the sensor on which the
 * lens was measured. In `dark`, 1 is half its diagonal. */
typedef struct LensProfile {
    char text[LENS_TEXT];       /* "Canon EOS 5D with Canon EF 24-105mm f/4L IS USM at 24 mm" */
    double unit, diagonal;      /* these two, in halves of the picture's diagonal */
    bool bends, parts, darkens; /* whether the profile knows the fault */
    double bend[5];             /* distortion: the radius r becomes r (b0 + b1 r + ... + b4 r^4) */
    double apart[2][3];         /* then that of red, and of blue, s becomes s (a0 + a1 s + a2 s^2) */
    double dark[3];             /* light becomes 1 + d0 r^2 + d1 r^4 + d2 r^6 times as much */
} LensProfile;

typedef enum LensFound { LENS_FOUND, LENS_UNKNOWN, LENS_NO_DATABASE } LensFound;

/* As lens_find (core/codec/lens.h); `why` gets the sentence. One thread at a time. */
typedef LensFound LensFind(const Shot *shot, LensProfile *profile, char why[LENS_TEXT]);

extern LensFind glint_lens_find; /* of the module */

#endif
