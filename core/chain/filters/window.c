/* window.c: filters over windows and structuring elements, as stages of rank and morphology. */
#include "core/chain/filters/window.h"

#include "core/ops/morphology.h"
#include "core/ops/rank.h"

const Param window_params[] = {
    WINDOW_PARAMS(WindowAlone),
};

Status window_element(const WindowValues *values, Mask **element) {
    return values->element     ? element_parse(values->element, element)
           : values->shape > 0 ? element_disk((int)values->radius, element)
                               : element_box((int)values->radius, element);
}

static Status append(Plan *plan, const Op *op, void *job, int in, int *out) {
    return plan_append(plan, op, job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                       plan_value_shape(plan, in).type, out);
}

typedef struct Ranked {
    Mask *window;
    int rank;
} Ranked;

static Status append_rank(Plan *plan, int in, PixelType type, void *context, int *out) {
    Ranked *ranked = context;
    Mask *window = ranked->window;
    const int rank = ranked->rank, last = element_count(window) - 1;
    const Border border = plan_border(plan, in);
    (void)type;
    ranked->window = NULL;
    if (rank > 0 && rank < last)
        return append(plan, &op_rank, &(RankJob){window, rank, border}, in, out);
    return append(plan, &op_morphology, &(MorphologyJob){window, rank > 0, border}, in, out);
}

Status plan_rank(Plan *plan, int in, Mask *window, int rank, int *out) {
    Ranked ranked = {window, rank};
    const Status status = plan_premultiplied_exactly(plan, in, plan_value_shape(plan, in).type,
                                                     (PlanInner){append_rank, &ranked, 1, true}, out);
    mask_destroy(&ranked.window);
    return status;
}

/* ---- morphology ---- */

static Status append_morphology(Plan *plan, int in, Mask *element, bool maximum, int *out) {
    return append(plan, &op_morphology, &(MorphologyJob){element, maximum, plan_border(plan, in)}, in, out);
}

static Status erode(Plan *plan, int in, const Mask *element, int *out) {
    Mask *copy;
    TRY(mask_clone(element, &copy));
    return append_morphology(plan, in, copy, false, out);
}

/* The maximum under the element reflected. */
static Status dilate(Plan *plan, int in, const Mask *element, int *out) {
    Mask *reflected;
    TRY(element_reflect(element, &reflected));
    return append_morphology(plan, in, reflected, true, out);
}

/* How far the values of `a` and `b` are apart; alpha is that of `a`. */
static Status apart(Plan *plan, int a, int b, int *out) {
    return plan_point(plan, POINT_difference, a, b, plan_value_shape(plan, a).type, out);
}

typedef struct Morphology {
    MorphologyKind kind;
    const Mask *element;
} Morphology;

static Status append_kind(Plan *plan, int in, PixelType type, void *context, int *out) {
    const Morphology *of = context;
    const MorphologyKind kind = of->kind;
    int value = in, other = in;
    (void)type;
    if (kind == MORPHOLOGY_ERODE || kind == MORPHOLOGY_OPEN || kind == MORPHOLOGY_WHITE)
        TRY(erode(plan, in, of->element, &value));
    else
        TRY(dilate(plan, in, of->element, &value));
    if (kind == MORPHOLOGY_OPEN || kind == MORPHOLOGY_WHITE)
        TRY(dilate(plan, value, of->element, &value));
    if (kind == MORPHOLOGY_CLOSE || kind == MORPHOLOGY_BLACK)
        TRY(erode(plan, value, of->element, &value));
    *out = value;
    if (kind == MORPHOLOGY_GRADIENT) {
        TRY(erode(plan, in, of->element, &other));
        return apart(plan, value, other, out);
    }
    return kind == MORPHOLOGY_WHITE || kind == MORPHOLOGY_BLACK ? apart(plan, in, value, out) : STATUS_OK;
}

Status plan_morphology(Plan *plan, int in, const WindowValues *values, MorphologyKind kind, int *out) {
    Mask *element;
    TRY(window_element(values, &element));
    const Status status =
        plan_premultiplied_exactly(plan, in, plan_value_shape(plan, in).type,
                                   (PlanInner){append_kind, &(Morphology){kind, element}, 1, true}, out);
    mask_destroy(&element);
    return status;
}
