/* way.h: how the value of a slider goes with its place: evenly, slowly around what is mostly wanted, or by decades. */
#ifndef GLINT_APP_VIEW_DATA_WAY_H
#define GLINT_APP_VIEW_DATA_WAY_H

#include "core/param/param.h"

typedef struct Way {
    double min, max;
    bool decades; /* alike for all; else: */
    double power; /* of the way from the minimum, or from the middle where values lie to both sides of 0 */
} Way;

/* Whether its values are places in the picture, or sizes of a part of it, in any unit. */
bool counts_places(const Param *param);
/* By the parameter's limits and default: so that half and twice of that lie well apart. Places in a picture go
 * evenly. */
Way way_of(const Param *param);
/* The way of a length in pixels ends where the picture's longer side, in pixels, makes it useless; larger lengths can
 * be typed. It is that of way_of for other parameters, and where the side is 0. */
Way way_for_side(const Param *param, double side);
/* The value at a place from 0 to 1, and the place of a value. */
double way_value(const Way *way, double place);
double way_place(const Way *way, double value);

#endif
