/* warp.c: the picture seen from elsewhere. */
#include "core/filters/filters.h"

#include <float.h>
#include <math.h>

typedef struct Values {
    char *matrix;
    double width, height, kernel;
    char *colour;
} Values;

static const Param params[] = {
    {.name = "matrix",
     .help =
         "what takes the picture's coordinates to the result's: 3 x 3 numbers row by row, or 2 x 3 of an affine map",
     .unit = PARAM_HOMOGRAPHY,
     .kind = PARAM_TEXT,
     .offset = offsetof(Values, matrix)},
    {"width", "columns of the result; 0: the picture's", "pixels", PARAM_WHOLE, offsetof(Values, width), 0, 0, 1000000,
     16},
    {"height", "rows of the result; 0: the picture's", "pixels", PARAM_WHOLE, offsetof(Values, height), 0, 0, 1000000,
     16},
    PARAM_KERNEL(Values),
    PARAM_COLOUR(Values),
};

/* False if there is none. */
static bool invert(const double m[9], double inverse[9]) {
    const double a = m[4] * m[8] - m[5] * m[7], b = m[5] * m[6] - m[3] * m[8], c = m[3] * m[7] - m[4] * m[6];
    const double determinant = m[0] * a + m[1] * b + m[2] * c;
    if (!(fabs(determinant) > DBL_MIN) || !isfinite(determinant))
        return false;
    const double adjugate[9] = {a, m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                                b, m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                                c, m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    for (int i = 0; i < 9; i++)
        inverse[i] = adjugate[i] / determinant;
    return true;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    double matrix[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const int count = v->matrix ? filter_numbers(v->matrix, matrix, 9) : 0;
    WarpWish wish = {.width = v->width > 0 ? (size_t)v->width : shape.width,
                     .height = v->height > 0 ? (size_t)v->height : shape.height,
                     .kernel = (WarpKernel)v->kernel,
                     .colour = v->colour};
    if (count != 6 && count != 9)
        return fail(STATUS_USAGE,
                    "warp: the matrix is \"%s\", want 9 numbers, or 6 of an affine map, as in "
                    "'1 0.2 0  0 1 0'",
                    v->matrix ? v->matrix : "");
    if (!invert(matrix, wish.map.matrix))
        return fail(STATUS_USAGE, "warp: the matrix \"%s\" has no inverse: it takes the picture to a line", v->matrix);
    return plan_warp(to, in, wish, out);
}

const Filter filter_warp = {
    .name = "warp",
    .category = FILTER_GEOMETRY,
    .help = "The picture through a homography of your own: from another side, sheared, moved by parts of pixels.",
    .definition = "OpenCV's warpPerspective with weights that are not rounded to 1/32; cubic is Catmull and Rom's.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "'1 0.2 0 0 1 0'",
};
