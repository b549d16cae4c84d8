/* pad.c: more pixels around the picture. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double size, left, right, top, bottom;
    char *colour;
} Values;

#define SIDE(name, help)                                                                                               \
    { #name, help, "pixels", PARAM_WHOLE, offsetof(Values, name), -1, -1, 1000000, 4 }

static const Param params[] = {
    {"size", "pixels on each side", "pixels", PARAM_WHOLE, offsetof(Values, size), 0, 16, 1000000, 4},
    SIDE(left, "columns on the left; -1: size"),
    SIDE(right, "columns on the right; -1: size"),
    SIDE(top, "rows above; -1: size"),
    SIDE(bottom, "rows below; -1: size"),
    PARAM_COLOUR(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_whole_shape(to, in);
    const double left = v->left < 0 ? v->size : v->left, right = v->right < 0 ? v->size : v->right;
    const double top = v->top < 0 ? v->size : v->top, bottom = v->bottom < 0 ? v->size : v->bottom;
    MoveJob job = {.width = shape.width + (size_t)left + (size_t)right,
                   .height = shape.height + (size_t)top + (size_t)bottom,
                   .left = -(ptrdiff_t)left,
                   .top = -(ptrdiff_t)top};
    Outside outside;
    TRY(plan_outside(to, in, v->colour, &outside));
    job.border = outside.border;
    for (int c = 0; c < shape.channels; c++)
        job.outside[c] = outside.pixel[c];
    return plan_move(to, in, job, out);
}

const Filter filter_pad = {
    .name = "pad",
    .category = FILTER_GEOMETRY,
    .help = "More pixels around the picture, in a colour or as the border continues it.",
    .definition = "numpy.pad with the modes edge (clamp), reflect (mirror), wrap and constant.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
