/* geometry.h: the size of a plan's result, and the places of its pixels in the picture that the chain began with.
 * Owns the composition of the stages' maps (Op.origin). */
#ifndef GLINT_CORE_PLAN_GEOMETRY_H
#define GLINT_CORE_PLAN_GEOMETRY_H

#include "core/plan/plan.h"

/* Pixels' centres have whole coordinates, so that the first pixel reaches from -1/2 to 1/2. */
typedef struct Geometry {
    Shape result;
    Origin origin;         /* how far `to_picture` is right; that of the worst stage */
    Homography to_picture; /* from the result's pixels to the picture's; homography_invert turns it round */
    size_t link;           /* of chain_geometry: the first link without a homography, or the one that fails; from 1.
                              0: all have one */
} Geometry;

/* `link` is 0. A result that does not come from plan_unfiltered through first inputs has ORIGIN_NONE. */
Geometry plan_geometry(const Plan *plan);
/* The geometry of two steps, one after the other: that of `then` behind `first`. `link` is that of the first that has
 * one. */
Geometry geometry_join(const Geometry *first, const Geometry *then);

#endif
