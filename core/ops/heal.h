/* heal.h: the operation heal: spots of a picture, filled in from their rims and from patches elsewhere.
 *     out(p) = in(p + o) + mean of (in(q) - in(q + o)),
 * p a pixel within a spot, o the way to its patch, q the pixels of the rim, weighted by 1 / |p - q|^2. These are the
 * patch's detail and the colours of the surroundings. Where o is 0, in(p + o) and in(q + o) are 0. Places lie evenly on
 * the rim, about one a pixel; q is the place in weights, and the pixel nearest to it in values. Pixels beyond the
 * picture are the nearest ones in it. All is read from the picture as it was. The first spot that covers a pixel
 * counts; pixels in no spot stay. Channels are alike, alpha too. in[0] -> out: equal shapes. NaN and infinity on a rim,
 * or in its patch, make NaN or infinity of the spot. */
#ifndef GLINT_CORE_OPS_HEAL_H
#define GLINT_CORE_OPS_HEAL_H

#include "core/math/heal.h"
#include "core/stage/stage.h"

extern const Op op_heal;

static inline const HealJob *heal_job(const Stage *stage) {
    return (const HealJob *)stage->job;
}

#endif
