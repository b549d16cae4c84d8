/* open.c: an erosion and then a dilation. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_morphology(to, in, &((const Values *)values)->window, MORPHOLOGY_OPEN, out);
}

const Filter filter_open = {
    .name = "open",
    .category = FILTER_RANK,
    .help = "Removes bright parts into which the structuring element does not fit: an erosion, then a dilation.",
    .definition =
        "As scipy.ndimage.grey_opening with a flat footprint; NaN counts as larger than all numbers; of colours times "
        "alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
