/* measured.c: where the tree pays: pairs that a body meets, or a level's further costs in such pairs.
 * Measured with bodies that fill a cube, 1000 to 1000000 of them, theta 0.3 to 1. */
#include "cpu/course/nbody/measured.h"

#include "core/ops/nbody.h"

#include <math.h>
#include <string.h>

static double predict(const Level *level, const Stage *stage) {
    const double bodies = (double)nbody_count(stage), theta = (double)nbody_job(stage)->theta;
    if (strcmp(level->name, "threads") == 0)
        return bodies;
    if (strcmp(level->name, "barnes-hut") == 0)
        return 500 * log2(bodies + 1) * 0.25 / (theta * theta); /* infinite for 0 */
    return INFINITY;
}

const Predictor cpu_nbody_measured = {"AMD EPYC (Zen 5), 2 threads, AVX-512", predict};
