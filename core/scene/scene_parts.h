/* scene_parts.h: the parts of a scene that can be changed, as tables of parameters: its surfaces, spheres, ground
 * and light.
 * Command lines, sliders and help come from these tables. */
#ifndef GLINT_CORE_SCENE_SCENE_PARTS_H
#define GLINT_CORE_SCENE_SCENE_PARTS_H

#include "core/scene/scene.h"

typedef struct ScenePart {
    const char *name, *help;
    ParamTable table;
    bool numbered; /* there may be several: the first parameter is the number, from 1 on */
    size_t (*count)(const Scene *scene);
    void (*read)(const Scene *scene, size_t index, void *values); /* index below count */
    /* `base`: the scene that this one is a copy of (scene_copy), or NULL. STATUS_DEVICE if memory is short. */
    Status (*write)(Scene *scene, const Scene *base, size_t index, const void *values);
    /* The parameter that a new one needs, and has at 0 once it is gone; NULL: there can be no new ones. */
    const char *made_by;
    Status (*add)(Scene *scene); /* another one, with 0 there. Fails as scene_add_sphere. */
} ScenePart;

/* Parameters for a surface of each kind to begin with, as texts have them: "material=glass:...", by MaterialKind. */
extern const char *const material_examples[MATERIAL_KINDS];

extern const ScenePart scene_parts[];
extern const size_t scene_part_count;

const ScenePart *scene_part_by_name(const char *name, size_t length); /* NULL if there is none */

/* A copy to be changed, which borrows from `base` arrays that take much memory and hardly ever change; free the copy
 * first. Its serial tells it from all other scenes; scene_geometry gives the same for both. STATUS_DEVICE. */
Status scene_copy(const Scene *base, Scene **copy);
void scene_copy_free(const Scene *base, Scene **copy); /* accepts NULL, nulls the pointer */
/* Makes a copy one that borrows nothing, so that scene_destroy frees it, and its base may go. It keeps no sky that is
 * an image, and no bodies. STATUS_DEVICE; then it is freed, and *copy NULL. */
Status scene_copy_detach(const Scene *base, Scene **copy);
/* Gives a copy whose light or surfaces have changed another serial, of the same geometry. */
void scene_copy_changed(Scene *copy);

/* Gives a copy triangles, or cylinders, of its own, if it borrows them from `base` (which may be NULL). STATUS_DEVICE.
 */
Status scene_own_triangles(Scene *copy, const Scene *base);
Status scene_own_cylinders(Scene *copy, const Scene *base);

enum { GEOMETRY_BITS = 40 };

/* A number that scenes with the same primitives in the same places have in common: for BVHs. */
static inline uint64_t scene_geometry(const Scene *scene) {
    return scene->serial & ((UINT64_C(1) << GEOMETRY_BITS) - 1); /* copies count from there on */
}

#endif
