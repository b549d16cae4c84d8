/* close.c: a dilation and then an erosion. */
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
    int dilated;
    Status status = plan_reflected(to, in, element, true, &dilated);
    if (status == STATUS_OK)
        status = plan_morphology(to, dilated, element, false, out);
    mask_destroy(&element);
    return status;
}

const Filter filter_close = {
    .name = "close",
    .category = FILTER_RANK,
    .help = "Fills dark parts into which the structuring element does not fit: a dilation, then an erosion.",
    .definition = "As scipy.ndimage.grey_closing with a flat footprint; NaN counts as larger than all numbers.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
