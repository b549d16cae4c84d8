/* scenes.h: scenes.def expanded to declarations: extern const SceneGenerator scene_spheres, ... */
#ifndef GLINT_CORE_SCENE_GENERATORS_SCENES_H
#define GLINT_CORE_SCENE_GENERATORS_SCENES_H

#include "core/scene/scene.h"

#define SCENE(name) extern const SceneGenerator scene_##name;
#include "core/scene/generators/scenes.def"
#undef SCENE

#endif
