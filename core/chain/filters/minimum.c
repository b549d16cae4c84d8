/* minimum.c: the smallest value of a window. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Mask *window;
    TRY(window_element(&v->window, &window));
    return plan_rank(to, in, window, 0, out);
}

const Filter filter_minimum = {
    .name = "minimum",
    .category = FILTER_RANK,
    .help = "Takes the smallest value of the window.",
    .definition = "As scipy.ndimage.minimum_filter; NaN counts as larger than all numbers; of colours times "
                  "alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
