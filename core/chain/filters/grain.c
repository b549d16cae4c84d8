/* grain.c: the grain of a film. */
#include "core/ops/convolve.h"

#include "core/chain/filters/filters.h"

typedef struct Values {
    double amount, size, seed;
} Values;

static const Param params[] = {
    {"amount", "standard deviation of the grain in middle grey", "percent", PARAM_NUMBER, offsetof(Values, amount), 0,
     8, 50, 1},
    {"size", "width of a grain, the sigma of a bell curve; 0: single pixels", "pixels", PARAM_NUMBER,
     offsetof(Values, size), 0, 0.7, 10, 0.1},
    {"seed", "another number makes another grain; the same makes the same everywhere", "", PARAM_WHOLE,
     offsetof(Values, seed), 0, 1, 1000000, 1},
};

/* Blurs noise by a bell curve so that its variance stays 1. Grains at the edges look as others do. */
static Status plan_grains(Plan *to, int noise, double size, int *out) {
    ConvolveJob job = {.border = {BORDER_MIRROR, 0}};
    double squares = 0;
    TRY(mask_gaussian(size, 0, &job.mask));
    const int count = job.mask->width * job.mask->height;
    for (int i = 0; i < count; i++)
        squares += (double)job.mask->weights[i] * (double)job.mask->weights[i];
    for (int i = 0; i < count; i++)
        job.mask->weights[i] = (float)((double)job.mask->weights[i] / sqrt(squares));
    return plan_append(to, &op_convolve, &job, (const int[STAGE_INPUTS]){noise, PLAN_NONE, PLAN_NONE}, PIXEL_F32, out);
}

#define BELL   "sqrt(-2 * log(1 - noise(2 * seed))) * cos(2 * pi * noise(2 * seed + 1))" /* Box and Muller */
#define WEIGHT "l = clamp(luma, 0, 1); v + amount * 4 * l * (1 - l) * "

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const FormulaName names[] = {{"amount", v->amount / 100}, {"seed", v->seed}};
    int noise;
    if (!(v->size > 0))
        return plan_formula(to, WEIGHT BELL, names, 2, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, out);
    TRY(plan_formula_value(to, BELL, names, 2, in, &noise));
    TRY(plan_grains(to, noise, v->size, &noise));
    return plan_formula(to, WEIGHT "v2", names, 2, (const int[STAGE_INPUTS]){in, noise, PLAN_NONE}, out);
}

const Filter filter_grain = {
    .name = "grain",
    .category = FILTER_POINT,
    .help = "Adds the grain of a film, most in middle grey, alike in all colours.",
    .definition = "v + amount 4 l (1 - l) n, l the Rec. 709 luma. n is normal noise by G. Box and M. Muller (1958), of "
                  "numbers by pcg3d of column, row and 2 seed, and 2 seed + 1 (M. Jarzynski and M. Olano, Hash "
                  "Functions for GPU Rendering, 2020). A gaussian of the size blurs it, and its variance stays 1.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "15",
    .begin = "0",
};
