/* diffuse.h: the operation diffuse: steps of anisotropic diffusion, each of which is
 *     out = in + rate * sum over the four neighbours of g(d) d,  d = neighbour - in,
 * with g(d) = exp(-(d / kappa)^2) or 1 / (1 + (d / kappa)^2); each channel by itself (core/math/diffuse.h). Values
 * between two steps are not rounded. Beyond the edges they are as the border says, in every step.
 * in[0] -> out: equal width, height and channels, of any types. NaN spreads to the neighbours; so does the NaN that an
 * infinite difference makes. */
#ifndef GLINT_CORE_OPS_DIFFUSE_H
#define GLINT_CORE_OPS_DIFFUSE_H

#include "core/math/diffuse.h"
#include "core/stage/stage.h"

extern const Op op_diffuse;

static inline const DiffuseJob *diffuse_job(const Stage *stage) {
    return (const DiffuseJob *)stage->job;
}

#endif
