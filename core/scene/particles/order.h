/* order.h: spheres in the order of their particles' numbers, which files have in any order. */
#ifndef GLINT_CORE_SCENE_PARTICLES_ORDER_H
#define GLINT_CORE_SCENE_PARTICLES_ORDER_H

#include "core/base/status.h"
#include "core/math/sphere.h"

#include <stdbool.h>
#include <stddef.h>

/* Orders by `material`, which holds the number; equal numbers stay as they came. STATUS_DEVICE if memory is short. */
Status order_spheres(Sphere *spheres, size_t count);

#endif
