/* strips_reach.c: how far rows of the result are from the rows of the picture that they need.
 * Strips overlap. At a cut, a convolution sees its border instead of the rows beyond, and gives wrong rows as far as
 * its mask reaches. Later stages carry the wrong rows on. The halo is the sum of all their reaches. */
#include "core/run/strips_reach.h"

#include "core/plan/pipeline.h"
#include "core/plan/plan_part.h"
#include "core/stage/op_parts.h"

enum { STEP_MAX = 1080 /* rows */ };

static size_t least_common_multiple(size_t a, size_t b) {
    size_t multiple = a;
    while (multiple % b > 0)
        multiple += a;
    return multiple;
}

/* The reach of a stage through its input `k`, which has the picture's rows. */
static size_t stage_reach(const Stage *stage, int k, StripsReach *reach) {
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape};
    const ptrdiff_t height = (ptrdiff_t)stage->out.shape.height, places[] = {0, height / 2, height - 1};
    ptrdiff_t most = 0;
    bool beyond = false;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const Region rows = stage->op->needs(stage->job, k, (Region){0, places[p], stage->out.shape.width, 1}, in);
        const ptrdiff_t end = rows.top + (ptrdiff_t)rows.height;
        const ptrdiff_t above = places[p] - rows.top, below = end - 1 - places[p];
        beyond |= rows.top < 0 || end > height;
        most = most > above ? most : above;
        most = most > below ? most : below;
    }
    reach->periodic |= beyond;
    reach->bounded |= most > 0 && !beyond;
    return (size_t)most;
}

/* The stage changes the picture's height: its result begins a band. */
static bool add_band(const PlanStage *planned, StripsReach *reach) {
    reach->local &= op_parts(planned->stage.op)->cut && reach->count <= PLAN_BANDS;
    if (reach->local)
        reach->bands[reach->count++] = (StripsBand){planned->stage.out.shape.height, 0, 1, planned};
    return true;
}

/* Adds the reach of a stage whose inputs have the picture's rows as `has_rows` says, by value; says whether its output
 * has them, too. A result over the picture has none, nor has one that is made of that alone. */
static bool add_stage(const Plan *plan, const PlanStage *planned, const bool *has_rows, StripsReach *reach) {
    const Stage *stage = &planned->stage;
    const Op *op = stage->op;
    const OpParts *parts = op_parts(op);
    StripsBand *band = &reach->bands[reach->count - 1];
    size_t most = 0, inputs = 0;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (planned->from[k] >= 0 && has_rows[planned->from[k]]) {
            inputs++;
            reach->local &= plan_value_band(plan, planned->from[k]) + 1 == reach->count;
        }
    if (stage_gathers(stage) || inputs == 0) {
        reach->placed |= parts->place != NULL;
        reach->gathered += stage_gathers(stage);
        reach->local &= !stage_gathers(stage) || inputs > 0;
        return false;
    }
    if (plan_value_band(plan, planned->to) == reach->count)
        return add_band(planned, reach);
    reach->local &= op->needs && !op->accumulates && stage->out.shape.height == band->height;
    for (int k = 0; k < STAGE_INPUTS && reach->local; k++)
        if (planned->from[k] >= 0 && has_rows[planned->from[k]]) {
            const size_t rows = stage_reach(stage, k, reach);
            most = most > rows ? most : rows;
        }
    const size_t together = parts->rows_together ? parts->rows_together(stage->job) : 1;
    band->step = least_common_multiple(band->step, together);
    if (most > 0 || together > 1)
        band->step = least_common_multiple(band->step, STRIP_STEP);
    reach->local &= band->step <= STEP_MAX;
    reach->placed |= parts->place && !parts->cut;
    band->rows += most + together - 1; /* a group that a cut spoils in one row is spoilt in all */
    return true;
}

/* The reach of the first `count` stages. */
static StripsReach reach_of(const Plan *plan, size_t count) {
    bool has_rows[PLAN_VALUES] = {false};
    const size_t height = plan_value_shape(plan, plan_source_value(plan, PIPELINE_PICTURE)).height;
    StripsReach reach = {.bands = {{height, 0, STRIP_STEP, NULL}}, .count = 1, .local = true};
    bool others = false;
    for (size_t i = 0; i < plan_source_count(plan); i++) {
        has_rows[plan_source_value(plan, i)] = !plan_source_is_table(plan, i);
        others |= i > PIPELINE_PICTURE && !plan_source_is_table(plan, i);
    }
    for (size_t i = 0; i < count && reach.local; i++) {
        const PlanStage *stage = plan_stage(plan, i);
        has_rows[stage->to] = add_stage(plan, stage, has_rows, &reach);
    }
    reach.local &= !reach.periodic || (!reach.bounded && !reach.placed && !others);
    reach.local &= reach.count == 1 || (!reach.periodic && !others && reach.gathered == 0);
    reach.local &= count < plan_stage_count(plan) || has_rows[plan_result(plan)];
    return reach;
}

StripsReach strips_reach(const Plan *plan) {
    return reach_of(plan, plan_stage_count(plan));
}

size_t strips_margin(const Plan *plan, const PlanStage *planned) {
    const int values[] = {planned->to, planned->from[0], planned->from[1], planned->from[2]};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        const int stage = values[i] == PLAN_NONE ? PLAN_NONE : plan_value_stage(plan, values[i]);
        if (stage != PLAN_NONE && op_parts(plan_stage(plan, (size_t)stage)->stage.op)->stitch)
            return reach_of(plan, (size_t)stage).bands[0].rows;
    }
    return 0;
}
