/* distort.c: lenses. */
#include "core/chain/filters/filters.h"

#include <math.h>

typedef struct Values {
    double k1, k2, k3, p1, p2, x, y, focal, kernel;
    char *colour;
} Values;

#define COEFFICIENT(name, help, first)                                                                                 \
    { #name, help, "", PARAM_NUMBER, offsetof(Values, name), -10, first, 10, 0.01 }

static const Param params[] = {
    COEFFICIENT(k1, "radial distortion of the lens, by the square of the distance from its centre", -0.1),
    COEFFICIENT(k2, "the same, by the 4th power", 0),
    COEFFICIENT(k3, "the same, by the 6th power", 0),
    COEFFICIENT(p1, "tangential distortion, down", 0),
    COEFFICIENT(p2, "tangential distortion, across", 0),
    {"x", "the centre's column, from 0; -1: in the middle", PARAM_COLUMN, PARAM_NUMBER, offsetof(Values, x), -1, -1,
     1000000, 16},
    {"y", "the centre's row; -1: in the middle", PARAM_ROW, PARAM_NUMBER, offsetof(Values, y), -1, -1, 1000000, 16},
    {"focal", "the distance that counts as 1; 0: from the middle to a corner", "pixels", PARAM_NUMBER,
     offsetof(Values, focal), 0, 0, 1000000, 16},
    PARAM_KERNEL(Values),
    PARAM_COLOUR(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_value_shape(to, in);
    const double width = (double)shape.width, height = (double)shape.height;
    return plan_warp(to, in,
                     (WarpWish){.width = shape.width,
                                .height = shape.height,
                                .map = {.is_lens = true,
                                        .focal = v->focal > 0 ? v->focal : hypot(width, height) / 2,
                                        .centre_x = v->x < 0 ? (width - 1) / 2 : v->x,
                                        .centre_y = v->y < 0 ? (height - 1) / 2 : v->y,
                                        .k1 = v->k1,
                                        .k2 = v->k2,
                                        .k3 = v->k3,
                                        .p1 = v->p1,
                                        .p2 = v->p2},
                                .kernel = (WarpKernel)v->kernel,
                                .colour = v->colour},
                     out);
}

const Filter filter_distort = {
    .name = "distort",
    .category = FILTER_GEOMETRY,
    .help = "Takes a lens's distortion away, given its coefficients; with their signs changed, adds about as much.",
    .definition = "D. Brown's model, as OpenCV's undistort with one focal length, weights unrounded; D. Brown, "
                  "Close-Range Camera Calibration, Photogrammetric Engineering 37(8), 1971.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .begin = "0",
};
