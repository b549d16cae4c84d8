/* naive.c: two loops over all bodies. */
#include "cpu/course/nbody/leap.h"

static Status accelerate(Queue *queue, const Stage *stage, bool depth, void *context) {
    const NbodyJob *job = nbody_job(stage);
    const Body *places = nbody_row(stage->out, NBODY_PLACES);
    const float softening2 = gravity_softening2(job->softening);
    (void)queue, (void)context;
    for (size_t i = 0; i < nbody_count(stage); i++) {
        Pull sum = {0};
        for (size_t j = 0; j < nbody_count(stage); j++)
            if (j != i)
                pull_add(&sum, places[i].x, places[i].y, places[i].z, places[j], softening2);
        if (!depth)
            sum.depth = 0;
        nbody_row(stage->out, NBODY_ACCELERATIONS)[i] = leap_acceleration(sum, job->gravity);
    }
    return STATUS_OK;
}

static Status run(Queue *queue, const Stage *stage) {
    return leap_run(queue, stage, false, accelerate, NULL);
}

const Level cpu_nbody_naive = {
    .op = &op_nbody,
    .name = "naive",
    .idea = "every body asks all others for their pull, one after the other, on one core: a square root and a division "
            "for each pair",
    .run = run,
};
