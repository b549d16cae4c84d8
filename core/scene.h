/* scene.h: what is traced.
 * Owns scenes, the table of generators, and the scene file format. */
#ifndef GLINT_CORE_SCENE_H
#define GLINT_CORE_SCENE_H

#include "core/hd/sphere.h"
#include "core/param.h"

typedef struct Scene {
    Sphere *spheres; /* within the limits that hd/sphere.h states */
    size_t count;    /* below SPHERE_NONE; 0 is an empty scene */
    uint64_t serial; /* no other scene has it: devices keep what they made of a scene by this */
} Scene;

typedef struct SceneGenerator {
    const char *name, *help;
    ParamTable table;
    /* How many spheres these values make; STATUS_USAGE for values that pass the table and still make no sense. */
    Status (*count)(const void *values, size_t *count);
    void (*generate)(const void *values, Scene *scene); /* fills scene->count spheres */
} SceneGenerator;

extern const SceneGenerator *const scene_generators[];
extern const size_t scene_generator_count;

/* "spheres", "spheres=count=2000:seed=7", or a file. STATUS_USAGE for a bad parameter, STATUS_INPUT for a bad file (the
 * line, the column and what was expected) and for more spheres than image_budget() holds. */
Status scene_open(const char *text, Scene **scene);
/* The file format, version 1: docs/scene-format.md. `name` is for messages. */
Status scene_parse(const char *name, const char *text, Scene **scene);
/* The text that scene_parse turns into the same spheres, bit for bit; returns the length as snprintf does. */
size_t scene_format(const Scene *scene, char *buffer, size_t size);
void scene_destroy(Scene **scene); /* accepts NULL, nulls the pointer */
/* Whether `text` names a scene (a generator, or a file ending in .scene) rather than a picture. */
bool scene_recognize(const char *text);

#endif
