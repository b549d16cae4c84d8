/* resize.c: another size. */
#include "core/chain/filters/filters.h"
#include "core/ops/resample.h"

#include <math.h>

typedef struct Values {
    double width, height, scale, kernel, longer;
} Values;

static const Param params[] = {
    {"width", "columns of the result; 0: as the height asks, so that shapes stay", "pixels", PARAM_WHOLE,
     offsetof(Values, width), 0, 0, 1000000, 16},
    {"height", "rows of the result; 0: as the width asks", "pixels", PARAM_WHOLE, offsetof(Values, height), 0, 0,
     1000000, 16},
    {"scale", "factor on both sides, where no width and no height is given", "", PARAM_NUMBER, offsetof(Values, scale),
     0.0001, 1, 1000, 0.05},
    {"by", "the weights of the neighbours: the nearest pixel alone, or kernels from the plainest to the sharpest",
     "nearest|box|linear|cubic|mitchell|lanczos", PARAM_CHOICE, offsetof(Values, kernel), 0, RESAMPLE_LANCZOS,
     RESAMPLE_LANCZOS, 1},
    {"long", "the longer side at most, in their place; smaller pictures stay; 0: any", "pixels", PARAM_WHOLE,
     offsetof(Values, longer), 0, 0, 1000000, 16},
};

static size_t side(double pixels) {
    return (size_t)fmax(nearbyint(pixels), 1);
}

/* All channels alike. The context is a ResampleJob. */
static Status resample(Plan *plan, int in, PixelType type, void *context, int *out) {
    ResampleJob job = *(ResampleJob *)context;
    return plan_append(plan, &op_resample, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    const Shape shape = plan_whole_shape(to, in);
    const double width = (double)shape.width, height = (double)shape.height;
    const bool sides = v->width > 0 || v->height > 0;
    if (sides + (fabs(v->scale - 1) > 0) + (v->longer > 0) > 1)
        return fail(STATUS_USAGE, "resize: want one of these alone: a width, a height or both; a scale; a longer side");
    const double scale = v->longer > 0 ? fmin(v->longer / fmax(width, height), 1) : v->scale;
    const double wide = v->width > 0 ? v->width : v->height > 0 ? width * v->height / height : width * scale;
    const double high = v->height > 0 ? v->height : v->width > 0 ? height * v->width / width : height * scale;
    if (wide > INT32_MAX || high > INT32_MAX)
        return fail(STATUS_USAGE, "resize: %zu x %zu pixels would become %.0f x %.0f, want at most %d a side",
                    shape.width, shape.height, wide, high, INT32_MAX);
    ResampleJob job = {(ResampleKernel)v->kernel, resample_axis(shape.width, side(wide)),
                       resample_axis(shape.height, side(high))};
    *out = in;
    if (job.x.count == shape.width && job.y.count == shape.height && job.kernel != RESAMPLE_MITCHELL)
        return STATUS_OK; /* the other kernels keep a picture of that size */
    return job.kernel == RESAMPLE_NEAREST
               ? resample(to, in, shape.type, &job, out)
               : plan_premultiplied(to, in, shape.type, (PlanInner){resample, &job, 1, false}, out);
}

const Filter filter_resize = {
    .name = "resize",
    .category = FILTER_GEOMETRY,
    .help = "Another size, without aliasing where it shrinks; in linear light with --linear.",
    .definition =
        "Pillow's Image.resize of mode F: K. Turkowski, Filters for Common Resampling Tasks, in Graphics Gems, "
        "1990; Mitchell and Netravali, Reconstruction Filters in Computer Graphics, SIGGRAPH 1988.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .example = "scale=0.5",
    .begin = "scale=1",
};
