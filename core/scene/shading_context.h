/* shading_context.h: the parts of a scene that paths of light need, as arrays (core/math/shading_context.h).
 * Owns the list of shining spheres, and the light of scenes that say nothing about light. */
#ifndef GLINT_CORE_SCENE_SHADING_CONTEXT_H
#define GLINT_CORE_SCENE_SHADING_CONTEXT_H

#include "core/math/shading_context.h"
#include "core/scene/scene.h"

/* Borrows from the scene. A scene without a light, a sky or anything that shines gets a sky and a sun. STATUS_DEVICE if
 * memory is short. */
Status shading_context_create(const Scene *scene, ShadingContext *context);
/* The same in place of an older context of a scene with equal materials, whose albedos it keeps: they take longest. */
Status shading_context_remake(const Scene *scene, ShadingContext *context);
void shading_context_free(ShadingContext *context); /* accepts a zeroed one */

#endif
