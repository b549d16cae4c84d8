/* leap.c: kicks and drifts, in pieces of bodies; and all pairs by vectors. */
#include "cpu/course/nbody/leap.h"

#include "core/device/backend.h"
#include "cpu/course/nbody/pulls.h"
#include "cpu/isa.h"
#include "cpu/team.h"

enum { BODIES = 4096, TARGETS = 64 }; /* of a piece that moves, and of one that is pulled */

/* One half of a step, for all bodies. */
typedef struct Move {
    const Stage *stage;
    float kick, drift;
} Move;

static Body along(Body a, float s, Body b) {
    return (Body){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w};
}

static void move_piece(const void *job, size_t piece, size_t thread) {
    const Move *move = job;
    const ImageView out = move->stage->out;
    Body *x = nbody_row(out, NBODY_PLACES), *v = nbody_row(out, NBODY_VELOCITIES);
    const Body *a = nbody_row(out, NBODY_ACCELERATIONS);
    const size_t first = piece * BODIES, rest = out.shape.width - first, end = first + (rest < BODIES ? rest : BODIES);
    (void)thread;
    for (size_t i = first; i < end; i++) {
        v[i] = along(v[i], move->kick, a[i]);
        x[i] = along(x[i], move->drift, v[i]);
    }
}

static void share(Queue *queue, bool threads, size_t pieces, TeamWork *work, const void *job) {
    if (threads)
        cpu_share(queue, pieces, work, job);
    else
        for (size_t piece = 0; piece < pieces; piece++)
            work(job, piece, 0);
}

static void move_all(Queue *queue, bool threads, Move move) {
    share(queue, threads, (nbody_count(move.stage) + BODIES - 1) / BODIES, move_piece, &move);
}

Status leap_run(Queue *queue, const Stage *stage, bool threads, LeapAccelerate *accelerate, void *context) {
    const NbodyJob *job = nbody_job(stage);
    view_copy(stage->in[0], stage->out);
    if (job->steps == 0)
        return accelerate(queue, stage, job->potential, context);
    for (unsigned step = 0; step < job->steps && !queue_stops(queue); step++) {
        move_all(queue, threads, (Move){stage, job->step / 2, job->step});
        TRY(accelerate(queue, stage, job->potential && step + 1 == job->steps, context));
        move_all(queue, threads, (Move){stage, job->step / 2, 0});
    }
    return STATUS_OK;
}

PullsRun *pulls_here(void) {
    static PullsRun *const *const runs[ISA_LEVELS] = {
        [ISA_LEVEL_PORTABLE] = &pulls_portable,
        [ISA_LEVEL_AVX2] = &pulls_avx2,
        [ISA_LEVEL_AVX512] = &pulls_avx512,
    };
    return *runs[isa_detect()];
}

typedef struct Pairs {
    const Stage *stage;
    PullsRun *run;
    bool depth;
} Pairs;

static void pull_piece(const void *job, size_t piece, size_t thread) {
    const Pairs *pairs = job;
    const ImageView out = pairs->stage->out;
    const Body *places = nbody_row(out, NBODY_PLACES);
    const size_t first = piece * TARGETS, rest = out.shape.width - first, count = rest < TARGETS ? rest : TARGETS;
    const PullsJob pulls = {.targets = places + first,
                            .sources = places,
                            .target_count = count,
                            .source_count = out.shape.width,
                            .self = (ptrdiff_t)first,
                            .softening2 = gravity_softening2(nbody_job(pairs->stage)->softening),
                            .depth = pairs->depth};
    Pull sums[TARGETS] = {{0}};
    (void)thread;
    pairs->run(&pulls, sums);
    for (size_t i = 0; i < count; i++)
        nbody_row(out, NBODY_ACCELERATIONS)[first + i] = leap_acceleration(sums[i], nbody_job(pairs->stage)->gravity);
}

static Status accelerate(Queue *queue, const Stage *stage, bool depth, void *context) {
    const Pairs pairs = {stage, pulls_here(), depth};
    share(queue, *(const bool *)context, (nbody_count(stage) + TARGETS - 1) / TARGETS, pull_piece, &pairs);
    return STATUS_OK;
}

Status leap_pairs(Queue *queue, const Stage *stage, bool threads) {
    return leap_run(queue, stage, threads, accelerate, &threads);
}
