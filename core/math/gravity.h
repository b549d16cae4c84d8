/* gravity.h: the pull of one body on another, softened, and when a cell of bodies may pull as one. */
#ifndef GLINT_CORE_MATH_GRAVITY_H
#define GLINT_CORE_MATH_GRAVITY_H

#include "core/math/vec.h"

/* What a level reads and writes of a state: a place and a mass, a velocity and a tag, an acceleration and a potential.
 */
typedef struct Body {
    float x, y, z, w;
} Body;

/* Sums over bodies that pull, before the factor G: m d / (d^2 + e^2)^(3/2) and m / (d^2 + e^2)^(1/2) (Plummer 1911). */
typedef struct Pull {
    float x, y, z, depth;
} Pull;

/* Adds what `from` pulls at a body at (x, y, z). `softening2` is e^2, at least GRAVITY_SOFTENING2_MIN. A body pulls
 * itself nowhere, but not so its depth: leave it out of that. */
GLINT_HD void pull_add(Pull *pull, float x, float y, float z, Body from, float softening2) {
    const float dx = from.x - x, dy = from.y - y, dz = from.z - z;
    const float inverse = inverse_root_of(times_plus(dx, dx, times_plus(dy, dy, times_plus(dz, dz, softening2))));
    const float depth = from.w * inverse, factor = depth * inverse * inverse;
    pull->x = times_plus(factor, dx, pull->x);
    pull->y = times_plus(factor, dy, pull->y);
    pull->z = times_plus(factor, dz, pull->z);
    pull->depth += depth;
}

/* Whatever softening is asked for: below it the inverse root's third power would leave the range of f32. */
#define GRAVITY_SOFTENING2_MIN 1e-20f

GLINT_HD float gravity_softening2(float softening) {
    const float square = softening * softening;
    return square > GRAVITY_SOFTENING2_MIN ? square : GRAVITY_SOFTENING2_MIN;
}

/* Within which distance of its centre of mass a cell of this side is opened: side / theta, and how far that centre is
 * from its middle (Barnes, in: Goldin and others, Computational Astrophysics, 1995), so that no body of it is near
 * where its mass is taken to be far. Of any theta at least so far that a cell is opened for all bodies in it: they are
 * at most half a diagonal away from its middle. Infinite where theta is 0. */
GLINT_HD float gravity_reach(float side, float theta, float offset) {
    const float half_diagonal = 0.8661f, widths = 1 / theta;
    return side * (widths > half_diagonal ? widths : half_diagonal) + offset;
}

#endif
