/* erode.c: the minimum under a structuring element. */
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
    const Status status = plan_morphology(to, in, element, false, out);
    mask_destroy(&element);
    return status;
}

const Filter filter_erode = {
    .name = "erode",
    .category = FILTER_RANK,
    .help = "Takes the minimum under a structuring element: dark parts grow.",
    .definition = "As scipy.ndimage.grey_erosion with a flat footprint; NaN counts as larger than all numbers.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
