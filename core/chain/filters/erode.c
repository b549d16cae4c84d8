/* erode.c: the minimum under a structuring element. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    return plan_morphology(to, in, &((const Values *)values)->window, MORPHOLOGY_ERODE, out);
}

const Filter filter_erode = {
    .name = "erode",
    .category = FILTER_RANK,
    .help = "Takes the minimum under a structuring element: dark parts grow.",
    .definition =
        "As scipy.ndimage.grey_erosion with a flat footprint; NaN counts as larger than all numbers; of colours times "
        "alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
