/* percentile.c: the value of a given share of a window. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
    double percentile;
} Values;

static const Param params[] = {
    {"percentile", "share of the window's values that lie below the result", "%", PARAM_NUMBER,
     offsetof(Values, percentile), 0, 50, 100, 5},
    WINDOW_PARAMS(Values),
};

/* The rank as scipy has it: the share rounded down, and the last at 100. */
static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Mask *window;
    TRY(window_element(&v->window, &window));
    const int count = element_count(window), rank = (int)(count * v->percentile / 100);
    return plan_rank(to, in, window, rank < count ? rank : count - 1, out);
}

const Filter filter_percentile = {
    .name = "percentile",
    .category = FILTER_RANK,
    .help = "Takes the value below which a share of the sorted window lies.",
    .definition = "As scipy.ndimage.percentile_filter: of n values, number n * percentile / 100, rounded down, counted "
                  "from 0; at 100 the last. Colours are times alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
