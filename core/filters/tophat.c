/* tophat.c: what an opening or a closing removes. */
#include "core/filters/window.h"

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
    Mask *element;
    TRY(window_element(&v->window, &element));
    const bool black = v->of > 0;
    int value;
    Status status =
        black ? plan_reflected(to, in, element, true, &value) : plan_morphology(to, in, element, false, &value);
    if (status == STATUS_OK)
        status = black ? plan_morphology(to, value, element, false, &value)
                       : plan_reflected(to, value, element, true, &value);
    if (status == STATUS_OK)
        status = plan_apart(to, in, value, out);
    mask_destroy(&element);
    return status;
}

const Filter filter_tophat = {
    .name = "tophat",
    .category = FILTER_RANK,
    .help = "Shows the parts into which the structuring element does not fit: bright ones (picture minus opening) or "
            "dark ones (closing minus picture).",
    .definition = "As scipy.ndimage.white_tophat and black_tophat with a flat footprint; alpha stays as it is.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
