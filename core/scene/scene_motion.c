/* scene_motion.c: how the spheres of a scene move.
 * Each axis of a sphere swings like a pendulum in one of a few rhythms. A move therefore costs a sine for each rhythm
 * and a multiplication for each axis. */
#include "core/base/share.h"
#include "core/math/pcg.h"
#include "core/ops/nbody.h"
#include "core/scene/scene.h"

#include <stdlib.h>

enum {
    RHYTHMS = 256,
    STREAM = 5,     /* of the random numbers; the seed is the sphere's number */
    PIECE = 1 << 17 /* spheres that one thread moves: for fewer, another takes too long to start */
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

static size_t pieces_of(size_t count) {
    return (count + PIECE - 1) / PIECE;
}

static size_t piece_end(size_t piece, size_t count) {
    return (piece + 1) * PIECE < count ? (piece + 1) * PIECE : count;
}

typedef struct Swings {
    const Sphere *spheres;
    Swing *swings;
    size_t from, count; /* the first that has no swing yet, and how many have none */
} Swings;

static void swing_piece(const void *job, size_t piece) {
    const Swings *all = job;
    for (size_t i = piece * PIECE; i < piece_end(piece, all->count); i++)
        all->swings[all->from + i] = swing_of(&all->spheres[all->from + i], all->from + i);
}

/* Gives every sphere that has none a swing about where it is. */
static Status swing_all(Scene *scene) {
    const size_t from = scene->swing_count, count = scene->count;
    if (from == count)
        return STATUS_OK;
    Swing *swings = realloc(scene->swings, count * sizeof *swings);
    if (!swings)
        return fail(STATUS_DEVICE, "no memory to move %zu spheres", count);
    share_pieces(pieces_of(count - from), swing_piece, &(Swings){scene->spheres, swings, from, count - from});
    scene->swings = swings;
    scene->swing_count = count;
    return STATUS_OK;
}

/* Where `swung` is 0, coordinates of -0 and those on the limits stay as they are. */
static inline float place_of(float rest, float reach, float swung) {
    const float at = rest + reach * swung;
    const float inside = at > SPHERE_FARTHEST ? SPHERE_FARTHEST : at < -SPHERE_FARTHEST ? -SPHERE_FARTHEST : at;
    return swung != 0 ? inside : rest;
}

typedef struct Move {
    const Swing *swings;
    Sphere *spheres;
    size_t count;
    float swung[RHYTHMS];
} Move;

static void move_piece(const void *job, size_t piece) {
    const Move *move = job;
    Sphere *spheres = move->spheres;
    const float *swung = move->swung;
    for (size_t i = piece * PIECE; i < piece_end(piece, move->count); i++) {
        const Swing *s = &move->swings[i];
        spheres[i].x = place_of(s->rest[0], s->reach[0], swung[s->rhythm[0]]);
        spheres[i].y = place_of(s->rest[1], s->reach[1], swung[s->rhythm[1]]);
        spheres[i].z = place_of(s->rest[2], s->reach[2], swung[s->rhythm[2]]);
    }
}

Status scene_move(Scene *scene, double time) {
    TRY(swing_all(scene));
    Move move = {scene->swings, scene->spheres, scene->count, {0}};
    for (int i = 0; i < RHYTHMS; i++)
        move.swung[i] = (float)sin(TURN * time / (FASTEST + (SLOWEST - FASTEST) * i / RHYTHMS));
    share_pieces(pieces_of(move.count), move_piece, &move);
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
