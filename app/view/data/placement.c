/* placement.c: the ways of pixels, stage by stage. */
#include "app/view/data/placement.h"

#include "core/ops/move.h"
#include "core/ops/resample.h"
#include "core/ops/warp.h"

#include <stddef.h>
#include <string.h>

static void place_move(const Stage *stage, Homography *placement) {
    const MoveJob *job = move_job(stage);
    const Shape in = stage->in[0].shape;
    const double width = (double)(job->transpose ? in.height : in.width);
    const double height = (double)(job->transpose ? in.width : in.height);
    const double across[3] = {job->mirror_x ? -1 : 1, 0,
                              job->mirror_x ? width - 1 - (double)job->left : (double)job->left};
    const double down[3] = {0, job->mirror_y ? -1 : 1,
                            job->mirror_y ? height - 1 - (double)job->top : (double)job->top};
    memcpy(placement->m, job->transpose ? down : across, sizeof across);
    memcpy(placement->m + 3, job->transpose ? across : down, sizeof down);
}

static void place_resample(const Stage *stage, Homography *placement) {
    const ResampleJob *job = resample_job(stage);
    const ResampleAxis *axes[] = {&job->x, &job->y};
    for (int k = 0; k < 2; k++) {
        placement->m[4 * k] = axes[k]->scale;
        placement->m[3 * k + 2] = axes[k]->offset + axes[k]->scale / 2 - 0.5;
    }
}

static void place_warp(const Stage *stage, Homography *placement) {
    const WarpJob *job = warp_job(stage);
    if (!job->map.is_lens)
        memcpy(placement->m, job->map.matrix, sizeof placement->m);
}

static const struct {
    const Op *op;
    void (*place)(const Stage *stage, Homography *placement);
} places[] = {{&op_move, place_move}, {&op_resample, place_resample}, {&op_warp, place_warp}};

/* Others leave pixels where they are; false if they make another shape. */
static bool place_stage(const Stage *stage, Homography *placement) {
    const Shape in = stage->in[0].shape, out = stage->out.shape;
    *placement = homography_identity();
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        if (stage->op == places[i].op) {
            places[i].place(stage, placement);
            return true;
        }
    return in.width == out.width && in.height == out.height;
}

bool placement_of_plan(const Plan *plan, Homography *placement) {
    int value = plan_result(plan), stage;
    *placement = homography_identity();
    for (; (stage = plan_value_stage(plan, value)) != PLAN_NONE; value = plan_stage(plan, (size_t)stage)->from[0]) {
        const PlanStage *planned = plan_stage(plan, (size_t)stage);
        Homography own;
        if (planned->from[0] == PLAN_NONE || !place_stage(&planned->stage, &own))
            return false;
        *placement = homography_join(placement, &own);
    }
    return plan_value_source(plan, value) == 0;
}
