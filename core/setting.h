/* setting.h: what of a scene paths of light need, as arrays (core/math/setting.h).
 * Owns the list of shining spheres, and the light of scenes that say nothing about light. */
#ifndef GLINT_CORE_SETTING_H
#define GLINT_CORE_SETTING_H

#include "core/math/setting.h"
#include "core/scene.h"

/* Borrows from the scene. A scene without a light, a sky or anything that shines gets a sky and a sun. STATUS_DEVICE if
 * memory is short. */
Status setting_create(const Scene *scene, Setting *setting);
void setting_free(Setting *setting); /* accepts a zeroed one */

#endif
