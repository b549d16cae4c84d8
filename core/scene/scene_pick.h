/* scene_pick.h: what single rays hit first, without a BVH: what levels of the trace are checked against, and what
 * people point at. */
#ifndef GLINT_CORE_SCENE_SCENE_PICK_H
#define GLINT_CORE_SCENE_SCENE_PICK_H

#include "core/scene/scene_parts.h"

/* The nearest sphere or triangle on a ray, in double precision, the first of equals; hit_start() if there is none. */
Hit scene_closest_hit(const Scene *scene, Ray ray);

/* What a ray hits, as a part of the scene. */
typedef struct ScenePick {
    const ScenePart *part; /* NULL: nothing */
    size_t index;
    Vec at;         /* where */
    float distance; /* from the ray's origin */
} ScenePick;

/* The ground is hit only where it is `shown`: looks that are not of light do not. */
ScenePick scene_pick(const Scene *scene, Ray ray, bool shows_ground);

#endif
