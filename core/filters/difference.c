/* difference.c: how far two images are apart, value by value; or what the filters before it have changed. */
#include "core/filters/filters.h"

typedef struct Values {
    char *file;
} Values;

static const Param params[] = {
    {"file", "another image, of the same size and channels; without it, the picture as it was before the chain", "",
     PARAM_IMAGE, offsetof(Values, file), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    int other;
    TRY(v->file ? plan_image(to, v->file, &other) : plan_picture(to, &other));
    return plan_point(to, POINT_difference, in, other, plan_value_shape(to, in).type, out);
}

const Filter filter_difference = {
    .name = "difference",
    .category = FILTER_TWO_PICTURES,
    .help = "Shows how far each value is from another image's, or from what it was before the chain.",
    .definition = "The absolute difference of two values, as in W3C Compositing and Blending Level 1.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
