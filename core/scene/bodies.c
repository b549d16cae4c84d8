/* bodies.c: runs of the operation nbody on a scene's state. */
#include "core/scene/bodies.h"

#include "core/device/backend.h"
#include "core/image/image.h"
#include "core/ops/nbody.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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

static void give_back(Bodies *bodies) {
    const Backend *backend = bodies->queue->device->backend;
    for (int i = 0; i < 2; i++)
        backend->frame_destroy(bodies->queue->device, &bodies->frames[i]);
    bodies->queue = NULL;
    bodies->ahead = false;
}

void bodies_destroy(Bodies **bodies) {
    if (!*bodies)
        return;
    if ((*bodies)->queue)
        give_back(*bodies);
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

/* What was made is the state, if nobody asked to stop meanwhile. */
static Status take(Bodies *bodies, Frame frames[2]) {
    TRY(bodies->queue->device->backend->sync(bodies->queue));
    if (queue_stops(bodies->queue))
        return STATUS_INTERRUPTED;
    memcpy(bodies->frames, frames, sizeof bodies->frames);
    bodies->ahead = true;
    return STATUS_OK;
}

static Status carry_out(Bodies *bodies, const Gravity *gravity, unsigned steps) {
    const NbodyJob job = job_of(gravity, steps);
    Frame frames[2] = {bodies->frames[0], bodies->frames[1]};
    const Status status = run(bodies->queue, &job, frames);
    if (status != STATUS_OK)
        (void)bodies->queue->device->backend->sync(bodies->queue); /* nothing uses them any more */
    return status == STATUS_OK ? take(bodies, frames) : status;
}

/* The accelerations of where they are, if these are not known. */
static Status evaluate(Bodies *bodies, const Gravity *gravity) {
    if (bodies->known && same_force(&bodies->evaluated, gravity))
        return STATUS_OK;
    TRY(carry_out(bodies, gravity, 0));
    TRY(bodies_fetch(bodies));
    bodies->known = true;
    bodies->evaluated = *gravity;
    bodies->begun = bodies_totals(bodies);
    return STATUS_OK;
}

/* To this queue's device. */
static Status enter(Bodies *bodies, Queue *queue) {
    const Backend *backend = queue->device->backend;
    Status status = STATUS_OK;
    if (bodies->queue == queue)
        return STATUS_OK;
    TRY(bodies_leave(bodies));
    bodies->queue = queue;
    for (int i = 0; i < 2; i++)
        bodies->frames[i] = (Frame){{0}, 0, NULL};
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        status = backend->frame_create(queue->device, bodies->state->view.shape, &bodies->frames[i]);
    if (status == STATUS_OK)
        status = backend->upload(queue, bodies->state->view, bodies->frames[0]);
    if (status == STATUS_OK)
        status = backend->sync(queue);
    if (status != STATUS_OK)
        give_back(bodies);
    return status;
}

Status bodies_advance(Bodies *bodies, const Gravity *gravity, unsigned steps, Queue *queue) {
    TRY(enter(bodies, queue));
    TRY(evaluate(bodies, gravity));
    if (steps == 0)
        return STATUS_OK;
    TRY(carry_out(bodies, gravity, steps));
    bodies->time += steps * (double)gravity->step;
    return STATUS_OK;
}

Status bodies_fetch(Bodies *bodies) {
    if (!bodies->queue || !bodies->ahead)
        return STATUS_OK;
    const Backend *backend = bodies->queue->device->backend;
    TRY(backend->download(bodies->queue, bodies->frames[0], bodies->state->view));
    TRY(backend->sync(bodies->queue));
    bodies->ahead = false;
    return STATUS_OK;
}

Status bodies_leave(Bodies *bodies) {
    if (!bodies || !bodies->queue)
        return STATUS_OK;
    const Status status = bodies_fetch(bodies);
    give_back(bodies);
    return status;
}

static float inside(float at) {
    return at > SPHERE_FARTHEST ? SPHERE_FARTHEST : at > -SPHERE_FARTHEST ? at : -SPHERE_FARTHEST;
}

Status bodies_settle(Scene *scene) {
    Bodies *bodies = scene->bodies;
    TRY(bodies_fetch(bodies));
    const Body *places = nbody_row(bodies->state->view, NBODY_PLACES);
    for (size_t i = 0; i < bodies->state->view.shape.width; i++) {
        scene->spheres[i].x = inside(places[i].x * bodies->scale);
        scene->spheres[i].y = inside(places[i].y * bodies->scale);
        scene->spheres[i].z = inside(places[i].z * bodies->scale);
    }
    bodies->behind = false;
    return STATUS_OK;
}

Status bodies_show(Scene *scene) {
    Bodies *bodies = scene->bodies;
    const TraceTools *tools = bodies->queue ? bodies->queue->device->backend->trace : NULL;
    scene->moves = ++bodies->moves;
    if (!tools || !tools->follow)
        return bodies_settle(scene);
    bodies->behind = true;
    return tools->follow(bodies->queue, scene, bodies->frames[0], bodies->scale);
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
