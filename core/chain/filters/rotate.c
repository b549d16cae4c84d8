/* rotate.c: turned pictures. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double degrees, keep, kernel;
    char *colour;
} Values;

static const Param params[] = {
    {"degrees", "how far, clockwise; quarter turns move whole pixels", PARAM_CLOCKWISE, PARAM_NUMBER,
     offsetof(Values, degrees), -360, 90, 360, 1},
    {"size", "whether the result grows so that all is in it, or keeps its size and cuts the corners", "grow|keep",
     PARAM_CHOICE, offsetof(Values, keep), 0, 0, 1, 1},
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
    if (v->keep > 0) {
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

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const double quarters = v->degrees / 90;
    if (!(fabs(quarters - nearbyint(quarters)) > 0))
        return turn(to, in, ((int)quarters % 4 + 4) % 4, v, out);
    const double width = (double)shape.width, height = (double)shape.height;
    const double cosine = cos(v->degrees * M_PI / 180), sine = sin(v->degrees * M_PI / 180);
    const double hair = 1e-9; /* an upper bound of the part that rounding adds to a whole side */
    const double wide = v->keep > 0 ? width : ceil(fabs(width * cosine) + fabs(height * sine) - hair);
    const double high = v->keep > 0 ? height : ceil(fabs(width * sine) + fabs(height * cosine) - hair);
    const double x = (wide - 1) / 2, y = (high - 1) / 2, u = (width - 1) / 2, w = (height - 1) / 2;
    return plan_warp(to, in,
                     (WarpWish){.width = (size_t)wide,
                                .height = (size_t)high,
                                .map = {.matrix = {cosine, sine, u - cosine * x - sine * y, -sine, cosine,
                                                   w + sine * x - cosine * y, 0, 0, 1}},
                                .kernel = (WarpKernel)v->kernel,
                                .colour = v->colour},
                     out);
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
};
