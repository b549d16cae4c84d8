/* tophat.c: the details that an opening or a closing removes. */
#include "core/chain/filters/window.h"

typedef struct Values {
    WindowValues window;
    double of;
} Values;

static const Param params[] = {
    WINDOW_PARAMS(Values),
    {"of", "white: bright parts; black: dark parts", "white|black", PARAM_CHOICE, offsetof(Values, of), 0, 0, 1, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    return plan_morphology(to, in, &v->window, v->of > 0 ? MORPHOLOGY_BLACK : MORPHOLOGY_WHITE, out);
}

const Filter filter_tophat = {
    .name = "tophat",
    .category = FILTER_RANK,
    .help = "Shows the parts into which the structuring element does not fit: bright ones (picture minus opening) or "
            "dark ones (closing minus picture).",
    .definition = "As scipy.ndimage.white_tophat and black_tophat with a flat footprint, of colours times alpha where "
                  "there is some; alpha stays as it is.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
