/* formula.c: formulas as stages, for expr and for filters that are one. */
#include "core/ops/formula.h"

#include "core/chain/filters/filters.h"

enum { NAMES_MAX = 24 };

/* A formula with its names, for a picture. */
typedef struct Wish {
    const char *text;
    const FormulaName *names;
    size_t count;
    int further[STAGE_INPUTS]; /* the pictures behind the first; [0] is not used */
    bool value;                /* the result is one value, next to alpha */
} Wish;

static Status make_job(const Plan *plan, const Wish *wish, int in, FormulaJob *job) {
    const Shape whole = plan_whole_shape(plan, in);
    FormulaName names[NAMES_MAX] = {{"w", (double)whole.width}, {"h", (double)whole.height}};
    FormulaPicture picture = {.alpha = shape_has_alpha(whole), .names = names, .name_count = 2 + wish->count};
    for (size_t i = 0; i < wish->count; i++)
        names[2 + i] = wish->names[i];
    *job = (FormulaJob){.inputs = 0};
    for (int k = 0; k < STAGE_INPUTS && (k == 0 || wish->further[k] != PLAN_NONE); k++) {
        const int value = k == 0 ? in : wish->further[k];
        picture.colours[k] = shape_colours(plan_value_shape(plan, value));
        job->white[k] = (float)plan_value_white(plan, value);
        job->inputs++;
    }
    picture.results = job->colours = wish->value ? 1 : picture.colours[0];
    return formula_parse(wish->text, &picture, &job->program);
}

static Status append(Plan *plan, int in, PixelType type, void *context, int *out) {
    const Wish *wish = context;
    const int inputs[STAGE_INPUTS] = {in, wish->further[1], wish->further[2]};
    FormulaJob job;
    TRY(make_job(plan, wish, in, &job));
    return plan_append(plan, &op_formula, &job, inputs, type, out);
}

Status plan_formula(Plan *plan, const char *text, const FormulaName *names, size_t count, const int in[STAGE_INPUTS],
                    int *out) {
    Wish wish = {text, names, count, {PLAN_NONE, in[1], in[2]}, false};
    return plan_straight(plan, in[0], append, &wish, out);
}

Status plan_formula_value(Plan *plan, const char *text, const FormulaName *names, size_t count, int in, int *out) {
    Wish wish = {text, names, count, {PLAN_NONE, PLAN_NONE, PLAN_NONE}, true};
    return append(plan, in, PIXEL_F32, &wish, out);
}
