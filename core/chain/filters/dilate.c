/* dilate.c: the maximum under the reflected structuring element. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_morphology(to, in, &((const Values *)values)->window, MORPHOLOGY_DILATE, out);
}

const Filter filter_dilate = {
    .name = "dilate",
    .category = FILTER_RANK,
    .help = "Takes the maximum under the reflected structuring element: bright parts grow.",
    .definition =
        "As scipy.ndimage.grey_dilation with a flat footprint; NaN counts as larger than all numbers; of colours times "
        "alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
