/* shading_context.h: the surroundings of rays, as arrays that a device can hold. */
#ifndef GLINT_CORE_MATH_SHADING_CONTEXT_H
#define GLINT_CORE_MATH_SHADING_CONTEXT_H

#include "core/math/environment.h"
#include "core/math/light.h"
#include "core/math/material.h"
#include "core/math/sky.h"
#include "core/math/triangle.h"

/* A node of the tree over emitters: a sphere around all of them, and the sum of their powers. Takes 32 bytes, so that
 * GPUs load it at once. */
typedef struct EmitterNode {
    Vec centre;
    float radius, power;
} __attribute__((aligned(16))) EmitterNode;

GLINT_HD_READER(EmitterNode, emitter_node_read)

/* Something that shines: a sphere's or triangle's index as in hits; points have those from there on. */
typedef struct Emitter {
    uint32_t index;
    uint32_t leaf; /* of the tree */
} Emitter;

/* The contents of a scene besides the structures by which rays intersect it. Colours are Vecs here: x is red, y green,
 * z blue. */
typedef struct ShadingContext {
    const Sphere *spheres;
    const Triangle *triangles;
    uint32_t sphere_count; /* a hit's index from there on is a triangle's */
    uint32_t triangle_count;
    const Material *materials;
    const Light *lights;
    const uint32_t *light_spheres; /* the spheres that are lights */
    uint32_t light_count, light_sphere_count;
    /* For paths. Each surface aims at all lights of `direct_lights`, and at one emitter, which it draws through the
     * tree. */
    const uint32_t *direct_lights; /* suns, steady lights, and points where there are few */
    const Emitter *emitters;       /* all other sources, in ascending order */
    const uint32_t *leaves;        /* of each leaf, which emitter it is */
    const EmitterNode *nodes; /* the root is 1, the children of i are 2 i and 2 i + 1, the leaves from leaf_count on */
    uint32_t direct_light_count, emitter_count, leaf_count; /* the last one a power of two, 0 without emitters */
    uint32_t has_ground;
    Ground ground;
    Sky sky;
    SkyImage image; /* the sky, if it is an image */
} ShadingContext;

#endif
