/* simd.c: all pairs by vectors of bodies, on one core. */
#include "cpu/course/nbody/leap.h"

static Status run(Queue *queue, const Stage *stage) {
    return leap_pairs(queue, stage, false);
}

const Level cpu_nbody_simd = {
    .op = &op_nbody,
    .name = "simd",
    .idea = "a vector of bodies in registers, past which all others go; an estimate of the inverse root, made better "
            "by two terms of its series",
    .run = run,
};
