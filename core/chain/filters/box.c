/* box.c: the mean of a rectangle. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double width, height;
} Values;

static const Param params[] = {
    {"width", "width of the rectangle", "pixels", PARAM_WHOLE, offsetof(Values, width), 1, 3, MASK_MAX, 2},
    {"height", "height of the rectangle; 0 takes the width", "pixels", PARAM_WHOLE, offsetof(Values, height), 0, 0,
     MASK_MAX, 2},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    Mask *mask;
    TRY(mask_box((int)v->width, (int)(v->height > 0 ? v->height : v->width), &mask));
    return plan_convolve(to, in, mask, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_box = {
    .name = "box",
    .category = FILTER_LINEAR,
    .help = "Takes the mean of the rectangle around each pixel.",
    .definition = "scipy.ndimage.uniform_filter: the mean of the rectangle.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
