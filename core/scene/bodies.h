/* bodies.h: the spheres of a scene as bodies that attract each other.
 * Owns their state, which copies of the scene share, and what of it is conserved. */
#ifndef GLINT_CORE_SCENE_BODIES_H
#define GLINT_CORE_SCENE_BODIES_H

#include "core/device/backend.h"
#include "core/scene/scene.h"

/* Of all bodies together; in a system of their own all but the two energies stay as they are, and so does their sum. */
typedef struct BodiesTotals {
    double mass, kinetic, potential, momentum[3], angular[3];
    double motion; /* masses times speeds: what a momentum is small against */
} BodiesTotals;

struct Bodies {
    Image *state;       /* core/ops/nbody.h; where a device has a later one, bodies_fetch() brings it */
    Queue *queue;       /* of the device that has one, NULL: none */
    Frame frames[2];    /* there: the state, and where the next one is made */
    bool ahead;         /* what the device has is later */
    bool behind;        /* spheres of the host are not where bodies_show() was last */
    float scale;        /* world units in a unit of length */
    Gravity evaluated;  /* that the state's accelerations and potentials are by, if `known` */
    bool known;         /* false: none was evaluated yet */
    double time;        /* since the beginning, in the scene's time */
    BodiesTotals begun; /* when they were known first, or gravity was changed last */
    uint64_t moves;     /* how often they were shown, in whatever scene */
};

/* Bodies of no mass, all at one place. Fails as image_create does. */
Status bodies_create(size_t count, float scale, Bodies **bodies);
void bodies_destroy(Bodies **bodies); /* accepts NULL, nulls the pointer */

/* So many steps on, by the level that is best on the queue's device, where their state stays from then on: call
 * bodies_leave() before the queue ends. Waits. STATUS_INTERRUPTED if the queue was asked to stop: then they are where
 * they were. */
Status bodies_advance(Bodies *bodies, const Gravity *gravity, unsigned steps, Queue *queue);
/* Brings the state to the host, if a device has a later one. */
Status bodies_fetch(Bodies *bodies);
/* The same, and gives the device's memory back. Accepts NULL. */
Status bodies_leave(Bodies *bodies);
/* Puts the scene's spheres where its bodies are, within the limits that core/math/sphere.h states. Spheres of a scene
 * on a device that has the state follow it there, and those of the host stay where they were until bodies_settle(). */
Status bodies_show(Scene *scene);
/* The spheres of the host, too. */
Status bodies_settle(Scene *scene);
static inline bool bodies_behind(const Bodies *bodies) {
    return bodies && bodies->behind;
}

/* Of the state that the host has. In double; potentials and kinetic energies of one time. */
BodiesTotals bodies_totals(const Bodies *bodies);
static inline double bodies_energy(const BodiesTotals *totals) {
    return totals->kinetic + totals->potential;
}
/* By how much of itself the energy differs from what it was at the beginning; 0 if that was 0. */
double bodies_energy_drift(const Bodies *bodies, const BodiesTotals *now);
/* How far the momentum has moved, by the sum of all masses times speeds. */
double bodies_momentum_drift(const Bodies *bodies, const BodiesTotals *now);

#endif
