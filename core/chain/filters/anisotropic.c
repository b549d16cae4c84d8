/* anisotropic.c: diffusion that edges stop. */
#include "core/chain/filters/filters.h"
#include "core/ops/diffuse.h"

typedef struct Values {
    double iterations, kappa, lambda, conductance;
} Values;

static const Param params[] = {
    {"iterations", "steps of diffusion", "", PARAM_WHOLE, offsetof(Values, iterations), 1, 10, DIFFUSE_STEPS_MAX, 1},
    {"kappa", "difference that stops the flow", "of white", PARAM_NUMBER, offsetof(Values, kappa), 0.001, 0.1, 10,
     0.01},
    {"lambda", "share of a difference that flows in a step", "", PARAM_NUMBER, offsetof(Values, lambda), 0.01, 0.2,
     0.25, 0.01},
    {"conductance", "the parts that are kept: steep edges, or wide surfaces", "steep|wide", PARAM_CHOICE,
     offsetof(Values, conductance), 0, DIFFUSE_STEEP, 1, 1},
};

static Status steps(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_diffuse, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    DiffuseJob job = {.conductance = (DiffuseConductance)v->conductance,
                      .rate = v->lambda,
                      .kappa = v->kappa * plan_value_white(to, in),
                      .steps = (int)v->iterations,
                      .border = plan_border(to, in)};
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){steps, &job, 1, true}, out);
}

const Filter filter_anisotropic = {
    .name = "anisotropic",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Lets values flow to their neighbours, the less the steeper it is, so that surfaces become even.",
    .definition = "P. Perona and J. Malik, Scale-Space and Edge Detection Using Anisotropic Diffusion, 1990, each "
                  "channel by itself, of colours times alpha where there is some.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
