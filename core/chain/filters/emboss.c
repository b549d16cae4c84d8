/* emboss.c: a relief, lit from one side. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double depth, angle;
} Values;

static const Param params[] = {
    {"depth", "height of the relief", "", PARAM_NUMBER, offsetof(Values, depth), 0, 1, 10, 0.1},
    {"angle", "where the light comes from, counterclockwise from the right", PARAM_COUNTERCLOCKWISE, PARAM_NUMBER,
     offsetof(Values, angle), -180, 135, 180, 15},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const double turn = v->angle * M_PI / 180;
    const double across = -M_SQRT2 * v->depth * cos(turn), down = M_SQRT2 * v->depth * sin(turn); /* rows go down */
    float weights[9];
    for (int i = 0; i < 9; i++)
        weights[i] = (float)(across * (i % 3 - 1) + down * (i / 3 - 1));
    weights[4] = 1;
    return plan_convolve_3x3(to, in, weights, 1, 0, plan_value_shape(to, in).type, out);
}

const Filter filter_emboss = {
    .name = "emboss",
    .category = FILTER_LINEAR,
    .help = "Makes the picture a relief, lit from one side; bright parts are high.",
    .definition = "The picture minus its derivative towards the light, sqrt(2) depth (x cos angle + y sin angle) over "
                  "3 x 3 pixels, y upwards. At 135 degrees the weights are -2 -1 0 -1 1 1 0 1 2.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
