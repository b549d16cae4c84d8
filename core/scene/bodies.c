/* bodies.c: the state of a scene's bodies, and sums over them. */
#include "core/scene/bodies.h"

#include "core/ops/nbody.h"

#include <math.h>
#include <stdlib.h>

Status bodies_create(size_t count, float scale, Bodies **bodies) {
    Bodies *made = *bodies = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for bodies");
    made->scale = scale;
    const Status status = image_create(nbody_shape(count), &made->state);
    if (status != STATUS_OK)
        bodies_destroy(bodies);
    return status;
}

void bodies_destroy(Bodies **bodies) {
    if (!*bodies)
        return;
    image_destroy(&(*bodies)->state);
    free(*bodies);
    *bodies = NULL;
}

BodiesTotals bodies_totals(const Bodies *bodies) {
    const ImageView state = bodies->state->view;
    const Body *places = nbody_row(state, NBODY_PLACES), *velocities = nbody_row(state, NBODY_VELOCITIES),
               *accelerations = nbody_row(state, NBODY_ACCELERATIONS);
    BodiesTotals sum = {0};
    for (size_t i = 0; i < state.shape.width; i++) {
        const double m = (double)places[i].w;
        const double x[3] = {(double)places[i].x, (double)places[i].y, (double)places[i].z};
        const double v[3] = {(double)velocities[i].x, (double)velocities[i].y, (double)velocities[i].z};
        const double square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        sum.mass += m;
        sum.kinetic += m * square / 2;
        sum.potential += m * (double)accelerations[i].w / 2; /* of each pair both have it */
        sum.motion += m * sqrt(square);
        for (int c = 0; c < 3; c++) {
            sum.momentum[c] += m * v[c];
            sum.angular[c] += m * (x[(c + 1) % 3] * v[(c + 2) % 3] - x[(c + 2) % 3] * v[(c + 1) % 3]);
        }
    }
    return sum;
}

double bodies_energy_drift(const Bodies *bodies, const BodiesTotals *now) {
    const double then = bodies_energy(&bodies->begun);
    return fabs(then) > 0 ? (bodies_energy(now) - then) / fabs(then) : 0;
}

double bodies_momentum_drift(const Bodies *bodies, const BodiesTotals *now) {
    double square = 0;
    for (int c = 0; c < 3; c++)
        square += pow(now->momentum[c] - bodies->begun.momentum[c], 2);
    return now->motion > 0 ? sqrt(square) / now->motion : 0;
}
