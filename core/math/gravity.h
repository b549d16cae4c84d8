/* gravity.h: the pull of one body on another, softened, and when a cell of bodies may pull as one. */
#ifndef GLINT_CORE_MATH_GRAVITY_H
#define GLINT_CORE_MATH_GRAVITY_H

#include "core/math/vec.h"

/* A part of a state as levels read and write it. It is a place and a mass, a velocity and a tag, or an acceleration and
 * a potential. */
typedef struct Body {
    float x, y, z, w;
} Body;

/* Sums over bodies that pull, before the factor G: m d / (d^2 + e^2)^(3/2) and m / (d^2 + e^2)^(1/2) (Plummer 1911). */
typedef struct Pull {
    float x, y, z, depth;
} Pull;

/* Adds the pull of `from` at a body at (x, y, z). `softening2` is e^2, at least GRAVITY_SOFTENING2_MIN. A body pulls
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

/* Second moments of a cell's mass about its centre, by its mass. */
typedef struct Spread {
    float xx, yy, zz, xy, xz, yz;
} Spread;

/* How wide a cell counts by how its mass is spread, whatever its box. It counts as wide as a cube that is filled with
 * as much spread. A cube has no quadrupole, which is the first term that a cell's pull leaves out. The cell therefore
 * also counts as wide as a rod with as much quadrupole is long: a rod's pull is off by (length / distance)^2 / 4 along
 * it. Two bodies count 1.7 times their distance. */
GLINT_HD float gravity_width(Spread s) {
    const float all = s.xx + s.yy + s.zz, third = 1 / 3.0f, share = all > 0 ? 1 / all : 0;
    const float x = s.xx * share - third, y = s.yy * share - third, z = s.zz * share - third;
    const float xy = s.xy * share, xz = s.xz * share, yz = s.yz * share;
    const float uneven = sqrtf(x * x + y * y + z * z + 2 * (xy * xy + xz * xz + yz * yz)); /* of a rod (2/3)^(1/2) */
    return sqrtf(all * (14.697f * uneven > 4 ? 14.697f * uneven : 4));
}

/* The distance from its centre of mass within which a cell of this side is opened: side / theta plus that centre's
 * distance from the middle. By this modified criterion (Barnes, 1994) no body of the cell is near where its mass is
 * taken to be far. For any theta, the reach is so large that a cell is opened for all bodies in it. These are within
 * half a diagonal of its middle. Infinite where theta is 0. */
GLINT_HD float gravity_reach(float side, float theta, float offset) {
    const float half_diagonal = 0.8661f, widths = 1 / theta;
    return side * (widths > half_diagonal ? widths : half_diagonal) + offset;
}

#endif
