/* straighten.c: a level horizon: the picture turned a little, and cut to what is full. */
#include "core/chain/filters/turned.h"

#include <math.h>

enum { CROP_LARGEST, CROP_PROPORTIONS };

typedef struct Values {
    double degrees, crop, kernel;
} Values;

static const Param params[] = {
    {"degrees", "how far, clockwise", PARAM_CLOCKWISE, PARAM_NUMBER, offsetof(Values, degrees), -45, 0, 45, 0.1},
    {"crop", "the result: the largest rectangle inside the turned picture, or the largest of the picture's proportions",
     "largest|proportions", PARAM_CHOICE, offsetof(Values, crop), CROP_LARGEST, CROP_LARGEST, CROP_PROPORTIONS, 1},
    PARAM_KERNEL(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const Size of = {(double)shape.width, (double)shape.height};
    const double cosine = cos(v->degrees * M_PI / 180), sine = fabs(sin(v->degrees * M_PI / 180));
    return turned_plan(to, in, v->degrees,
                       (int)v->crop == CROP_LARGEST ? turned_largest(of, cosine, sine)
                                                    : turned_inside(of, cosine, sine),
                       (WarpKernel)v->kernel, NULL, out);
}

const Filter filter_straighten = {
    .name = "straighten",
    .category = FILTER_GEOMETRY,
    .help = "Makes a horizon level: turns the picture, and cuts out the largest rectangle that is full.",
    .definition =
        "OpenCV's warpAffine with getRotationMatrix2D around the middle, weights unrounded. With the angle a, "
        "and sides l >= s, the largest rectangle has sides s / (2 sin a) and s / (2 cos a) if s <= l sin 2a. "
        "Else its sides are (l cos a - s sin a) / cos 2a and (s cos a - l sin a) / cos 2a.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "4",
    .begin = "0",
};
