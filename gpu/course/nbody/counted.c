/* counted.c: all pairs or a tree, by the work of each. Instructions are as compiled for compute capability 9.0, at four
 * fifths of the rate at which an H200 begins them. Pulls are as counted for Plummer spheres of 100000 to 4000000
 * bodies. The times of a pull and of the launches come from runs of 16384 and of a million bodies there. */
#include "gpu/course/nbody/counted.h"

#include "core/ops/nbody.h"

#include <math.h>
#include <string.h>

#define PER_MS        (0.8 * 132 * 128 * 1.98e6) /* instructions of threads */
#define PAIR          13.6                       /* in registers */
#define PULL          12.7                       /* with its share of the walk */
#define PULLS         900.0                      /* a body, by theta^2 */
#define PAIRS_LAUNCH  0.0155                     /* ms: of three kernels, and of adding up the parts */
#define TREE_LAUNCHES 0.196                      /* of twenty */

static double predict(const Level *level, const Stage *stage) {
    const double count = (double)nbody_count(stage), theta = (double)nbody_job(stage)->theta;
    const double evaluations = nbody_evaluations(nbody_job(stage));
    if (strcmp(level->name, "registers") == 0)
        return evaluations * (PAIRS_LAUNCH + count * count * PAIR / PER_MS);
    return theta > 0 ? evaluations * (TREE_LAUNCHES + count * fmin(count, PULLS / (theta * theta)) * PULL / PER_MS)
                     : INFINITY;
}

const Predictor nbody_counted = {"NVIDIA H200", predict};
