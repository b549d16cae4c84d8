/* scene.h: what is traced, as data.
 * Owns scenes and their growth; core/scene/scene_open.h makes them by name. */
#ifndef GLINT_CORE_SCENE_SCENE_H
#define GLINT_CORE_SCENE_SCENE_H

#include "core/math/cylinder.h"
#include "core/math/environment.h"
#include "core/math/light.h"
#include "core/math/material.h"
#include "core/math/sky.h"
#include "core/math/sphere.h"
#include "core/math/triangle.h"
#include "core/scene/bodies.h"
#include "core/scene/camera.h"

typedef struct Swing Swing; /* how one sphere moves: core/scene/scene_motion.c */

typedef struct Scene {
    Sphere *spheres; /* within the limits that core/math/sphere.h states */
    size_t count;    /* below SPHERE_NONE; 0 is an empty scene */
    uint64_t serial; /* no other scene has it: devices keep what they made of a scene by this */
    uint64_t moves;  /* counts moves: where it differs, nothing but the places of spheres and cylinders does */
    Swing *swings;   /* of the first swing_count spheres; NULL before the first move */
    size_t swing_count;
    Bodies *bodies; /* the spheres as bodies that attract each other, which then move by that; NULL: they do not */
    Gravity gravity;

    Triangle *triangles; /* within the limits that core/math/ states, as all that follows */
    size_t triangle_count;
    Cylinder *cylinders; /* and discs */
    size_t cylinder_count;
    Material *materials; /* 0 is material_plain() */
    size_t material_count;
    Light *lights;
    size_t light_count;
    Ground ground;
    bool has_ground;
    Sky sky;
    char *sky_file;     /* as the scene file names it; NULL unless the sky is an image */
    char *folder;       /* of the scene file, with its slash, or "": what sky_file is relative to */
    SkyImage sky_image; /* owned; there once scene_open (core/scene/scene_open.h) has read it */
    Viewpoint viewpoint;
    bool has_viewpoint; /* then camera_from makes a camera of it */
    struct {            /* elements that fit before an array has to grow */
        size_t spheres, triangles, cylinders, materials, lights;
    } capacity;
} Scene;

/* The things that rays hit: hits have the indices of spheres, then of triangles, then of cylinders. */
static inline size_t scene_primitives(const Scene *scene) {
    return scene->count + scene->triangle_count + scene->cylinder_count;
}
/* Whether rays hit nothing but spheres, besides the ground. */
static inline bool scene_is_of_spheres(const Scene *scene) {
    return scene_primitives(scene) == scene->count;
}
void scene_destroy(Scene **scene); /* accepts NULL, nulls the pointer */
/* A scene of that many spheres, all 0, and material 0. STATUS_INPUT (`name`: more than memory_budget() holds). */
Status scene_create(const char *name, size_t count, Scene **scene);
/* Gives the scene that many spheres; those behind its own are all 0. Fails as scene_create does, and changes nothing.
 */
Status scene_resize(const char *name, size_t count, Scene *scene);
/* These append one. STATUS_INPUT if the scene then took more than memory_budget(), STATUS_DEVICE if memory is short. */
Status scene_add_sphere(Scene *scene, Sphere sphere);
Status scene_add_triangle(Scene *scene, Triangle triangle);
Status scene_add_cylinder(Scene *scene, Cylinder cylinder);
Status scene_add_light(Scene *scene, Light light);
Status scene_add_material(Scene *scene, Material material, uint32_t *index);
/* Puts the spheres where they are at `time`, in seconds (finite). Each swings about its place of rest, by up to its
 * radius along each axis, in a way that its number alone determines. Limits are those of core/math/sphere.h. At 0 all
 * are at rest, bit for bit where they were before the first move. STATUS_DEVICE if memory is short at the first move;
 * then nothing has moved. */
Status scene_move(Scene *scene, double time);
/* Puts the spheres where the scene's bodies are, within the same limits. */
void scene_place_bodies(Scene *scene);
/* Counts a move of bodies: devices look at the spheres again. */
void scene_count_move(Scene *scene);
/* The scene's contents for people: "400 spheres", "2 spheres, 16 triangles"; returns the length as snprintf does. */
size_t scene_count_text(const Scene *scene, char *buffer, size_t size);
/* The bytes of memory that the scene's arrays take. */
size_t scene_bytes(const Scene *scene);
/* The path of the sky's image, for opening it; returns the length as snprintf does, 0 if the sky is no image. */
size_t scene_sky_path(const Scene *scene, char *buffer, size_t size);

#endif
