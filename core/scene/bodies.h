/* bodies.h: the spheres of a scene as bodies that attract each other.
 * Owns their state as data, which copies of the scene share, and the sums that physics conserves. A device moves them
 * in core/run/simulation.h. */
#ifndef GLINT_CORE_SCENE_BODIES_H
#define GLINT_CORE_SCENE_BODIES_H

#include "core/image/image.h"

/* How bodies attract each other, and how fast that is looked at. */
typedef struct Gravity {
    float constant, softening, theta, step; /* as core/ops/nbody.h has them */
    unsigned substeps;                      /* steps in a sixtieth of a second */
} Gravity;

/* Totals over all bodies. In a closed system the mass, the momenta and the sum of the two energies are constant. */
typedef struct BodiesTotals {
    double mass, kinetic, potential, momentum[3], angular[3];
    double motion; /* masses times speeds: the scale against which a momentum is small */
} BodiesTotals;

typedef struct Bodies {
    Image *state;       /* rows of core/ops/nbody.h; a simulation may have a later one */
    float scale;        /* world units in a unit of length */
    Gravity evaluated;  /* that the state's accelerations and potentials are by, if `known` */
    bool known;         /* false: none was evaluated yet */
    double time;        /* since the beginning, in the scene's time */
    BodiesTotals begun; /* when they were known first, or gravity was changed last */
    uint64_t moves;     /* how often they were shown, in whatever scene */
} Bodies;

/* Bodies of no mass, all at one place. Fails as image_create does. */
Status bodies_create(size_t count, float scale, Bodies **bodies);
void bodies_destroy(Bodies **bodies); /* accepts NULL, nulls the pointer */

/* Sums over the state in double; potentials and kinetic energies of one time. */
BodiesTotals bodies_totals(const Bodies *bodies);
static inline double bodies_energy(const BodiesTotals *totals) {
    return totals->kinetic + totals->potential;
}
/* By how much of itself the energy differs from that at the beginning; 0 if that was 0. */
double bodies_energy_drift(const Bodies *bodies, const BodiesTotals *now);
/* How far the momentum has moved, by the sum of all masses times speeds. */
double bodies_momentum_drift(const Bodies *bodies, const BodiesTotals *now);

#endif
