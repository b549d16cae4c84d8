/* window.c: filters over windows and structuring elements, as stages of rank and morphology. */
#include "core/filters/window.h"

#include "core/ops/morphology.h"
#include "core/ops/rank.h"

Status window_element(const WindowValues *values, Mask **element) {
    return values->element     ? element_parse(values->element, element)
           : values->shape > 0 ? element_disk((int)values->radius, element)
                               : element_box((int)values->radius, element);
}

static Status append(Plan *plan, const Op *op, void *job, int in, int *out) {
    return plan_append(plan, op, job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                       plan_value_shape(plan, in).type, out);
}

Status plan_rank(Plan *plan, int in, Mask *window, int rank, int *out) {
    const int last = element_count(window) - 1;
    const Border border = plan_options(plan)->border;
    if (rank > 0 && rank < last)
        return append(plan, &op_rank, &(RankJob){window, rank, border}, in, out);
    return append(plan, &op_morphology, &(MorphologyJob){window, rank > 0, border}, in, out);
}

Status plan_morphology(Plan *plan, int in, const Mask *element, bool maximum, int *out) {
    MorphologyJob job = {.maximum = maximum, .border = plan_options(plan)->border};
    TRY(mask_clone(element, &job.element));
    return append(plan, &op_morphology, &job, in, out);
}

Status plan_reflected(Plan *plan, int in, const Mask *element, bool maximum, int *out) {
    MorphologyJob job = {.maximum = maximum, .border = plan_options(plan)->border};
    TRY(element_reflect(element, &job.element));
    return append(plan, &op_morphology, &job, in, out);
}

Status plan_apart(Plan *plan, int a, int b, int *out) {
    return plan_point(plan, POINT_difference, a, b, plan_value_shape(plan, a).type, out);
}
