/* simulation.c: runs of the operation nbody on a scene's state. */
#include "core/run/simulation.h"

#include "core/ops/nbody.h"
#include "core/stage/op.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct Simulation {
    Bodies *bodies;
    Queue *queue;
    Frame frames[2]; /* on the device: the state, and where the next one is made */
    bool later;      /* the device's state is later than that of the bodies */
    bool ahead;      /* the spheres of the host are not where simulation_show() was last */
};

static const Backend *backend_of(const Simulation *simulation) {
    return simulation->queue->device->backend;
}

static void end(Simulation **simulation) {
    for (int i = 0; i < 2; i++)
        backend_of(*simulation)->frame_destroy((*simulation)->queue->device, &(*simulation)->frames[i]);
    free(*simulation);
    *simulation = NULL;
}

Status simulation_close(Simulation **simulation) {
    if (!*simulation)
        return STATUS_OK;
    const Status status = simulation_fetch(*simulation);
    end(simulation);
    return status;
}

static Status send_state(Simulation *simulation) {
    const ImageView state = simulation->bodies->state->view;
    for (int i = 0; i < 2; i++)
        TRY(backend_of(simulation)->frame_create(simulation->queue->device, state.shape, &simulation->frames[i]));
    TRY(backend_of(simulation)->upload(simulation->queue, state, simulation->frames[0]));
    return backend_of(simulation)->sync(simulation->queue);
}

Status simulation_begin(Simulation **simulation, Bodies *bodies, Queue *queue) {
    if (*simulation && (*simulation)->bodies == bodies && (*simulation)->queue == queue)
        return STATUS_OK;
    TRY(simulation_close(simulation));
    *simulation = calloc(1, sizeof **simulation);
    if (!*simulation)
        return fail(STATUS_DEVICE, "no memory for a simulation");
    (*simulation)->bodies = bodies;
    (*simulation)->queue = queue;
    const Status status = send_state(*simulation);
    if (status != STATUS_OK)
        end(simulation);
    return status;
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

/* Takes the frames as the state, unless the queue was asked to stop meanwhile. */
static Status take(Simulation *simulation, Frame frames[2]) {
    TRY(backend_of(simulation)->sync(simulation->queue));
    if (queue_stops(simulation->queue))
        return STATUS_INTERRUPTED;
    memcpy(simulation->frames, frames, sizeof simulation->frames);
    simulation->later = true;
    return STATUS_OK;
}

static Status carry_out(Simulation *simulation, const Gravity *gravity, unsigned steps) {
    const NbodyJob job = job_of(gravity, steps);
    Frame frames[2] = {simulation->frames[0], simulation->frames[1]};
    const Status status = run(simulation->queue, &job, frames);
    if (status != STATUS_OK)
        (void)backend_of(simulation)->sync(simulation->queue); /* nothing uses them any more */
    return status == STATUS_OK ? take(simulation, frames) : status;
}

/* Finds the accelerations where the bodies are, if these are not known. */
static Status evaluate(Simulation *simulation, const Gravity *gravity) {
    Bodies *bodies = simulation->bodies;
    if (bodies->known && same_force(&bodies->evaluated, gravity))
        return STATUS_OK;
    TRY(carry_out(simulation, gravity, 0));
    TRY(simulation_fetch(simulation));
    bodies->known = true;
    bodies->evaluated = *gravity;
    bodies->begun = bodies_totals(bodies);
    return STATUS_OK;
}

Status simulation_advance(Simulation *simulation, const Gravity *gravity, unsigned steps) {
    TRY(evaluate(simulation, gravity));
    if (steps == 0)
        return STATUS_OK;
    TRY(carry_out(simulation, gravity, steps));
    simulation->bodies->time += steps * (double)gravity->step;
    return STATUS_OK;
}

Status simulation_fetch(Simulation *simulation) {
    if (!simulation || !simulation->later)
        return STATUS_OK;
    TRY(backend_of(simulation)->download(simulation->queue, simulation->frames[0], simulation->bodies->state->view));
    TRY(backend_of(simulation)->sync(simulation->queue));
    simulation->later = false;
    return STATUS_OK;
}

Status simulation_settle(Simulation *simulation, Scene *scene) {
    TRY(simulation_fetch(simulation));
    scene_place_bodies(scene);
    simulation->ahead = false;
    return STATUS_OK;
}

Status simulation_show(Simulation *simulation, Scene *scene) {
    const TraceTools *tools = backend_of(simulation)->trace;
    scene_count_move(scene);
    if (!tools || !tools->follow)
        return simulation_settle(simulation, scene);
    simulation->ahead = true;
    return tools->follow(simulation->queue, scene, simulation->frames[0], simulation->bodies->scale);
}

bool simulation_is_ahead(const Simulation *simulation) {
    return simulation && simulation->ahead;
}
