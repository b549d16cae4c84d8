/* slow.c: levels that would take minutes are not run, but estimated.
 * Their time on two smaller jobs tells how it grows with the work: as that for most, more slowly for trees. */
#include "app/bench/ladder.h"

#include <math.h>

#define GROWTH_MAX 1.2 /* exponent; above 1 as caches no longer hold the data */

static double work_of(Cost cost) {
    return fmax(cost.flops, cost.bytes);
}

/* How many times the work of `sample` the ladder's job is. */
static double times_sample(const Ladder *ladder, const Stage *sample) {
    return work_of(ladder->cost) / fmax(work_of(stage_cost(sample)), 1);
}

static Status time_on(const Ladder *ladder, const Stage *sample, const Level *level, double *ms) {
    Ladder small = *ladder;
    Stage stage = *sample;
    Frames frames = {0};
    small.stage = &stage;
    Status status = frames_bind(ladder->queue, &frames, &stage);
    if (status == STATUS_OK)
        status = ladder_try(&small, level, ms);
    frames_free(ladder->queue->device, &frames);
    return status;
}

/* By the power of the work that leads from the time on `smaller` to that on `sample`. */
static Status estimate(const Ladder *ladder, const Stage *sample, const Stage *smaller, const Level *level,
                       double *ms) {
    double now, before;
    TRY(time_on(ladder, smaller, level, &before));
    TRY(time_on(ladder, sample, level, &now));
    const double work = times_sample(ladder, smaller) / times_sample(ladder, sample);
    const double growth = log(fmax(now, 1e-3) / fmax(before, 1e-3)) / log(fmax(work, 1.1));
    *ms = now * pow(times_sample(ladder, sample), fmin(fmax(growth, 0), GROWTH_MAX));
    return STATUS_OK;
}

Status ladder_estimate_slow(Ladder *ladder, const Stage *sample, const Stage *smaller) {
    const double times = times_sample(ladder, sample);
    for (size_t i = 0; i < ladder->count; i++) {
        LevelResult *result = &ladder->results[i];
        double ms;
        if (result->why_not || result->check_ms * times < SLOW_MS)
            continue;
        ladder_tell(ladder, true, "%s is estimated", result->level->name);
        TRY(estimate(ladder, sample, smaller, result->level, &ms));
        result->estimated = ms > SLOW_MS;
        result->median = result->estimated ? ms : 0;
    }
    return STATUS_OK;
}
