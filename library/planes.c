/* planes.c: operations that know nothing of a pixel's other channels. */
#include "library/planes.h"

#include "core/ops/convolve.h"
#include "core/ops/curve.h"
#include "core/ops/derivative.h"
#include "core/ops/gaussian.h"
#include "core/ops/histogram.h"
#include "core/ops/lookup.h"
#include "core/ops/morphology.h"
#include "core/ops/move.h"
#include "core/ops/point.h"
#include "core/ops/rank.h"
#include "core/ops/resample.h"
#include "core/ops/warp.h"

static const Op *const alone[] = {&op_convolve, &op_derivative, &op_gaussian, &op_morphology,
                                  &op_move,     &op_rank,       &op_resample, &op_warp};

/* Points whose results depend on one value, whichever channel it is of. */
static bool points_are_alone(const PointJob *job) {
    bool values = true;
    for (int i = 0; i < job->count; i++)
        values &= points[job->steps[i].function].reach == POINT_VALUE && job->steps[i].channels == 0;
    return values;
}

/* Counts, curves and results of each channel by itself. */
static bool counts_are_alone(const Stage *stage) {
    if (stage->op == &op_histogram)
        return !((const HistogramJob *)stage->job)->luma;
    if (stage->op == &op_lookup)
        return !((const LookupJob *)stage->job)->luma;
    const CurveJob *curve = stage->op == &op_curve ? stage->job : NULL;
    return curve && !curve->merge && curve->kind != CURVE_gray && curve->kind != CURVE_patch;
}

static bool stage_is_alone(const Stage *stage) {
    bool known = (stage->op == &op_point && points_are_alone(stage->job)) || counts_are_alone(stage);
    for (size_t i = 0; i < sizeof alone / sizeof alone[0]; i++)
        known |= stage->op == alone[i];
    return known;
}

bool planes_are_alone(const Plan *colour, const Plan *gray) {
    const size_t count = plan_stage_count(colour);
    bool same =
        count > 0 && count == plan_stage_count(gray) && plan_source_count(colour) == 1 && plan_source_count(gray) == 1;
    for (size_t i = 0; i < count && same; i++)
        same = plan_stage(colour, i)->stage.op == plan_stage(gray, i)->stage.op &&
               stage_is_alone(&plan_stage(colour, i)->stage) && stage_is_alone(&plan_stage(gray, i)->stage);
    return same;
}
