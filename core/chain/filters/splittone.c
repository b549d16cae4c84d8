/* splittone.c: one colour for shadows, another one for highlights. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    double shadows, dark, highlights, bright, balance;
} Values;

static const Param params[] = {
    {"shadows", "the hue of shadows: 0 red, 120 green, 240 blue", "degrees", PARAM_NUMBER, offsetof(Values, shadows), 0,
     220, 360, 5},
    {"dark", "how much of it", "percent", PARAM_NUMBER, offsetof(Values, dark), 0, 30, 100, 5},
    {"highlights", "the hue of highlights", "degrees", PARAM_NUMBER, offsetof(Values, highlights), 0, 40, 360, 5},
    {"bright", "how much of it", "percent", PARAM_NUMBER, offsetof(Values, bright), 0, 30, 100, 5},
    {"balance", "where one gives way to the other: above 0 highlights reach further down, below 0 shadows further up",
     "percent", PARAM_NUMBER, offsetof(Values, balance), -100, 0, 100, 5},
};

/* The full colour of a hue (A. R. Smith's hexcone, 1978) without its Rec. 709 luma. */
static void tint_of(double degrees, double percent, double tint[3]) {
    static const double luma[3] = {0.2126, 0.7152, 0.0722}, turns[3] = {0, 2, 4};
    double grey = 0;
    for (int c = 0; c < 3; c++) {
        const double away = fabs(remainder(degrees / 60 - turns[c], 6)); /* sixths of a turn from the colour itself */
        tint[c] = fmin(fmax(2 - away, 0), 1);
        grey += luma[c] * tint[c];
    }
    for (int c = 0; c < 3; c++)
        tint[c] = (tint[c] - grey) * percent / 100;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const char formula[] = "l = clamp(luma, 0, 1); t = smoothstep(low, low + 1, l); k = 2 * l * (1 - l);"
                                  "r + k * mix(sr, hr, t); g + k * mix(sg, hg, t); b + k * mix(sb, hb, t)";
    const Values *v = values;
    double dark[3], bright[3];
    tint_of(v->shadows, v->dark, dark);
    tint_of(v->highlights, v->bright, bright);
    const FormulaName names[] = {{"sr", dark[0]},   {"sg", dark[1]},   {"sb", dark[2]},           {"hr", bright[0]},
                                 {"hg", bright[1]}, {"hb", bright[2]}, {"low", -v->balance / 200}};
    *out = in;
    return shape_colours(plan_value_shape(to, in)) < 3
               ? STATUS_OK /* gray stays gray */
               : plan_formula(to, formula, names, sizeof names / sizeof names[0],
                              (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, out);
}

const Filter filter_splittone = {
    .name = "splittone",
    .category = FILTER_POINT,
    .help = "Tints shadows in one colour and highlights in another; black, white and luma stay.",
    .definition =
        "Added are 2 l (1 - l) ((1 - t) dark S + t bright H). l is the Rec. 709 luma, t = 3 u^2 - 2 u^3 with u "
        "= l + balance / 2. S and H are the full colours of the hues in A. R. Smith's hexcone (1978), less "
        "their luma.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "dark=80:bright=60",
    .begin = "220:0:40:0",
};
