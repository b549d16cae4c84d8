/* plan_part.c: a plan's facts about the picture that its own is a part of. */
#include "core/plan/plan_part.h"

#include "core/plan/plan_internal.h"
#include "core/stage/op_parts.h"

bool plan_passes_in_strips(const Plan *plan) {
    return plan->part.height > 0;
}

Shape plan_whole_shape(const Plan *plan, int value) {
    Shape shape = plan_value_shape(plan, value);
    shape.height = plan->values[value].height;
    return shape;
}
size_t plan_value_band(const Plan *plan, int value) {
    return plan->values[value].band;
}

void plan_share_own_images(Plan *part, const Plan *whole) {
    for (size_t i = 0; i < part->source_count && i < whole->source_count; i++)
        if (part->sources[i].own) {
            image_destroy(&part->sources[i].image);
            part->sources[i].image = image_retain(whole->sources[i].image);
        }
}

void plan_keep_whole(Plan *part, Plan *whole) {
    part->whole = whole;
}

const Plan *plan_whole(const Plan *plan) {
    return plan->whole ? plan->whole : plan;
}

Status plan_cut_job(const Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type,
                    Value *made) {
    if (!op_parts(op)->cut || plan->part.height == 0)
        return STATUS_OK;
    const Value *from = &plan->values[in[0]];
    Shape whole[STAGE_INPUTS] = {{0}}, out; /* of which a part is the picture to a job that keeps its height */
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in[k] != PLAN_NONE)
            whole[k] = plan_whole_shape(plan, in[k]);
    TRY(op->shape(job, whole, type, &out));
    made->height = out.height;
    made->band = from->band + (out.height != from->height);
    if (made->band > PLAN_BANDS)
        return fail(STATUS_USAGE, "more than %d changes of a picture's height", PLAN_BANDS);
    const bool changes = made->band > from->band;
    op_parts(op)->cut(job, changes ? whole[0] : from->shape,
                      !changes         ? from->shape.height
                      : plan->part.cut ? plan->part.bands[made->band - 1]
                                       : out.height);
    return STATUS_OK;
}

void plan_inherit_rows(const Plan *plan, const int in[STAGE_INPUTS], Value *made) {
    for (int k = 0; k < STAGE_INPUTS && made->height == 0; k++)
        if (in[k] != PLAN_NONE && plan->values[in[k]].shape.height == made->shape.height) {
            made->height = plan->values[in[k]].height;
            made->band = plan->values[in[k]].band;
        }
    made->height = made->height > 0 ? made->height : made->shape.height;
}
