/* bounding_spheres.h: spheres around triangles and cylinders.
 * Hierarchies are built over spheres; those of other primitives find them by these. */
#ifndef GLINT_CORE_SCENE_BOUNDING_SPHERES_H
#define GLINT_CORE_SCENE_BOUNDING_SPHERES_H

#include "core/scene/scene.h"

/* Makes a scene of spheres, one around each triangle of `scene`, then one around each cylinder, in their order, and
 * with its serial and moves. STATUS_DEVICE if memory is short. */
Status bounding_spheres_create(const Scene *scene, Scene *bounds);
void bounding_spheres_free(Scene *bounds); /* accepts a zeroed one */

#endif
