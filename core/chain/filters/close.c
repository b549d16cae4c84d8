/* close.c: a dilation and then an erosion. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_morphology(to, in, &((const Values *)values)->window, MORPHOLOGY_CLOSE, out);
}

const Filter filter_close = {
    .name = "close",
    .category = FILTER_RANK,
    .help = "Fills dark parts into which the structuring element does not fit: a dilation, then an erosion.",
    .definition =
        "As scipy.ndimage.grey_closing with a flat footprint; NaN counts as larger than all numbers; of colours times "
        "alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
