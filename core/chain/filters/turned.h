/* turned.h: the parts that filters share which turn a picture by any angle. */
#ifndef GLINT_CORE_CHAIN_FILTERS_TURNED_H
#define GLINT_CORE_CHAIN_FILTERS_TURNED_H

#include "core/chain/filters/filters.h"

/* In whole pixels. */
typedef struct Size {
    double width, height;
} Size;

/* The largest rectangle within a turned picture: of the picture's proportions, or of any. Both take the absolute
 * cosine and sine of the angle. Each side has at least a pixel. */
Size turned_inside(Size of, double cosine, double sine);
Size turned_largest(Size of, double cosine, double sine);
/* Appends the picture turned clockwise around its middle, of which the result shows `size`. Fails as plan_warp does. */
Status turned_plan(Plan *to, int in, double degrees, Size size, WarpKernel kernel, const char *colour, int *out);

#endif
