/* bodies.c: runs of the operation nbody on a scene's state. */
#include "core/bodies.h"

#include "core/image.h"
#include "core/op.h"
#include "core/ops/nbody.h"
#include "core/stop.h"

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

/* From frame to frame; they change places. */
static Status run(Queue *queue, const NbodyJob *job, Frame frames[2]) {
    const Stage stage = {.op = &op_nbody, .label = "bodies", .in = {frames[0]}, .out = frames[1], .job = job};
    const Level *level = level_best(queue->device, &stage);
    Shape shape;
    TRY(op_nbody.shape(job, &frames[0].shape, PIXEL_F32, &shape));
    if (!level)
        return fail(STATUS_DEVICE, "no level moves %zu bodies on %s", shape.width, queue->device->backend->name);
    TRY(level_run(level, queue, &stage));
    const Frame before = frames[0];
    frames[0] = frames[1];
    frames[1] = before;
    return STATUS_OK;
}

static bool same_force(const Gravity *a, const Gravity *b) {
    const float apart =
        fabsf(a->constant - b->constant) + fabsf(a->softening - b->softening) + fabsf(a->theta - b->theta);
    return !(apart > 0);
}

static NbodyJob job_of(const Gravity *gravity, unsigned steps) {
    return (NbodyJob){.steps = steps,
                      .potential = true,
                      .step = gravity->step,
                      .gravity = gravity->constant,
                      .softening = gravity->softening,
                      .theta = gravity->theta};
}

/* A frame as the new state, if nobody asked to stop. */
static Status take(Bodies *bodies, Queue *queue, Frame from) {
    Image *next;
    TRY(image_create(from.shape, &next));
    Status status = queue->device->backend->download(queue, from, next->view);
    if (status == STATUS_OK)
        status = queue->device->backend->sync(queue);
    if (status == STATUS_OK && queue_stops(queue))
        status = STATUS_INTERRUPTED;
    if (status != STATUS_OK) {
        image_destroy(&next);
        return status;
    }
    image_destroy(&bodies->state);
    bodies->state = next;
    return STATUS_OK;
}

/* The accelerations of where they are, if these are not known. */
static Status evaluate(Bodies *bodies, const Gravity *gravity, Queue *queue, Frame frames[2]) {
    const NbodyJob job = job_of(gravity, 0);
    if (bodies->known && same_force(&bodies->evaluated, gravity))
        return STATUS_OK;
    TRY(run(queue, &job, frames));
    TRY(take(bodies, queue, frames[0]));
    bodies->known = true;
    bodies->evaluated = *gravity;
    bodies->begun = bodies_totals(bodies);
    return STATUS_OK;
}

static Status advance(Bodies *bodies, const Gravity *gravity, unsigned steps, Queue *queue, Frame frames[2]) {
    const NbodyJob job = job_of(gravity, steps);
    TRY(queue->device->backend->upload(queue, bodies->state->view, frames[0]));
    TRY(evaluate(bodies, gravity, queue, frames));
    if (steps == 0)
        return STATUS_OK;
    TRY(run(queue, &job, frames));
    TRY(take(bodies, queue, frames[0]));
    bodies->time += steps * (double)gravity->step;
    return STATUS_OK;
}

Status bodies_advance(Bodies *bodies, const Gravity *gravity, unsigned steps, Queue *queue) {
    const Backend *backend = queue->device->backend;
    const Shape shape = bodies->state->view.shape;
    Frame frames[2] = {{{0}, 0, NULL}, {{0}, 0, NULL}};
    Status status = STATUS_OK;
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = backend->frame_create(queue->device, shape, &frames[i]);
    if (status == STATUS_OK)
        status = advance(bodies, gravity, steps, queue, frames);
    if (status != STATUS_OK)
        (void)backend->sync(queue); /* nothing uses them any more */
    for (int i = 0; i < 2; i++)
        backend->frame_destroy(queue->device, &frames[i]);
    return status;
}

static float inside(float at) {
    return at > SPHERE_FARTHEST ? SPHERE_FARTHEST : at > -SPHERE_FARTHEST ? at : -SPHERE_FARTHEST;
}

void bodies_show(Scene *scene) {
    Bodies *bodies = scene->bodies;
    const Body *places = nbody_row(bodies->state->view, NBODY_PLACES);
    for (size_t i = 0; i < bodies->state->view.shape.width; i++) {
        scene->spheres[i].x = inside(places[i].x * bodies->scale);
        scene->spheres[i].y = inside(places[i].y * bodies->scale);
        scene->spheres[i].z = inside(places[i].z * bodies->scale);
    }
    scene->moves = ++bodies->moves;
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
