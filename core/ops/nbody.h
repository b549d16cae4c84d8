/* nbody.h: the operation nbody: bodies that attract each other, some steps on.
 * A state of N bodies is a picture of f32x4, N wide and NBODY_ROWS high: a column for each body. in[0] is a state, out
 * the state `steps` steps of leapfrog later (kick, drift, kick: velocities and places belong to one time):
 *     v += a step / 2;  x += v step;  a = accelerations(x);  v += a step / 2
 * The first kick takes the accelerations that the state has, so that a step evaluates them once. A run of no steps
 * evaluates them, and changes nothing else. It is the first run of a new state, or of another softening.
 *     a_i = G sum m_j d / (d^2 + e^2)^(3/2),  potential_i = -G sum m_j / (d^2 + e^2)^(1/2)
 * over all others j, with d = x_j - x_i and e the softening, or 1e-10 where it is less. The reference's state is double
 * within a run, the others' f32. If a place or a mass is not finite, accelerations and potentials may be anything, and
 * so may the places that follow from them. */
#ifndef GLINT_CORE_OPS_NBODY_H
#define GLINT_CORE_OPS_NBODY_H

#include "core/math/gravity.h"
#include "core/stage/stage.h"

/* Rows of a state. */
enum {
    NBODY_PLACES,        /* x, y, z, mass: which stays, and may be 0 */
    NBODY_VELOCITIES,    /* x, y, z, and a value that stays: the caller's */
    NBODY_ACCELERATIONS, /* x, y, z, potential: 0 if the job does not ask for it */
    NBODY_ROWS
};

enum { NBODY_STEPS_MAX = 1000000, NBODY_BODIES_MAX = 1 << 26 };

typedef struct NbodyJob {
    unsigned steps;
    bool potential;  /* of the last state */
    float step;      /* time; negative: back */
    float gravity;   /* G */
    float softening; /* a length >= 0 */
    float theta;     /* how wide a cell that pulls as one body may appear, its side by its distance; only levels with a
                        tree use it, and open all cells for 0 */
} NbodyJob;

extern const Op op_nbody;

/* The error that theta may make of an acceleration, by the largest of all. 0 for theta 0. */
double nbody_tree_error(float theta);

static inline const NbodyJob *nbody_job(const Stage *stage) {
    return (const NbodyJob *)stage->job;
}
static inline size_t nbody_count(const Stage *stage) {
    return stage->out.shape.width;
}
static inline Shape nbody_shape(size_t bodies) {
    const Shape shape = {bodies, NBODY_ROWS, 4, PIXEL_F32};
    return shape;
}
/* How often a run evaluates the accelerations. */
static inline unsigned nbody_evaluations(const NbodyJob *job) {
    return job->steps > 0 ? job->steps : 1;
}
/* A row of a state in host memory. */
static inline Body *nbody_row(ImageView state, size_t row) {
    return (Body *)view_row(state, row);
}

#endif
