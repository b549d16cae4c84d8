/* rendernoise.c: smooths the noise of a rendered picture, guided by the renderer's normals and albedo. */
#include "core/chain/filters/filters.h"
#include "core/ops/denoise.h"

typedef struct Values {
    double light, iterations, normal, depth;
    char *normals, *albedo;
} Values;

static const Param params[] = {
    {"light", "the strength: how much brightness variation counts as noise, in its standard deviations", "deviations",
     PARAM_NUMBER, offsetof(Values, light), 0.1, 3.5, 100, 0.25},
    {"iterations", "how often it smooths, each time twice as far", "", PARAM_WHOLE, offsetof(Values, iterations), 1,
     DENOISE_ITERATIONS, DENOISE_ITERATIONS_MAX, 1},
    {"normals",
     "an image of the same size with the surfaces' normals. Black to white are x, y and z from -1 to 1; f32 has them "
     "as they are. A fourth channel of f32 is nearness, 1 by the depth",
     PARAM_DATA, PARAM_IMAGE, offsetof(Values, normals), 0, 0, 0, 0},
    {"albedo", "an image of the same size with the share of light that surfaces send on, in linear light", PARAM_DATA,
     PARAM_IMAGE, offsetof(Values, albedo), 0, 0, 0, 0},
    {"normal", "the strength across bends: how far normals may turn", "", PARAM_NUMBER, offsetof(Values, normal), 0.01,
     DENOISE_NORMAL, 10, 0.05},
    {"depth", "how far off a plane neighbours may be", "of the nearness", PARAM_NUMBER, offsetof(Values, depth), 0.001,
     DENOISE_DEPTH, 10, 0.01},
};

/* A guide as f32, and the value of its white. */
static Status guide(Plan *to, const char *name, const void *values, int *value, double *white) {
    TRY(plan_input(to, &filter_rendernoise, name, values, value));
    *white = plan_value_white(to, *value);
    return plan_value_shape(to, *value).type == PIXEL_F32
               ? STATUS_OK
               : plan_point(to, POINT_convert, *value, PLAN_NONE, PIXEL_F32, value);
}

typedef struct Context {
    DenoiseJob job;
    int normals, albedo; /* values, or PLAN_NONE */
} Context;

/* In f32, whatever comes and goes. */
static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    Context *with = context;
    int inputs[STAGE_INPUTS] = {in, with->normals, with->albedo}, smooth;
    if (plan_value_shape(to, in).type != PIXEL_F32)
        TRY(plan_point(to, POINT_convert, in, PLAN_NONE, PIXEL_F32, &inputs[0]));
    TRY(plan_append(to, &op_denoise, &with->job, inputs, PIXEL_F32, type == PIXEL_F32 ? out : &smooth));
    return type == PIXEL_F32 ? STATUS_OK : plan_point(to, POINT_convert, smooth, PLAN_NONE, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    double white;
    Context context = {.job = {.guides = v->albedo ? 2 : v->normals != NULL,
                               .iterations = (int)v->iterations,
                               .normal = v->normal,
                               .depth = v->depth,
                               .light = v->light,
                               .normal_scale = 1,
                               .albedo_scale = 1},
                       .normals = PLAN_NONE,
                       .albedo = PLAN_NONE};
    if (v->albedo && !v->normals)
        return fail(STATUS_USAGE, "rendernoise: albedo goes with normals; want normals=FILE, too");
    if (v->normals) {
        TRY(guide(to, "normals", v, &context.normals, &white));
        context.job.normal_scale = white > 1 ? 2 / white : 1;
    }
    if (v->albedo) {
        TRY(guide(to, "albedo", v, &context.albedo, &white));
        context.job.albedo_scale = 1 / white;
    }
    return plan_premultiplied(to, in, plan_value_shape(to, in).type, (PlanInner){append, &context, 0, false}, out);
}

const Filter filter_rendernoise = {
    .name = "rendernoise",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Removes the noise of rendered pictures by wavelets that stop at edges of light, normals and depth.",
    .definition = "H. Dammertz et al., Edge-Avoiding À-Trous Wavelet Transform for Fast Global Illumination Filtering, "
                  "2010, with the variance of C. Schied et al., Spatiotemporal Variance-Guided Filtering, 2017.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .once = {"denoise", "normals"},
};
