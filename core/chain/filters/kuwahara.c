/* kuwahara.c: the most even of four quadrants. */
#include "core/ops/kuwahara.h"
#include "core/chain/filters/filters.h"

typedef struct Values {
    double radius;
} Values;

static const Param params[] = {
    {"radius", "how far the four quadrants reach", "pixels", PARAM_WHOLE, offsetof(Values, radius), 1, 3,
     KUWAHARA_RADIUS_MAX, 1},
};

static Status append(Plan *to, int in, PixelType type, void *context, int *out) {
    return plan_append(to, &op_kuwahara, context, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Shape shape = plan_value_shape(to, in);
    const bool by_alpha = shape_has_alpha(shape) && plan_options(to)->alpha == ALPHA_PREMULTIPLY;
    KuwaharaJob job = {
        .radius = (int)((const Values *)values)->radius,
        .unit = shape.type == PIXEL_F32 || by_alpha ? ldexp(plan_value_white(to, in), -14) : 1,
        .border = plan_border(to, in),
    };
    return plan_premultiplied(to, in, shape.type, (PlanInner){append, &job, 1, true}, out);
}

const Filter filter_kuwahara = {
    .name = "kuwahara",
    .category = FILTER_EDGE_PRESERVING,
    .help = "Takes the mean of the most even quadrant around each pixel, which looks painted.",
    .definition = "M. Kuwahara et al., Processing of RI-Angiocardiographic Images, 1976, of colours times alpha where "
                  "there is some. Variances are of a luma near Rec. 709's, (54 R + 183 G + 19 B) / 256. f32 is rounded "
                  "to a 4194304th of white and cut off at four times white.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
};
