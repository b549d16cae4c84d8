/* levels.c: the range from black to white, stretched over another. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double black, white, gamma, low, high;
} Values;

static const Param params[] = {
    {"black", "the value that becomes the darkest, with all below", "percent of full intensity", PARAM_NUMBER,
     offsetof(Values, black), 0, 5, 100, 1},
    {"white", "the value that becomes the brightest, with all above", "percent of full intensity", PARAM_NUMBER,
     offsetof(Values, white), 0, 95, 100, 1},
    {"gamma", "the exponent in between is 1 / gamma", "", PARAM_NUMBER, offsetof(Values, gamma), 0.05, 1, 20, 0.05},
    {"low", "the darkest value of the result", "percent of full intensity", PARAM_NUMBER, offsetof(Values, low), 0, 0,
     100, 1},
    {"high", "the brightest value of the result", "percent of full intensity", PARAM_NUMBER, offsetof(Values, high), 0,
     100, 100, 1},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    if (!(v->black < v->white))
        return fail(STATUS_USAGE, "levels: black %g and white %g, want black below white", v->black, v->white);
    const double parameters[] = {v->black / 100, 100 / (v->white - v->black), 1 / v->gamma, (v->high - v->low) / 100,
                                 v->low / 100};
    return plan_function(to, POINT_levels, parameters, 5, in, out);
}

const Filter filter_levels = {
    .name = "levels",
    .category = FILTER_POINT,
    .help = "Stretches the range from a black point to a white point.",
    .definition = "As ImageMagick's -level black,white,gamma and +level low,high.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0:100",
};
