/* expr.c: a formula of the user's. */
#include "core/chain/filters/filters.h"

typedef struct Values {
    char *formula;
    double p[9];
} Values;

#define SLIDER(number)                                                                                                 \
    {                                                                                                                  \
        "p" #number, "the value of p" #number " in the formula", "", PARAM_NUMBER, offsetof(Values, p[(number)-1]),    \
            -10, 0, 10, 0.05                                                                                           \
    }

static const Param params[] = {
    {"formula",
     "results with ';' between them: one for all colours, one for each of three, or four with alpha. Values are 0 to "
     "1; "
     "docs/formulas.md has all names and functions",
     "", PARAM_TEXT, offsetof(Values, formula), 0, 0, 0, 0},
    SLIDER(1),
    SLIDER(2),
    SLIDER(3),
    SLIDER(4),
    SLIDER(5),
    SLIDER(6),
    SLIDER(7),
    SLIDER(8),
    SLIDER(9),
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    static const char *const names[] = {"p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8", "p9"};
    const Values *v = values;
    FormulaName sliders[9];
    for (int i = 0; i < 9; i++)
        sliders[i] = (FormulaName){names[i], v->p[i]};
    return plan_formula(to, v->formula ? v->formula : "v", sliders, 9,
                        (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, out);
}

const Filter filter_expr = {
    .name = "expr",
    .category = FILTER_POINT,
    .help = "Computes each pixel by a formula of your own.",
    .definition = "Operators and functions as in C, in f32, each operation rounded; as FFmpeg's geq and ImageMagick's "
                  "-fx, with values from 0 to 1.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "formula='mix(v, luma, p1) + p2':p1=0.5:p2=0.1",
    .begin = "v",
};
