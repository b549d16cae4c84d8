/* roles.h: which columns of a file play which role for spheres, by the options or else by their names. */
#ifndef GLINT_CORE_SCENE_PARTICLES_ROLES_H
#define GLINT_CORE_SCENE_PARTICLES_ROLES_H

#include "core/scene/particles/fill.h"
#include "core/scene/particles/options.h"

typedef enum RadiusBy { RADIUS_CONSTANT, RADIUS_COLUMN, RADIUS_ELEMENT, RADIUS_SPACING } RadiusBy;
typedef enum ColourBy { COLOUR_NONE, COLOUR_RGB, COLOUR_VALUE } ColourBy;
typedef enum BondsBy { BONDS_NONE, BONDS_FACTOR, BONDS_DISTANCE, BONDS_FILE } BondsBy;

enum { TARGETS_MAX = 8 };

typedef struct Roles {
    Target targets[TARGETS_MAX]; /* ordered by the columns' fields; values of COLOUR_VALUE go to the spheres' red */
    size_t count;
    bool fractional; /* places are shares of the box's sides */
    bool unwrapped;  /* places go on beyond a periodic box, and do not come in at its other side */
    bool has_ids;
    RadiusBy radius_by;
    double radius; /* of RADIUS_CONSTANT; of RADIUS_COLUMN a factor */
    ColourBy colour_by;
    ParticleMap map;   /* not MAP_AUTO */
    bool bytes;        /* of COLOUR_RGB: 255 is full, whatever the values are */
    Target normals[3]; /* as targets; of discs alone, which are wanted if their columns are no NULL */
    BondsBy bonds_by;
    double bonds; /* of BONDS_FACTOR, whose elements go to the spheres' blue; or of BONDS_DISTANCE. The particles'
                   * numbers of BONDS_FILE go to their green */
} Roles;

/* STATUS_USAGE if an option names no column; STATUS_INPUT if there are no places. */
Status roles_choose(const Particles *particles, const ParticleOptions *options, Roles *roles);

#endif
