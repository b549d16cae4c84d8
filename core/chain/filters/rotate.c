/* rotate.c: turned pictures. */
#include "core/chain/filters/turned.h"

#include <math.h>

typedef struct Values {
    double degrees, size, kernel;
    char *colour;
} Values;

enum { SIZE_GROW, SIZE_KEEP, SIZE_INSIDE };

static const Param params[] = {
    {"degrees", "how far, clockwise; quarter turns move whole pixels", PARAM_CLOCKWISE, PARAM_NUMBER,
     offsetof(Values, degrees), -360, 90, 360, 1},
    {"size",
     "the result's size: grown to hold all, kept with corners cut, or the largest of these proportions that lies "
     "inside the picture",
     "grow|keep|inside", PARAM_CHOICE, offsetof(Values, size), SIZE_GROW, SIZE_GROW, SIZE_INSIDE, 1},
    PARAM_KERNEL(Values),
    PARAM_COLOUR(Values),
};

/* Where `wanted` pixels in the middle of `n` begin; before the first if they are more. */
static ptrdiff_t middle(size_t n, size_t wanted) {
    return (ptrdiff_t)floor(((double)n - (double)wanted) / 2);
}

/* By 0 to 3 quarters. */
static Status turn(Plan *to, int in, int quarters, const Values *v, int *out) {
    const Shape shape = plan_value_shape(to, in);
    MoveJob job = {.width = quarters % 2 ? shape.height : shape.width,
                   .height = quarters % 2 ? shape.width : shape.height,
                   .transpose = quarters % 2 == 1,
                   .mirror_x = quarters == 1 || quarters == 2,
                   .mirror_y = quarters == 2 || quarters == 3};
    Outside outside;
    TRY(plan_outside(to, in, v->colour, &outside));
    if ((int)v->size == SIZE_KEEP) {
        job.left = middle(job.width, shape.width);
        job.top = middle(job.height, shape.height);
        job.width = shape.width;
        job.height = shape.height;
    }
    job.border = outside.border;
    for (int c = 0; c < shape.channels; c++)
        job.outside[c] = outside.pixel[c];
    *out = in;
    return quarters == 0 ? STATUS_OK : plan_move(to, in, job, out);
}

/* The smallest picture that all of the turned one fits into. */
static Size grown(Size of, double cosine, double sine) {
    const double hair = 1e-9; /* an upper bound of the part that rounding adds to a whole side */
    return (Size){ceil(of.width * cosine + of.height * sine - hair), ceil(of.width * sine + of.height * cosine - hair)};
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const double quarters = v->degrees / 90;
    if (!(fabs(quarters - nearbyint(quarters)) > 0))
        return turn(to, in, ((int)quarters % 4 + 4) % 4, v, out);
    const Size of = {(double)shape.width, (double)shape.height};
    const double cosine = fabs(cos(v->degrees * M_PI / 180)), sine = fabs(sin(v->degrees * M_PI / 180));
    const Size size = (int)v->size == SIZE_KEEP     ? of
                      : (int)v->size == SIZE_INSIDE ? turned_inside(of, cosine, sine)
                                                    : grown(of, cosine, sine);
    return turned_plan(to, in, v->degrees, size, (WarpKernel)v->kernel, v->colour, out);
}

const Filter filter_rotate = {
    .name = "rotate",
    .category = FILTER_GEOMETRY,
    .help = "The picture turned, by quarters exactly, by any angle between its pixels.",
    .definition =
        "numpy.rot90 for quarters; else OpenCV's warpAffine with getRotationMatrix2D around the middle, weights "
        "unrounded.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0:inside",
};
