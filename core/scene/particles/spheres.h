/* spheres.h: spheres of particles: which columns say where they are, how large and in which colour. */
#ifndef GLINT_CORE_SCENE_PARTICLES_SPHERES_H
#define GLINT_CORE_SCENE_PARTICLES_SPHERES_H

#include "core/scene/particles/bonds.h"
#include "core/scene/particles/options.h"
#include "core/scene/particles/particles.h"
#include "core/scene/scene.h"

/* The decisions that a first frame makes for those behind it, so that a film does not flicker. */
typedef struct ParticleRanges {
    bool known;
    double low, high; /* of the values that colours stand for */
    float radius;     /* by the distances of neighbours; 0: radii come otherwise */
} ParticleRanges;

/* A frame besides its spheres, for matching it with another. */
typedef struct ParticleFrame {
    ParticleRanges ranges; /* given where they are known, else taken */
    uint32_t *ids;         /* rising, of each particle; NULL: the file has none, or some twice */
    size_t count;          /* of particles; the scene has their images one behind the other */
    bool is_periodic;      /* particles that leave `box` come in at its other side */
    Box box;               /* as the scene has it, scaled */
    Bonds bonds;           /* a cylinder of the scene each, between spheres of all images */
} ParticleFrame;

void particle_frame_free(ParticleFrame *frame); /* nulls its pointers; accepts a zeroed one */

/* Fills an empty scene, with a camera that sees all of it from +z. Particles are in the order of their numbers, where
 * the file has some; those whose place is not finite are left out. `frame` may be NULL. STATUS_USAGE for options that
 * name no column or need a box that the file has not. STATUS_INPUT for values that make no sphere, and where spheres
 * and file take more than memory_budget(). */
Status particles_spheres(Particles *particles, const ParticleOptions *given, ParticleFrame *frame, Scene *scene);
/* A camera that sees the box between two corners from +z. */
Viewpoint particles_view(Vec min, Vec max);

#endif
