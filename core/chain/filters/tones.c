/* tones.c: the curve of a filter that moves one end of brightness. */
#include "core/chain/filters/tones.h"

#include "core/image/knots.h"

#define EDGE 0.1 /* of white: the deviation around a pixel that counts as an edge */

Status plan_tones(Plan *plan, const ToneKnot knots[TONE_KNOTS], double percent, int in, int *out) {
    double parameters[KNOT_PARAMETERS];
    Knots curve = {.count = TONE_KNOTS};
    for (int i = 0; i < TONE_KNOTS; i++)
        curve.list[i] = (Knot){knots[i].at, knots[i].at + knots[i].by * percent / 100, 0};
    knots_smooth(&curve);
    const int count = knots_parameters(&curve, parameters);
    return plan_function(plan, POINT_curve, parameters, count, in, out);
}

static Status append_guided(Plan *plan, int in, PixelType type, void *context, int *out) {
    return plan_append(plan, &op_guided, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

/* The surroundings of each pixel, as a value next to alpha. */
static Status plan_surroundings(Plan *plan, int radius, int in, int *out) {
    const double edge = EDGE * plan_value_white(plan, in);
    int luma;
    TRY(plan_formula_value(plan, "luma", NULL, 0, in, &luma));
    GuidedJob job = {.radius = radius, .epsilon = edge * edge, .border = plan_border(plan, luma)};
    return plan_premultiplied(plan, luma, PIXEL_F32, (PlanInner){append_guided, &job, 1, true}, out);
}

typedef struct Wish {
    const ToneKnot *knots;
    double percent;
    int radius;
} Wish;

static Status append_around(Plan *plan, int in, PixelType type, void *context, int *out) {
    const Wish *wish = context;
    int around, bent;
    (void)type; /* that of `in` */
    TRY(plan_surroundings(plan, wish->radius, in, &around));
    TRY(plan_tones(plan, wish->knots, wish->percent, around, &bent));
    return plan_formula(plan, "v * (v3 + 1 / 4096) / (v2 + 1 / 4096)", NULL, 0,
                        (const int[STAGE_INPUTS]){in, around, bent}, out);
}

Status plan_tones_around(Plan *plan, const ToneKnot knots[TONE_KNOTS], double percent, int radius, int in, int *out) {
    Wish wish = {knots, percent, radius};
    return radius > 0 ? plan_straight(plan, in, append_around, &wish, out) : plan_tones(plan, knots, percent, in, out);
}
