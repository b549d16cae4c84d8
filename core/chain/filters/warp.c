/* warp.c: the picture seen from elsewhere. */
#include "core/chain/filters/filters.h"

#include "core/param/homography.h"

#include <string.h>

typedef struct Values {
    char *matrix;
    double width, height, kernel;
    char *colour;
} Values;

static const Param params[] = {
    {.name = "matrix",
     .help =
         "the map from the picture's coordinates to the result's: 3 x 3 numbers row by row, or 2 x 3 of an affine map",
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

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    Homography matrix = homography_identity(), inverse;
    const int count = v->matrix ? filter_numbers(v->matrix, matrix.m, 9) : 0;
    WarpWish wish = {.width = v->width > 0 ? (size_t)v->width : shape.width,
                     .height = v->height > 0 ? (size_t)v->height : shape.height,
                     .kernel = (WarpKernel)v->kernel,
                     .colour = v->colour};
    if (count != 6 && count != 9)
        return fail(STATUS_USAGE,
                    "warp: the matrix is \"%s\", want 9 numbers, or 6 of an affine map, as in "
                    "'1 0.2 0  0 1 0'",
                    v->matrix ? v->matrix : "");
    if (!homography_invert(&matrix, &inverse))
        return fail(STATUS_USAGE, "warp: the matrix \"%s\" has no inverse: it takes the picture to a line", v->matrix);
    memcpy(wish.map.matrix, inverse.m, sizeof inverse.m);
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
    .begin = "'1 0 0 0 1 0'",
};
