/* leap.h: leapfrog around any function that evaluates accelerations: the levels share it. */
#ifndef GLINT_CPU_COURSE_NBODY_LEAP_H
#define GLINT_CPU_COURSE_NBODY_LEAP_H

#include "core/device/backend.h"
#include "core/ops/nbody.h"

/* Fills the row of accelerations of stage->out, by its row of places; `depth`: potentials, too, which else are 0. Fails
 * as it likes. */
typedef Status LeapAccelerate(Queue *queue, const Stage *stage, bool depth, void *context);

/* The stage's steps, or the one evaluation, by one thread or by all of the queue's. */
Status leap_run(Queue *queue, const Stage *stage, bool threads, LeapAccelerate *accelerate, void *context);

/* A pull as a row of accelerations has it. */
static inline Body leap_acceleration(Pull pull, float gravity) {
    return (Body){gravity * pull.x, gravity * pull.y, gravity * pull.z, -gravity * pull.depth};
}

/* All pairs of bodies in vectors, by one thread or by all. */
Status leap_pairs(Queue *queue, const Stage *stage, bool threads);

#endif
