/* plan_part.c: a plan's facts about the picture that its own is a part of. */
#include "core/plan/plan_part.h"

#include "core/plan/plan_internal.h"

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
