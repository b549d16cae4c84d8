/* difference.c: how far two images are apart, value by value; or how far the filters before it have changed the
 * picture. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    char *file;
} Values;

static const Param params[] = {
    {"file", "another image, of the same size and channels; without it, the original", PARAM_LIGHT, PARAM_IMAGE,
     offsetof(Values, file), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Shape shape = plan_value_shape(to, in);
    const bool weighed = shape_has_alpha(shape) && plan_options(to)->alpha == ALPHA_PREMULTIPLY;
    int other;
    TRY(plan_input(to, &filter_difference, "file", values, &other));
    TRY(plan_alike(to, in, &other));
    return plan_point(to, weighed && !plan_value_premultiplied(to, in) ? POINT_difference_seen : POINT_difference, in,
                      other, shape.type, out);
}

const Filter filter_difference = {
    .name = "difference",
    .category = FILTER_TWO_PICTURES,
    .help = "Shows the distance of each value from another image's, or from its value before the chain.",
    .definition = "The absolute difference of two values, as in W3C Compositing and Blending Level 1, of colours times "
                  "alpha where there is some; alpha stays.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
