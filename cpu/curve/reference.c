/* reference.c: facts of every row of a histogram, then a result for every bin. */
#include "core/device/backend.h"
#include "core/ops/curve.h"
#include "core/ops/reduce.h"

#include <math.h>

/* A bin of a row, or of all rows together; 0 where nothing was counted. */
static uint64_t count_at(const Stage *stage, size_t row, size_t bin) {
    if (curve_job(stage)->extrema > 0)
        return 0;
    if (!curve_job(stage)->merge)
        return ((const uint32_t *)view_row(stage->in[0], row))[bin];
    uint64_t count = 0;
    for (size_t y = 0; y < stage->in[0].shape.height; y++)
        count += ((const uint32_t *)view_row(stage->in[0], y))[bin];
    return count;
}

static CurveFacts facts_of_extrema(const Stage *stage, int row) {
    const CurveJob *job = curve_job(stage);
    const int first = job->merge ? 0 : row, end = job->merge ? job->extrema : row + 1;
    double minimum = INFINITY, maximum = -INFINITY;
    for (int y = first; y < end; y++) {
        const Reduction reduction = reduction_of(stage->in[0], y);
        minimum = fmin(minimum, reduction.minimum);
        maximum = fmax(maximum, reduction.maximum);
    }
    return curve_facts_between(job->bins, minimum, maximum);
}

static CurveFacts facts_of(const Stage *stage, size_t row) {
    const CurveJob *job = curve_job(stage);
    const size_t bins = stage->out.shape.width;
    CurveFacts facts = {.darkest = -1};
    for (size_t i = 0; i < bins; i++) {
        facts.total += count_at(stage, row, i);
        facts.sum += i * count_at(stage, row, i);
        facts.first_count = facts.first_count ? facts.first_count : facts.total;
    }
    uint64_t count = 0, sum = 0;
    double most = 0;
    for (size_t i = 0; i < bins; i++) {
        const bool bright = curve_exceeds(facts.total - count, job->parameters[1], facts.total);
        count += count_at(stage, row, i);
        sum += i * count_at(stage, row, i);
        if (bright)
            facts.brightest = (int)i;
        if (facts.darkest < 0 && curve_exceeds(count, job->parameters[0], facts.total))
            facts.darkest = (int)i;
        const double variance = curve_variance(count, sum, facts.total, facts.sum);
        if (variance > most) {
            most = variance;
            facts.threshold = (int)i;
        }
    }
    facts.darkest = facts.darkest < 0 ? (int)bins - 1 : facts.darkest; /* the fraction is all there is */
    return facts;
}

static Status run(Queue *queue, const Stage *stage) {
    const int rows = (int)stage->out.shape.height;
    CurveFacts facts[CURVE_ROWS];
    (void)queue;
    for (int row = 0; row < rows; row++)
        facts[row] = curve_job(stage)->extrema > 0 ? facts_of_extrema(stage, row) : facts_of(stage, (size_t)row);
    for (int row = 0; row < rows; row++) {
        uint64_t count = 0;
        for (int i = 0; i < (int)stage->out.shape.width; i++) {
            count += count_at(stage, (size_t)row, (size_t)i);
            view_set_value(stage->out, (size_t)i, (size_t)row, 0,
                           curve_value(curve_job(stage), facts, rows, row, i, count));
        }
    }
    return STATUS_OK;
}

const Level cpu_curve_reference = {
    .op = &op_curve,
    .name = "reference",
    .idea = "bin by bin, on one core: there are few",
    .run = run,
};
