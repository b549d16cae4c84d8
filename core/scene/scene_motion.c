/* scene_motion.c: how the spheres of a scene move.
 * Each axis of a sphere swings like a pendulum in one of a few rhythms, so that a move costs a sine for each rhythm and
 * a multiplication for each axis. */
#include "core/math/pcg.h"
#include "core/ops/nbody.h"
#include "core/scene/scene.h"

#include <stdlib.h>

enum {
    RHYTHMS = 256,
    STREAM = 5,     /* of the random numbers; the seed is the sphere's number */
    ALONE = 1 << 17 /* fewer spheres than that are no work for several threads */
};

#define SLOWEST 8.0 /* seconds to and fro */
#define FASTEST 3.0
#define TURN    (2 * 3.14159265358979323846)

struct Swing {
    float rest[3], reach[3]; /* x, y, z */
    uint8_t rhythm[3];
};

static Swing swing_of(const Sphere *sphere, uint64_t number) {
    Pcg pcg = pcg_seed(number, STREAM);
    Swing swing = {.rest = {sphere->x, sphere->y, sphere->z}};
    for (int a = 0; a < 3; a++) {
        swing.reach[a] = sphere->radius * (2 * pcg_float(&pcg) - 1);
        swing.rhythm[a] = (uint8_t)(pcg_next(&pcg) % RHYTHMS);
    }
    return swing;
}

/* Gives every sphere that has none a swing about where it is. */
static Status swing_all(Scene *scene) {
    const size_t from = scene->swing_count, count = scene->count;
    if (from == count)
        return STATUS_OK;
    Swing *swings = realloc(scene->swings, count * sizeof *swings);
    if (!swings)
        return fail(STATUS_DEVICE, "no memory to move %zu spheres", count);
    const Sphere *spheres = scene->spheres;
#pragma omp parallel for schedule(static) if (count - from > ALONE)
    for (size_t i = from; i < count; i++)
        swings[i] = swing_of(&spheres[i], i);
    scene->swings = swings;
    scene->swing_count = count;
    return STATUS_OK;
}

/* -0 and what lies on the limits stay what they are where `swung` is 0. */
static inline float place_of(float rest, float reach, float swung) {
    const float at = rest + reach * swung;
    const float inside = at > SPHERE_FARTHEST ? SPHERE_FARTHEST : at < -SPHERE_FARTHEST ? -SPHERE_FARTHEST : at;
    return swung != 0 ? inside : rest;
}

Status scene_move(Scene *scene, double time) {
    float swung[RHYTHMS];
    TRY(swing_all(scene));
    for (int i = 0; i < RHYTHMS; i++)
        swung[i] = (float)sin(TURN * time / (FASTEST + (SLOWEST - FASTEST) * i / RHYTHMS));
    const size_t count = scene->count;
    const Swing *swings = scene->swings;
    Sphere *spheres = scene->spheres;
#pragma omp parallel for schedule(static) if (count > ALONE)
    for (size_t i = 0; i < count; i++) {
        const Swing *s = &swings[i];
        spheres[i].x = place_of(s->rest[0], s->reach[0], swung[s->rhythm[0]]);
        spheres[i].y = place_of(s->rest[1], s->reach[1], swung[s->rhythm[1]]);
        spheres[i].z = place_of(s->rest[2], s->reach[2], swung[s->rhythm[2]]);
    }
    scene->moves++;
    return STATUS_OK;
}

static float inside(float at) {
    return at > SPHERE_FARTHEST ? SPHERE_FARTHEST : at > -SPHERE_FARTHEST ? at : -SPHERE_FARTHEST;
}

void scene_place_bodies(Scene *scene) {
    const Bodies *bodies = scene->bodies;
    const Body *places = nbody_row(bodies->state->view, NBODY_PLACES);
    for (size_t i = 0; i < bodies->state->view.shape.width; i++) {
        scene->spheres[i].x = inside(places[i].x * bodies->scale);
        scene->spheres[i].y = inside(places[i].y * bodies->scale);
        scene->spheres[i].z = inside(places[i].z * bodies->scale);
    }
}

void scene_count_move(Scene *scene) {
    scene->moves = ++scene->bodies->moves;
}
