/* shading_context.h: the surroundings of rays, as arrays that a device can hold. */
#ifndef GLINT_CORE_MATH_SHADING_CONTEXT_H
#define GLINT_CORE_MATH_SHADING_CONTEXT_H

#include "core/math/cylinder.h"
#include "core/math/environment.h"
#include "core/math/light.h"
#include "core/math/material.h"
#include "core/math/sky.h"
#include "core/math/triangle.h"

/* Kernels that are compiled for scenes of spheres alone leave out what triangles take. */
#ifdef SPHERES_ONLY
enum { HAS_TRIANGLES = 0, HAS_CYLINDERS = 0 };
#else
enum { HAS_TRIANGLES = 1, HAS_CYLINDERS = 1 };
#endif

/* A node of the tree over emitters. Means are by power. Takes 32 bytes, so that GPUs load it at once. */
typedef struct EmitterNode {
    Vec centre;   /* the mean of its emitters' middles */
    float radius; /* of a sphere about it that holds them all */
    Vec axis;     /* the mean of the normals of its triangles, whose sign counts for nothing; 0 where they disagree, and
                   * of what shines alike to all sides */
    float power;  /* twice the mean intensity over all directions; 0: no emitter */
} __attribute__((aligned(16))) EmitterNode;

GLINT_HD_READER(EmitterNode, emitter_node_read)

/* Something that shines: a sphere's or triangle's index as in hits; points have those behind all that rays hit. */
typedef struct Emitter {
    uint32_t index;
    uint32_t leaf; /* of the tree */
} Emitter;

/* The contents of a scene besides the structures by which rays intersect it. Colours are Vecs here: x is red, y green,
 * z blue. */
typedef struct ShadingContext {
    const Sphere *spheres;
    const Triangle *triangles;
    const Cylinder *cylinders;
    uint32_t sphere_count; /* the indices of hits: spheres, then triangles, then cylinders */
    uint32_t triangle_count, cylinder_count;
    const Material *materials;
    const float *albedos;  /* rows of rough materials (core/math/albedo.h) and of films (core/math/thin_film.h) */
    uint32_t albedo_count; /* floats in all rows */
    uint32_t rich;         /* there are materials that most scenes lack: rough glass, coats, films */
    const Light *lights;
    const uint32_t *light_spheres; /* the spheres that are lights */
    uint32_t light_count, light_sphere_count;
    /* For paths. Each surface aims at all lights of `direct_lights`, and at one emitter, which it draws through the
     * tree. */
    const uint32_t *direct_lights; /* suns, steady lights, and points where there are few; none is dark */
    const Emitter *emitters;       /* all other sources, in ascending order */
    const uint32_t *leaves;        /* of each leaf, which emitter it is */
    const EmitterNode *nodes; /* the root is 1, the children of i are 2 i and 2 i + 1, the leaves from leaf_count on */
    uint32_t direct_light_count, emitter_count, leaf_count; /* the last one a power of two, 0 without emitters */
    uint32_t has_ground;
    Ground ground;
    Sky sky;
    SkyImage image; /* the sky, if it is an image */
} ShadingContext;

/* All that rays hit; points have indices as emitters from there on. */
GLINT_HD uint32_t primitive_count(const ShadingContext *context) {
    return context->sphere_count + (HAS_TRIANGLES ? context->triangle_count + context->cylinder_count : 0);
}

GLINT_HD Vec colour_of(Colour colour) {
    return vec(colour.red, colour.green, colour.blue);
}

#endif
