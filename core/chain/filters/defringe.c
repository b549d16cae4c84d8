/* defringe.c: edges without the purple and green that lenses leave there. */
#include "core/chain/filters/filters.h"
#include "core/ops/blend.h"
#include "core/ops/morphology.h"

typedef struct Values {
    double purple, green, radius, edge;
} Values;

static const Param params[] = {
    {"purple", "how much of purple fringes goes", "percent", PARAM_NUMBER, offsetof(Values, purple), 0, 100, 100, 5},
    {"green", "how much of green fringes goes", "percent", PARAM_NUMBER, offsetof(Values, green), 0, 100, 100, 5},
    {"radius", "half the width of the widest fringes: wider things keep their colour", "pixels", PARAM_WHOLE,
     offsetof(Values, radius), 1, 4, 64, 1},
    {"edge", "the range of brightness within the radius where fringes go in full; from half of it on, in part",
     "of white", PARAM_NUMBER, offsetof(Values, edge), 0.01, 0.2, 2, 0.01},
};

static const int none = PLAN_NONE;

/* The extremum in the disk around each value. */
static Status extremum(Plan *to, int in, int radius, bool maximum, int *out) {
    Mask *disk;
    TRY(element_disk(radius, &disk));
    return plan_append(to, &op_morphology, &(MorphologyJob){disk, maximum, plan_border(to, in)},
                       (const int[STAGE_INPUTS]){in, none, none}, plan_value_shape(to, in).type, out);
}

/* White where the luma in the disk reaches far enough. */
static Status edges(Plan *to, int in, const Values *v, int *out) {
    const double parameters[] = {v->edge / 2, 2 / v->edge, 1, 1, 0};
    int luma, low, high;
    TRY(plan_single(to, POINT_grayscale, NULL, 0, (const int[STAGE_INPUTS]){in, none, none}, &luma));
    TRY(extremum(to, luma, (int)v->radius, true, &high));
    TRY(extremum(to, luma, (int)v->radius, false, &low));
    TRY(plan_point(to, POINT_difference, high, low, PIXEL_F32, out));
    return plan_function(to, POINT_levels, parameters, 5, *out, out);
}

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    const Values *v = context;
    const double white = plan_value_white(to, in), parameters[] = {v->purple / 100, v->green / 100};
    BlendJob less = {.mode = BLEND_subtract,
                     .masked = true,
                     .ignore_alpha = true,
                     .opacity = 1,
                     .white = white,
                     .scale = 1,
                     .mask_white = white};
    int colour, wide, mask;
    TRY(plan_function(to, POINT_fringe, parameters, 2, in, &colour));
    TRY(extremum(to, colour, (int)v->radius, false, &wide));
    TRY(extremum(to, wide, (int)v->radius, true, &wide));
    TRY(plan_point(to, POINT_difference, colour, wide, type, &colour));
    TRY(edges(to, in, v, &mask));
    return plan_append(to, &op_blend, &less, (const int[STAGE_INPUTS]){in, colour, mask}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    Values v = *(const Values *)values;
    *out = in;
    return shape_colours(plan_value_shape(to, in)) < 3 ? STATUS_OK /* gray has no fringes */
                                                       : plan_straight(to, in, append, &v, out);
}

const Filter filter_defringe = {
    .name = "defringe",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Takes the purple and green fringes of a lens away, where they line strong edges.",
    .definition = "Less the white top hat, by a disk, of what makes pixels purple or green, times a mask. Purple is "
                  "min(c - g, 2 (min(r, b) - g)), at least 0, c being red or blue. Green is g - max(r, b). The mask "
                  "rises from 0 to 1 where the luma's morphological gradient goes from edge / 2 to edge.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
