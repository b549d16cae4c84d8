/* scene_pick.h: the first hits of single rays, without a BVH: to check levels of the trace, and for people who point at
 * a part. */
#ifndef GLINT_CORE_SCENE_SCENE_PICK_H
#define GLINT_CORE_SCENE_SCENE_PICK_H

#include "core/scene/scene_parts.h"

/* The nearest primitive on a ray, in double precision, the first of equals; hit_start() if there is none. */
Hit scene_closest_hit(const Scene *scene, Ray ray);

/* The part of the scene that a ray hits. */
typedef struct ScenePick {
    const ScenePart *part; /* NULL: nothing */
    size_t index;
    Vec at;         /* where */
    float distance; /* from the ray's origin */
} ScenePick;

/* The ground is hit only where it is `shown`: looks that are not of light do not. */
ScenePick scene_pick(const Scene *scene, Ray ray, bool shows_ground);

#endif
