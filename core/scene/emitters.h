/* emitters.h: the list of what shines in a scene, and the tree by which paths draw one of it
 * (core/math/emitter_tree.h). */
#ifndef GLINT_CORE_SCENE_EMITTERS_H
#define GLINT_CORE_SCENE_EMITTERS_H

#include "core/math/shading_context.h"
#include "core/scene/scene.h"

/* Up to this many points, each surface aims at all of them; more go into the tree. */
enum { POINTS_DIRECT_MAX = 4 };

/* Makes the context's direct_lights, emitters, leaves and nodes from the scene and the context's own lights.
 * STATUS_DEVICE if memory is short; then emitters_free is still due. */
Status emitters_create(const Scene *scene, ShadingContext *context);
void emitters_free(ShadingContext *context);

#endif
