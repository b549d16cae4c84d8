/* geometry.c: the maps of stages, from the result backwards. */
#include "core/plan/geometry.h"

/* A stage without a map that makes another size does not show its input pixel by pixel. */
static Origin origin_of_stage(const Stage *stage, Homography *map) {
    const Shape in[STAGE_INPUTS] = {stage->in[0].shape, stage->in[1].shape, stage->in[2].shape}, out = stage->out.shape;
    *map = homography_identity();
    if (stage->op->origin)
        return stage->op->origin(stage->job, in, map);
    return in[0].width == out.width && in[0].height == out.height ? ORIGIN_EXACT : ORIGIN_NONE;
}

static Origin worse(Origin a, Origin b) {
    return a > b ? a : b;
}

Geometry plan_geometry(const Plan *plan) {
    int value = plan_result(plan);
    Geometry geometry = {plan_value_shape(plan, value), ORIGIN_EXACT, homography_identity(), 0};
    while (value != PLAN_NONE && value != plan_unfiltered(plan)) {
        const int number = plan_value_stage(plan, value);
        if (number == PLAN_NONE)
            break;
        const PlanStage *stage = plan_stage(plan, (size_t)number);
        Homography map;
        geometry.origin = worse(geometry.origin, origin_of_stage(&stage->stage, &map));
        geometry.to_picture = homography_join(&geometry.to_picture, &map);
        value = stage->from[0];
    }
    if (value == PLAN_NONE || value != plan_unfiltered(plan))
        geometry.origin = ORIGIN_NONE;
    return geometry;
}

Geometry geometry_join(const Geometry *first, const Geometry *then) {
    return (Geometry){then->result, worse(first->origin, then->origin),
                      homography_join(&then->to_picture, &first->to_picture), first->link ? first->link : then->link};
}
