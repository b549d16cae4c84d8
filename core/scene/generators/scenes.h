/* scenes.h: the generators of scenes.
 * Owns their list: scenes.def expanded to declarations, extern const SceneGenerator scene_spheres, ... */
#ifndef GLINT_CORE_SCENE_GENERATORS_SCENES_H
#define GLINT_CORE_SCENE_GENERATORS_SCENES_H

#include "core/param/param.h"
#include "core/scene/scene.h"

typedef struct SceneGenerator {
    const char *name, *help;
    ParamTable table;
    /* How many spheres these values make; STATUS_USAGE for values that pass the table and still make no sense. */
    Status (*count)(const void *values, size_t *count);
    /* Fills scene->count spheres, and adds what else there is. STATUS_DEVICE if memory is short. */
    Status (*generate)(const void *values, Scene *scene);
} SceneGenerator;

extern const SceneGenerator *const scene_generators[];
extern const size_t scene_generator_count;

#define SCENE(name) extern const SceneGenerator scene_##name;
#include "core/scene/generators/scenes.def"
#undef SCENE

#endif
