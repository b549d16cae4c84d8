/* primitives.h: what the rays of a scene hit, as looks want it. */
#ifndef GLINT_CPU_TRACE_PRIMITIVES_H
#define GLINT_CPU_TRACE_PRIMITIVES_H

#include "core/math/look.h"
#include "core/scene/scene.h"

static inline Primitives primitives_of(const Scene *scene) {
    return (Primitives){scene->spheres, scene->triangles, scene->cylinders, (uint32_t)scene->count,
                        (uint32_t)scene->triangle_count};
}

#endif
