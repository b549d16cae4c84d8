/* gradient.c: a dilation minus an erosion. */
#include "core/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Mask *element;
    TRY(window_element(&v->window, &element));
    int dilated, eroded;
    Status status = plan_reflected(to, in, element, true, &dilated);
    if (status == STATUS_OK)
        status = plan_morphology(to, in, element, false, &eroded);
    if (status == STATUS_OK)
        status = plan_apart(to, dilated, eroded, out);
    mask_destroy(&element);
    return status;
}

const Filter filter_gradient = {
    .name = "gradient",
    .category = FILTER_RANK,
    .help = "Shows edges as the difference of a dilation and an erosion.",
    .definition = "As scipy.ndimage.morphological_gradient with a flat footprint, in absolute value; alpha is that of "
                  "the dilation.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
