/* scenes.c: the list of generators, expanded from scenes.def. */
#include "core/scene/generators/scenes.h"

const SceneGenerator *const scene_generators[] = {
#define SCENE(name) &scene_##name,
#include "core/scene/generators/scenes.def"
#undef SCENE
};
const size_t scene_generator_count = sizeof scene_generators / sizeof scene_generators[0];
