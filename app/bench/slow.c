/* slow.c: levels that would take minutes are not run, but estimated.
 * Their time on two smaller jobs tells how it grows with the work: as that for most, more slowly for trees. Where rows
 * of the result can be made by themselves, a few of the job's own tell better. They read the same inputs as all
 * rows. */
#include "app/bench/ladder.h"

#include <math.h>

#define GROWTH_MAX 1.2 /* exponent; above 1 as caches no longer hold the data */
enum { ROWS_PART = 256 };

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

static Frame crop(Frame frame, Region part) {
    const ptrdiff_t right = part.left + (ptrdiff_t)part.width, bottom = part.top + (ptrdiff_t)part.height;
    const size_t left = part.left > 0 ? (size_t)part.left : 0, top = part.top > 0 ? (size_t)part.top : 0;
    const size_t width = (size_t)right < frame.shape.width ? (size_t)right : frame.shape.width;
    const size_t height = (size_t)bottom < frame.shape.height ? (size_t)bottom : frame.shape.height;
    return view_crop(frame, left, top, width - left, height - top);
}

/* The job's first rows; false if they are no job of their own. */
static bool first_rows(const Stage *stage, size_t rows, Stage *part) {
    const Op *op = stage->op;
    const Region region = {0, 0, stage->out.shape.width, rows};
    Shape in[STAGE_INPUTS] = {0}, out;
    *part = *stage;
    if (!op->needs || rows >= stage->out.shape.height)
        return false;
    for (int k = 0; k < STAGE_INPUTS; k++)
        in[k] = stage->in[k].shape;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (stage->in[k].shape.width > 0)
            part->in[k] = crop(stage->in[k], op->needs(stage->job, k, region, in));
    for (int k = 0; k < STAGE_INPUTS; k++)
        in[k] = part->in[k].shape;
    part->out = view_crop(stage->out, 0, 0, region.width, rows);
    return op->shape(stage->job, in, stage->out.shape.type, &out) == STATUS_OK && shape_equal(out, part->out.shape);
}

static Status estimate_by_rows(const Ladder *ladder, const Level *level, double *ms) {
    const size_t height = ladder->stage->out.shape.height, rows = height < ROWS_PART ? 1 : height / ROWS_PART;
    const char *why_not;
    Stage part;
    Ladder small = *ladder;
    small.stage = &part;
    if (!first_rows(ladder->stage, rows, &part) || !level_accepts(level, ladder->queue->device, &part, &why_not))
        return STATUS_OK;
    TRY(ladder_try(&small, level, ms));
    *ms *= (double)height / (double)rows;
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
        if (ms > SLOW_MS)
            TRY(estimate_by_rows(ladder, result->level, &ms));
        result->estimated = ms > SLOW_MS;
        result->median = result->estimated ? ms : 0;
    }
    return STATUS_OK;
}
