/* speed.c: rounds of a ladder of two levels. Jobs are so large that launches hardly count, and so small that copies to
 * the answer's process take no time to speak of. */
#include "app/lab/speed.h"

#include "app/bench/ladder.h"
#include "app/kernel_case.h"

#include <stdlib.h>
#include <string.h>

enum { RUNS = 7 };
#define LONGEST_MS 2000.0 /* all runs of a level in a round */

static const KernelCase jobs[] = {
    {"convolve", "f32x1", 4096, 4096, {BORDER_CLAMP, 0}, NULL, "gaussian=1:radius=2", NULL, 0},
    {"reduce", "f32x1", 8192, 8192, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"dot", "f32x1", 8192, 4096, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"multiply", "f32x1", 1024, 1024, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"move", "f32x1", 4096, 4096, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 2},
    {"histogram", "u8x1", 8192, 8192, {BORDER_CLAMP, 0}, NULL, NULL, NULL, 0},
    {"trace", "u8x3", 1024, 1024, {BORDER_CLAMP, 0}, NULL, NULL, CASE_SPHERES, 0},
};

static const KernelCase *job_of(const char *operation) {
    size_t i = 0;
    while (strcmp(jobs[i].operation, operation) != 0)
        i++;
    return &jobs[i];
}

double speed_share(const SpeedRound *rounds, size_t count, SpeedRound *best) {
    double share = 0;
    *best = (SpeedRound){0};
    for (size_t i = 0; i < count; i++)
        if (rounds[i].answer > 0 && rounds[i].ours / rounds[i].answer > share) {
            share = rounds[i].ours / rounds[i].answer;
            *best = rounds[i];
        }
    return share;
}

bool speed_again(const SpeedRound *rounds, size_t count, double wanted) {
    SpeedRound best;
    return count < SPEED_ROUNDS && speed_share(rounds, count, &best) < wanted;
}

static Status time_rounds(Ladder *ladder, double wanted, SpeedTimes *times) {
    while (speed_again(times->rounds, times->count, wanted)) {
        TRY(ladder_time(ladder, RUNS, LONGEST_MS));
        times->rounds[times->count++] = (SpeedRound){ladder->results[0].median, ladder->results[1].median};
    }
    return STATUS_OK;
}

/* Two levels on a stage that is not bound yet. */
static Status time_stage(Queue *queue, const Stage *unbound, const Level *ours, const Level *answer, double wanted,
                         SpeedTimes *times) {
    Frames frames = {0};
    Stage stage = *unbound;
    Ladder ladder = {
        .queue = queue, .times = true, .stage = &stage, .count = 2, .results = calloc(2, sizeof(LevelResult))};
    if (!ladder.results)
        return fail(STATUS_DEVICE, "no memory for two levels");
    ladder.results[0].level = ours;
    ladder.results[1].level = answer;
    Status status = frames_bind(queue, &frames, &stage);
    if (status == STATUS_OK)
        status = time_rounds(&ladder, wanted, times);
    frames_free(queue->device, &frames);
    free(ladder.results);
    return status;
}

Status speed_measure(Queue *queue, const Level *answer, const char *ours, double wanted, SpeedTimes *times) {
    const Backend *backend = queue->device->backend;
    const Level *level = level_by_name(backend, answer->op, ours);
    const char *why_not = "";
    CaseStage opened;
    *times = (SpeedTimes){0};
    if (!level)
        return fail(STATUS_DEVICE, "there is no level %s of %s", ours, backend->name);
    const KernelCase *row = job_of(answer->op->name);
    snprintf(times->job, sizeof times->job, "%zux%zu, %s", row->width, row->height, row->type);
    Status status = kernel_case_open(row, &opened);
    if (status == STATUS_OK)
        status = level_accepts(level, queue->device, opened.stage, &why_not)
                     ? time_stage(queue, opened.stage, level, answer, wanted, times)
                     : fail(STATUS_DEVICE, "level %s of %s: %s", ours, backend->name, why_not);
    kernel_case_close(&opened);
    return status;
}
