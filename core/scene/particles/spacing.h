/* spacing.h: how far points are apart. */
#ifndef GLINT_CORE_SCENE_PARTICLES_SPACING_H
#define GLINT_CORE_SCENE_PARTICLES_SPACING_H

#include "core/math/sphere.h"

#include <stddef.h>

/* A radius with which neighbours hardly overlap: half the median distance of some spheres to the nearest other place.
 * It is SPHERE_RADIUS_MIN or more, and 1 where there is no other place. */
float spacing_radius(const Sphere *spheres, size_t count);

#endif
