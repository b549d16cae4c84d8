/* flip.c: mirrored pictures. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double direction;
} Values;

static const Param params[] = {
    {"direction", "the sides that change places: left and right, top and bottom, or both", "horizontal|vertical|both",
     PARAM_CHOICE, offsetof(Values, direction), 0, 0, 2, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const int direction = (int)((const Values *)values)->direction;
    const Shape shape = plan_whole_shape(to, in);
    return plan_move(to, in,
                     (MoveJob){.width = shape.width,
                               .height = shape.height,
                               .mirror_x = direction != 1,
                               .mirror_y = direction != 0,
                               .border = BORDER_CLAMP},
                     out);
}

const Filter filter_flip = {
    .name = "flip",
    .category = FILTER_GEOMETRY,
    .help = "The picture mirrored.",
    .definition = "numpy.fliplr, numpy.flipud, and both.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
