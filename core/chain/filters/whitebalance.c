/* whitebalance.c: the channels scaled so that the light has no colour. */
#include "core/chain/filters/filters.h"

typedef enum Rule { GRAY_WORLD, WHITE_PATCH } Rule;

typedef struct Values {
    double rule, share, range;
} Values;

static const Param params[] = {
    {"rule", "the part taken for colourless: the mean of the picture, or its brightest values", "gray|patch",
     PARAM_CHOICE, offsetof(Values, rule), GRAY_WORLD, GRAY_WORLD, WHITE_PATCH, 1},
    {"share", "patch: share of the values that may be brighter than the ones compared", "%", PARAM_NUMBER,
     offsetof(Values, share), 0, 1, 50, 0.5},
    PARAM_RANGE(Values),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const CurveJob curve = {.kind = (Rule)v->rule == GRAY_WORLD ? CURVE_gray : CURVE_patch,
                            .parameters = {0, v->share / 100}};
    *out = in;
    return shape_colours(plan_value_shape(to, in)) < 3 ? STATUS_OK /* gray has no colour to balance */
                                                       : plan_by_statistics(to, in, (Statistics){BY_CHANNEL, v->range},
                                                                            curve, (LookupJob){.extend = true}, out);
}

const Filter filter_whitebalance = {
    .name = "whitebalance",
    .category = FILTER_STATISTICS,
    .help = "Takes the colour of the light away: scales the channels until a gray or white thing has none.",
    .definition = "gray: G. Buchsbaum's gray world (1980), every channel's mean becomes the mean of the three; patch: "
                  "the white patch of E. Land's Retinex (1977), the brightest of every channel, less a share, become "
                  "the brightest of the three.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
