/* rank.c: the filters that take a value of a given rank in a window, a row each. */
#include "core/chain/filters/window.h"

/* `rank` counts from 0 among the `count` values of the window. */
#define RANK(filter, rank, about, source)                                                                              \
    static Status plan_##filter(const void *values, Plan *to, int in, int *out) {                                      \
        Mask *window;                                                                                                  \
        TRY(window_element(&((const WindowAlone *)values)->window, &window));                                          \
        __attribute__((unused)) const int count = element_count(window);                                               \
        return plan_rank(to, in, window, rank, out);                                                                   \
    }                                                                                                                  \
    WINDOW_FILTER(filter, about, source)

RANK(median, count / 2, "Takes the value in the middle of the sorted window, which removes specks and keeps edges.",
     "As scipy.ndimage.median_filter: of n values, number n / 2, rounded down, counted from 0; of colours times alpha "
     "where there is some.")
RANK(minimum, 0, "Takes the smallest value of the window.",
     "As scipy.ndimage.minimum_filter; NaN counts as larger than all numbers; of colours times alpha where there is "
     "some.")
RANK(maximum, count - 1, "Takes the largest value of the window.",
     "As scipy.ndimage.maximum_filter; NaN counts as larger than all numbers; of colours times alpha where there is "
     "some.")

/* The percentile has a parameter of its own. */
typedef struct PercentileValues {
    WindowValues window;
    double percentile;
} PercentileValues;

static const Param percentile_params[] = {
    {"percentile", "share of the window's values that lie below the result", "%", PARAM_NUMBER,
     offsetof(PercentileValues, percentile), 0, 50, 100, 5},
    WINDOW_PARAMS(PercentileValues),
};

/* The rank as scipy has it: the share rounded down, and the last at 100. */
static Status plan_percentile(const void *values, Plan *to, int in, int *out) {
    const PercentileValues *v = values;
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
    .table = PARAM_TABLE(percentile_params, PercentileValues),
    .plan = plan_percentile,
};
