/* reference.c: the definition of leapfrog and of gravity, in double precision. */
#include "core/device/backend.h"
#include "core/ops/nbody.h"
#include "cpu/scratch.h"
#include "cpu/team.h"

typedef struct Bodies {
    const Stage *stage;
    double (*places)[3], (*velocities)[3], (*accelerations)[4];
} Bodies;

static double softening2_of(const Stage *stage) {
    return (double)gravity_softening2(nbody_job(stage)->softening);
}

/* The acceleration of body i, and its potential. */
static void accelerate(const void *job, size_t i) {
    const Bodies *bodies = job;
    const Stage *stage = bodies->stage;
    const Body *masses = nbody_row(stage->in[0], NBODY_PLACES);
    const double *here = bodies->places[i], gravity = (double)nbody_job(stage)->gravity;
    double sum[4] = {0};
    for (size_t j = 0; j < nbody_count(stage); j++) {
        const double *there = bodies->places[j], d[3] = {there[0] - here[0], there[1] - here[1], there[2] - here[2]};
        const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening2_of(stage);
        const double depth = (double)masses[j].w / sqrt(square);
        for (int c = 0; c < 3; c++)
            sum[c] += depth / square * d[c];
        sum[3] -= j == i ? 0 : depth;
    }
    for (int c = 0; c < 4; c++)
        bodies->accelerations[i][c] = gravity * sum[c];
}

static void take(const Bodies *bodies) {
    const ImageView state = bodies->stage->in[0];
    for (size_t i = 0; i < state.shape.width; i++)
        for (int c = 0; c < 3; c++) {
            bodies->places[i][c] = view_value(state, i, NBODY_PLACES, c);
            bodies->velocities[i][c] = view_value(state, i, NBODY_VELOCITIES, c);
            bodies->accelerations[i][c] = view_value(state, i, NBODY_ACCELERATIONS, c);
        }
}

static void kick(const Bodies *bodies, double time) {
    for (size_t i = 0; i < nbody_count(bodies->stage); i++)
        for (int c = 0; c < 3; c++)
            bodies->velocities[i][c] += bodies->accelerations[i][c] * time;
}

static void drift(const Bodies *bodies, double time) {
    for (size_t i = 0; i < nbody_count(bodies->stage); i++)
        for (int c = 0; c < 3; c++)
            bodies->places[i][c] += bodies->velocities[i][c] * time;
}

static void store(const Bodies *bodies) {
    const Stage *stage = bodies->stage;
    const bool potential = nbody_job(stage)->potential;
    for (size_t i = 0; i < nbody_count(stage); i++) {
        const double *x = bodies->places[i], *v = bodies->velocities[i], *a = bodies->accelerations[i];
        nbody_row(stage->out, NBODY_PLACES)[i] =
            (Body){(float)x[0], (float)x[1], (float)x[2], nbody_row(stage->in[0], NBODY_PLACES)[i].w};
        nbody_row(stage->out, NBODY_VELOCITIES)[i] =
            (Body){(float)v[0], (float)v[1], (float)v[2], nbody_row(stage->in[0], NBODY_VELOCITIES)[i].w};
        nbody_row(stage->out, NBODY_ACCELERATIONS)[i] =
            (Body){(float)a[0], (float)a[1], (float)a[2], potential ? (float)a[3] : 0};
    }
}

static size_t workspace(const Device *device, const Stage *stage) {
    (void)device;
    return nbody_count(stage) * 10 * sizeof(double);
}

static Status run(Queue *queue, const Stage *stage) {
    const NbodyJob *job = nbody_job(stage);
    const size_t count = nbody_count(stage);
    void *scratch;
    TRY(cpu_scratch(queue, workspace(queue->device, stage), &scratch));
    double(*const places)[3] = scratch;
    const Bodies bodies = {stage, places, places + count, (double(*)[4])(void *)(places + 2 * count)};
    take(&bodies);
    for (unsigned step = 0; step < nbody_evaluations(job); step++) {
        if (job->steps > 0) {
            kick(&bodies, (double)job->step / 2);
            drift(&bodies, (double)job->step);
        }
        cpu_share_rows(queue, count, accelerate, &bodies);
        if (job->steps > 0)
            kick(&bodies, (double)job->step / 2);
    }
    store(&bodies);
    return STATUS_OK;
}

const Level cpu_nbody_reference = {
    .op = &op_nbody,
    .name = "reference",
    .idea = "every pair of bodies, in double precision; every other level is checked against it",
    .workspace = workspace,
    .run = run,
};
