/* blend.c: another image over the picture. */
#include "core/ops/blend.h"

#include "core/chain/filters/filters.h"

typedef struct Values {
    char *file, *mask;
    double mode, opacity;
} Values;

static const Param params[] = {
    {"file", "the image above, as large; without it, the original", PARAM_LIGHT, PARAM_IMAGE, offsetof(Values, file), 0,
     0, 0, 0},
    {"mode", "the formula for two colours",
     "normal|add|multiply|screen|overlay|darken|lighten|difference|exclusion|subtract|divide|softlight|hardlight|dodge|"
     "burn",
     PARAM_CHOICE, offsetof(Values, mode), 0, BLEND_normal, BLEND_MODES - 1, 1},
    {"opacity", "how much of it shows", "%", PARAM_NUMBER, offsetof(Values, opacity), 0, 100, 100, 5},
    {"mask", "an image, as large; the upper image shows where it is bright", PARAM_DATA, PARAM_IMAGE,
     offsetof(Values, mask), 0, 0, 0, 0},
};

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    int other, mask = PLAN_NONE;
    TRY(plan_input(to, &filter_blend, "file", values, &other));
    TRY(plan_alike(to, in, &other));
    if (v->mask)
        TRY(plan_input(to, &filter_blend, "mask", values, &mask));
    const double white = plan_value_white(to, in);
    BlendJob job = {.mode = (BlendMode)v->mode,
                    .masked = v->mask != NULL,
                    .ignore_alpha = plan_options(to)->alpha == ALPHA_IGNORE,
                    .premultiplied = plan_value_premultiplied(to, in),
                    .opacity = v->opacity / 100,
                    .white = white,
                    .scale = white / plan_value_white(to, other),
                    .mask_white = v->mask ? plan_value_white(to, mask) : 1};
    return plan_append(to, &op_blend, &job, (const int[STAGE_INPUTS]){in, other, mask}, plan_value_shape(to, in).type,
                       out);
}

const Filter filter_blend = {
    .name = "blend",
    .category = FILTER_TWO_PICTURES,
    .help = "Lays another image over the picture.",
    .definition = "W3C Compositing and Blending Level 1, source-over with its separable modes, on straight alpha; in "
                  "addition, add, subtract and divide. Light of f32 pictures where alpha is 0 is added.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "mode=screen:opacity=50",
};
