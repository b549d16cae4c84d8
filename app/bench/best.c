/* best.c: whether `best` takes the fastest level.
 * A level that a small sample of the picture shows to be hopeless is not run on the whole. */
#include "app/bench/ladder.h"
#include "app/say.h"

#include <math.h>

#define ALLOWED  1.1 /* times the fastest that the best may take */
#define LEVEL_MS 150 /* of each level */
#define HOPELESS 20  /* times the best: levels that are predicted to take so long are not run */
enum { SAMPLE_PART = 8, SAMPLE_MIN = 64, FIRST_RUNS = 3, SECOND_LOOK = 4 };

Shape sample_shape(Shape shape) {
    shape.width = shape.width / SAMPLE_PART > SAMPLE_MIN ? shape.width / SAMPLE_PART : SAMPLE_MIN;
    shape.height = shape.height / SAMPLE_PART > SAMPLE_MIN ? shape.height / SAMPLE_PART : SAMPLE_MIN;
    return shape;
}

static double pixels_of(const Stage *stage) {
    return (double)stage->out.shape.width * (double)stage->out.shape.height;
}

/* On the sample. Negative: it cannot do the job. */
static Status time_sample(Ladder *ladder, const Stage *sample, double *ms) {
    Ladder small = *ladder;
    Stage stage = *sample;
    Frames frames = {0};
    Status status = frames_bind(ladder->queue, &frames, &stage);
    small.stage = &stage;
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        ms[i] = -1;
        if (!ladder->results[i].why_not)
            status = ladder_try(&small, ladder->results[i].level, &ms[i]);
    }
    frames_free(ladder->queue->device, &frames);
    return status;
}

/* Leaves out levels that would take far longer than the best, by the time that the sample took beyond the best's. */
static Status leave_out_hopeless(Ladder *ladder, size_t best, const Stage *sample) {
    double ms[LADDER_MAX] = {0}, first[FIRST_RUNS];
    TRY(time_sample(ladder, sample, ms));
    for (int run = 0; run < FIRST_RUNS; run++)
        TRY(ladder_run(ladder, ladder->results[best].level, &first[run]));
    const double best_ms = quantile(first, FIRST_RUNS, 0.5), scale = pixels_of(ladder->stage) / pixels_of(sample);
    for (size_t i = 0; i < ladder->count; i++)
        if (i != best && (ms[i] - ms[best]) * scale > HOPELESS * best_ms)
            ladder->results[i].why_not = "a sample shows that it takes more than 20 times as long as best";
    return STATUS_OK;
}

/* Runs each level once, so that its preparations for this mask and picture (a plan of cuFFT takes 200 ms) are done. */
static Status prepare(const Ladder *ladder) {
    double ms;
    for (size_t i = 0; i < ladder->count; i++)
        if (!ladder->results[i].why_not)
            TRY(ladder_run(ladder, ladder->results[i].level, &ms));
    return STATUS_OK;
}

static const LevelResult *fastest_of(const Ladder *ladder) {
    const LevelResult *fastest = NULL;
    for (size_t i = 0; i < ladder->count; i++)
        if (!ladder->results[i].why_not && (!fastest || ladder->results[i].median < fastest->median))
            fastest = &ladder->results[i];
    return fastest;
}

/* By the median of all runs and by the shortest: other programs seldom disturb both. */
static bool is_beaten(const LevelResult *best, const LevelResult *fastest) {
    double best_min = INFINITY, fastest_min = INFINITY;
    for (size_t i = 0; i < best->runs; i++)
        best_min = fmin(best_min, best->ms[i]);
    for (size_t i = 0; i < fastest->runs; i++)
        fastest_min = fmin(fastest_min, fastest->ms[i]);
    return best->median > ALLOWED * fastest->median && best_min > ALLOWED * fastest_min;
}

/* As ladder_add_json does, with the times that were measured here. */
static void add_json(json_t *list, const Ladder *ladder, const LevelResult *best, const char *job) {
    for (size_t i = 0; i < ladder->count; i++) {
        const LevelResult *result = &ladder->results[i];
        char name[256];
        if (result->why_not)
            continue;
        snprintf(name, sizeof name, "%s/%s/%s", result->level->op->name, ladder->queue->device->backend->name,
                 result->level->name);
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:o, s:I, s:f, s:f, s:s, s:f, s:b}", "name", name, "run_type",
                                        "iteration", "label", json_text(job), "iterations", (json_int_t)result->runs,
                                        "real_time", result->median, "cpu_time", result->median, "time_unit", "ms",
                                        "p95", result->p95, "best", result == best));
    }
}

Status ladder_check_best(Ladder *ladder, const Stage *sample, int runs, FILE *to, json_t *list, const char *job) {
    const Level *level = level_best(ladder->queue->device, ladder->stage);
    size_t best = 0;
    while (best < ladder->count && ladder->results[best].level != level)
        best++;
    if (best == ladder->count)
        return fail(STATUS_DEVICE, "%s: best takes %s, which is not in the ladder", job,
                    level ? level->name : "nothing");
    TRY(leave_out_hopeless(ladder, best, sample));
    TRY(prepare(ladder));
    TRY(ladder_time(ladder, runs, LEVEL_MS));
    if (is_beaten(&ladder->results[best], fastest_of(ladder))) /* look again before saying so */
        TRY(ladder_time(ladder, SECOND_LOOK * runs, SECOND_LOOK * LEVEL_MS));
    const LevelResult *fastest = fastest_of(ladder), *taken = &ladder->results[best];
    if (ladder->progress)
        progress_wipe(ladder->progress);
    say(to, "%s: best takes %s, %.3f ms; the fastest is %s, %.3f ms", job, level->name, taken->median,
        fastest->level->name, fastest->median);
    fflush(to);
    add_json(list, ladder, taken, job);
    return is_beaten(taken, fastest)
               ? fail(STATUS_PARTIAL, "%s: best takes %s, %.3f ms, but %s takes %.3f: best is %.2f times slower", job,
                      level->name, taken->median, fastest->level->name, fastest->median,
                      taken->median / fastest->median)
               : STATUS_OK;
}
