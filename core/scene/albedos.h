/* albedos.h: makes the rows of core/math/albedo.h and core/math/thin_film.h for the rough and filmed materials of
 * a scene. */
#ifndef GLINT_CORE_SCENE_ALBEDOS_H
#define GLINT_CORE_SCENE_ALBEDOS_H

#include "core/math/shading_context.h"
#include "core/scene/scene.h"

/* Fills in the context's albedos, and gives it materials of its own that know their rows. A scene without such
 * materials leaves the context as it is. STATUS_DEVICE if memory is short; then albedos_free is still due. */
Status albedos_create(const Scene *scene, ShadingContext *context);
/* Gives them to another context, which has none. */
void albedos_move(ShadingContext *from, ShadingContext *to);
void albedos_free(ShadingContext *context);

#endif
