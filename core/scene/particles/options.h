/* options.h: what to show of a file's particles, and how: "run.dump:frame=3:radius=mass:color=speed:range=0:4". */
#ifndef GLINT_CORE_SCENE_PARTICLES_OPTIONS_H
#define GLINT_CORE_SCENE_PARTICLES_OPTIONS_H

#include "core/param/param.h"

typedef enum ParticleMap {
    MAP_AUTO,
    MAP_VIRIDIS,
    MAP_INFERNO,
    MAP_GRAY,
    MAP_KINDS,
    MAP_ELEMENTS,
    MAP_KELVIN
} ParticleMap;

typedef struct ParticleOptions {
    double frame, every;
    char *radius, *colour, *places[3]; /* columns; the radius may be a number */
    double map, range[2];              /* a ParticleMap; equal numbers: the range of the values */
    double clip[6];                    /* the lower corner, the upper corner */
    double images[3], wrap;
    double origin[3], scale;
    double emission;    /* 0: no sphere shines */
    double normals;     /* 1: discs that face along them */
    char *bonds;        /* NULL: none */
    double bond_radius; /* 0: as the particles want it */
} ParticleOptions;

/* The parameters of ParticleOptions. Values without a name go to the parameters behind: "range=0:4". */
extern const ParamTable particle_options;

#endif
