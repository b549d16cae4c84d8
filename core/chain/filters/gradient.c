/* gradient.c: a dilation minus an erosion. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_morphology(to, in, &((const Values *)values)->window, MORPHOLOGY_GRADIENT, out);
}

const Filter filter_gradient = {
    .name = "gradient",
    .category = FILTER_RANK,
    .help = "Shows edges as the difference of a dilation and an erosion.",
    .definition = "As scipy.ndimage.morphological_gradient with a flat footprint, in absolute value, of colours times "
                  "alpha where there is some; alpha is that of the dilation.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
