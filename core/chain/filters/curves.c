/* curves.c: a curve through points of the user's choice. */
#include "core/image/knots.h"

#include "core/chain/filters/filters.h"

typedef struct Values {
    char *points;
} Values;

static const Param params[] = {
    {"points", "pairs of a value and its new value, ascending, ';' between them: 0 0; 25 15; 100 100", PARAM_CURVE,
     PARAM_TEXT, offsetof(Values, points), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const char *text = ((const Values *)values)->points;
    double parameters[KNOT_PARAMETERS];
    Knots knots;
    TRY(knots_parse(text ? text : "", &knots));
    const int count = knots_parameters(&knots, parameters);
    return plan_function(to, POINT_curve, parameters, count, in, out);
}

const Filter filter_curves = {
    .name = "curves",
    .category = FILTER_POINT,
    .help = "Bends brightness along a smooth curve through given points.",
    .definition =
        "F. Fritsch and J. Butland, A Method for Constructing Local Monotone Piecewise Cubic Interpolants, 1984, "
        "after F. Fritsch and R. Carlson, 1980; as scipy.interpolate.PchipInterpolator.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "0 0; 25 15; 75 85; 100 100",
    .begin = "0 0; 100 100",
};
