/* median.c: the value in the middle of a window. */
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
    return plan_rank(to, in, window, element_count(window) / 2, out);
}

const Filter filter_median = {
    .name = "median",
    .category = FILTER_RANK,
    .help = "Takes the value in the middle of the sorted window, which removes specks and keeps edges.",
    .definition = "As scipy.ndimage.median_filter: of n values, number n / 2, rounded down, counted from 0; of colours "
                  "times alpha "
                  "where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
