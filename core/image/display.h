/* display.h: colours of one space in another, as a table that a GPU looks up.
 * Owns how it is made: by relative colorimetry with black point compensation, as core/image/icc.h converts. Monitors'
 * profiles of primaries and curves know nothing else, white stays white, and black becomes the monitor's. */
#ifndef GLINT_CORE_IMAGE_DISPLAY_H
#define GLINT_CORE_IMAGE_DISPLAY_H

#include "core/image/colour_space.h"

enum {
    DISPLAY_SIDE = 65,    /* numbers along a side of the grid */
    DISPLAY_CURVE = 1021, /* of a curve; the values of 8 bits are among them */
};

/* Curves lead each value of the first space, 0 to 1, to a place in the grid, 0 to 1 along each side. The number x there
 * becomes what the curve of its colour has at sqrt(x), x being limited to 0 to 1. Between a curve's numbers it is
 * straight, and between those of the grid, too.
 * Where both spaces have primaries and curves alone, places and numbers are linear light, and the grid is exact. Errors
 * are then of the curves' bend within 1/1020, below 1e-6 of light for sRGB's. Numbers of such a second space also lie
 * beyond 0 to 1. */
typedef struct DisplayTable {
    float grid[DISPLAY_SIDE][DISPLAY_SIDE][DISPLAY_SIDE][3]; /* by the third colour, the second, the first */
    float curves[2][DISPLAY_CURVE][3];                       /* to places; from numbers */
} DisplayTable;

/* The table from a space (NULL: sRGB) to one of RGB (NULL: sRGB); freed by free(). It takes some milliseconds, or a
 * hundred where a space has tables. STATUS_DEVICE if memory is short; spaces were checked (colour_space.h). */
Status display_table_make(const ColourSpace *from, const ColourSpace *to, DisplayTable **table);

#endif
