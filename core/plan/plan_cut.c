/* plan_cut.c: stages left out of a plan, and values that stand for those that were made there. */
#include "core/plan/plan_cut.h"

#include "core/plan/fuse.h"
#include "core/plan/plan_internal.h"

#include <stdlib.h>
#include <string.h>

enum { PICTURE = 0 }; /* the first source */

static void drop_stages(Plan *plan, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        op_job_free(plan->stages[i].stage.op, plan->jobs[i]);
        free(plan->jobs[i]);
        plan->values[plan->stages[i].to].stage = PLAN_NONE;
    }
    const size_t behind = plan->stage_count - end;
    memmove(plan->stages + first, plan->stages + end, behind * sizeof *plan->stages);
    memmove(plan->jobs + first, plan->jobs + end, behind * sizeof *plan->jobs);
    memset(plan->jobs + first + behind, 0, (end - first) * sizeof *plan->jobs);
    plan->stage_count = first + behind;
    for (size_t i = first; i < plan->stage_count; i++)
        plan->values[plan->stages[i].to].stage = (int)i;
}

/* The value that the stages before `end` make. */
static int value_before(const Plan *plan, size_t end) {
    return end > 0 ? plan->stages[end - 1].to : plan->sources[PICTURE].value;
}

static void begin_with(Plan *plan, int value) {
    plan->values[plan->sources[PICTURE].value].source = PLAN_NONE;
    plan->sources[PICTURE].value = value;
    plan->values[value].source = PICTURE;
    plan->unfiltered = value;
}

/* Whether a value is there before the first stage, or made by one of the stages. */
static bool is_known(const Plan *plan, int value) {
    return value == PLAN_NONE || plan->values[value].source != PLAN_NONE || plan->values[value].stage != PLAN_NONE;
}

bool plan_cut(Plan *plan, size_t first, size_t end) {
    const int begin = value_before(plan, first);
    if (end < plan->stage_count)
        plan->result = value_before(plan, end);
    drop_stages(plan, end, plan->stage_count);
    drop_stages(plan, 0, first);
    begin_with(plan, begin);
    bool known = is_known(plan, plan->result);
    for (size_t i = 0; i < plan->stage_count; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            known &= is_known(plan, plan->stages[i].from[k]);
    return known;
}

void plan_skip(Plan *plan, size_t stage) {
    const int from = plan->stages[stage].from[0], to = plan->stages[stage].to;
    for (size_t i = stage + 1; i < plan->stage_count; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            if (plan->stages[i].from[k] == to)
                plan->stages[i].from[k] = from;
    plan->result = plan->result == to ? from : plan->result;
    drop_stages(plan, stage, stage + 1);
}

static Status resize_stage(Plan *plan, size_t index) {
    PlanStage *planned = &plan->stages[index];
    Stage *stage = &planned->stage;
    const PixelType type = stage->out.shape.type;
    Shape in[STAGE_INPUTS];
    for (int k = 0; k < STAGE_INPUTS; k++) {
        if (planned->from[k] != PLAN_NONE)
            stage->in[k].shape = plan->values[planned->from[k]].shape;
        in[k] = stage->in[k].shape;
    }
    TRY(stage->op->shape(stage->job, in, type, &stage->out.shape));
    plan->values[planned->to].shape = stage->out.shape;
    plan->values[planned->to].height = stage->out.shape.height;
    return STATUS_OK;
}

Status plan_resize(Plan *plan, size_t width, size_t height) {
    const Shape before = plan->values[plan->sources[PICTURE].value].shape;
    for (size_t i = 0; i < plan->source_count; i++) {
        Value *value = &plan->values[plan->sources[i].value];
        if (plan->sources[i].table || value->shape.width != before.width || value->shape.height != before.height)
            continue;
        value->shape.width = width;
        value->shape.height = value->height = height;
    }
    for (size_t i = 0; i < plan->stage_count; i++)
        TRY(resize_stage(plan, i));
    return STATUS_OK;
}

void plan_fuse(Plan *plan) {
    plan->options.unfused = false;
    fuse_points(plan);
}
