/* plan.c: appending stages; alpha and linear light are lowered here, so that no filter and no level knows of them. */
#include "core/plan.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { PLAN_MOST = 256 }; /* stages */

struct Plan {
    PlanOptions options;
    const char *label;
    size_t stage_count;
    int result;
    PlanStage stages[PLAN_MOST];
    Mask *masks[PLAN_MOST]; /* by stage; NULL where it has none */
    Shape values[PLAN_MOST + 1];
};

Status plan_create(Shape input, PlanOptions options, Plan **plan) {
    *plan = calloc(1, sizeof **plan);
    if (!*plan)
        return fail(STATUS_DEVICE, "no memory for a plan");
    (*plan)->options = options;
    (*plan)->label = "";
    (*plan)->values[0] = input;
    return STATUS_OK;
}

void plan_destroy(Plan **plan) {
    if (!*plan)
        return;
    for (size_t i = 0; i < (*plan)->stage_count; i++)
        mask_destroy(&(*plan)->masks[i]);
    free(*plan);
    *plan = NULL;
}

size_t plan_stage_count(const Plan *plan) {
    return plan->stage_count;
}
const PlanStage *plan_stage(const Plan *plan, size_t index) {
    return &plan->stages[index];
}
size_t plan_value_count(const Plan *plan) {
    return plan->stage_count + 1;
}
Shape plan_value_shape(const Plan *plan, int value) {
    return plan->values[value];
}
int plan_result(const Plan *plan) {
    return plan->result;
}
void plan_set_result(Plan *plan, int value) {
    plan->result = value;
}
void plan_label(Plan *plan, const char *label) {
    plan->label = label;
}

static Status append(Plan *plan, Stage stage, int in, int in2, Shape shape, int *out) {
    if (plan->stage_count == PLAN_MOST)
        return fail(STATUS_USAGE, "the chain comes to more than %d stages", PLAN_MOST);
    stage.label = plan->label;
    stage.out.shape = shape;
    if (in >= 0)
        stage.in[0].shape = plan->values[in];
    if (in2 >= 0)
        stage.in[1].shape = plan->values[in2];
    const int value = (int)++plan->stage_count;
    plan->stages[value - 1] = (PlanStage){stage, {in, in2}, value};
    plan->values[value] = shape;
    *out = plan->result = value;
    return STATUS_OK;
}

/* Sums are f32: no picture from black to white, of whatever type, nor the border may drive them out of its range. */
static Status check_range(const Plan *plan, const Mask *mask) {
    const double white = pixel_type_white(PIXEL_U16), outside = fabs((double)plan->options.border.value);
    const double divisor = fabs((double)mask->divisor), sum = mask_absolute_sum(mask) * fmax(divisor, 1);
    const double most = sum * fmax(white, outside);
    return most <= (double)FLT_MAX
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "%s: weights and border come to sums of up to %g; want less than %g, the range of f32",
                      plan->label, most, (double)FLT_MAX);
}

/* The convolution itself, all channels alike. Takes over the mask. */
static Status convolve_channels(Plan *plan, int in, Mask *mask, float bias, PixelType type, int *out) {
    const Stage stage = {.operation = OPERATION_CONVOLVE, .convolve = {mask, plan->options.border, bias}};
    Status status = check_range(plan, mask);
    if (status == STATUS_OK)
        status = append(plan, stage, in, -1, shape_with_type(plan->values[in], type), out);
    if (status == STATUS_OK)
        plan->masks[plan->stage_count - 1] = mask;
    else
        mask_destroy(&mask);
    return status;
}

/* A mask that sums to 1 mixes pixels, and alpha with them; any other mask measures differences, and alpha stays. */
static bool mixes_pixels(const Mask *mask, float bias) {
    return fabs(mask_sum(mask) - 1) < 1e-5 && fpclassify(bias) == FP_ZERO;
}

Status plan_convolve(Plan *plan, int in, Mask *mask, float bias, PixelType type, int *out) {
    const Shape shape = plan->values[in];
    if (!shape_has_alpha(shape) || plan->options.alpha == ALPHA_IGNORE)
        return convolve_channels(plan, in, mask, bias, type, out);
    const bool mixes = mixes_pixels(mask, bias);
    int premultiplied = 0, convolved = 0;
    Status status = plan_point(plan, POINT_PREMULTIPLY, in, -1, shape_with_type(shape, PIXEL_F32), &premultiplied);
    if (status != STATUS_OK) {
        mask_destroy(&mask);
        return status;
    }
    TRY(convolve_channels(plan, premultiplied, mask, bias, PIXEL_F32, &convolved));
    const Shape result = shape_with_type(shape, type);
    return mixes ? plan_point(plan, POINT_UNPREMULTIPLY, convolved, -1, result, out)
                 : plan_point(plan, POINT_UNPREMULTIPLY_BY, convolved, in, result, out);
}

Status plan_point(Plan *plan, PointFunction function, int in, int in2, Shape shape, int *out) {
    const float white = (float)pixel_type_white(plan->values[0].type);
    return append(plan, (Stage){.operation = OPERATION_POINT, .point = {function, white, 1}}, in, in2, shape, out);
}

/* Gathered light, and what makes pixels of it. */
static Status plan_light(Plan *plan, TraceJob job, float exposure, Shape shape, int *out) {
    const Shape sums = {shape.width, shape.height, 4, PIXEL_F32};
    const bool linear = shape.type == PIXEL_F32;
    const PointJob point = {linear ? POINT_EXPOSE : POINT_TONE, (float)pixel_type_white(shape.type), exposure};
    int gathered = 0;
    TRY(append(plan, (Stage){.operation = OPERATION_TRACE, .trace = job}, -1, -1, sums, &gathered));
    plan_label(plan, linear ? "expose" : "tone");
    return append(plan, (Stage){.operation = OPERATION_POINT, .point = point}, gathered, -1, shape, out);
}

Status plan_trace(Plan *plan, TraceJob job, float exposure, Shape shape, int *out) {
    const bool light = look_is_light(job.look);
    if ((shape.type != PIXEL_U8 && !light) || shape.channels < 3)
        return fail(STATUS_USAGE, "trace draws u8x3 or u8x4%s, not %sx%d", light ? ", u16 or f32" : "",
                    pixel_type_name(shape.type), shape.channels);
    if (job.look == LOOK_WHITTED && job.sampling.depth > DEPTH_MOST)
        return fail(STATUS_USAGE, "the look whitted has a depth of 1 to %d, not %u", DEPTH_MOST, job.sampling.depth);
    if (job.scene->triangle_count >= SPHERE_NONE - job.scene->count)
        return fail(STATUS_USAGE, "the scene has %zu spheres and %zu triangles; there can be %u of both",
                    job.scene->count, job.scene->triangle_count, SPHERE_NONE - 1);
    if (light && job.scene->sky.kind == SKY_IMAGE && !job.scene->sky_image.texels)
        return fail(STATUS_USAGE,
                    "the scene's sky is the image \"%s\", which is not there: it is read when a scene's "
                    "file is opened",
                    job.scene->sky_file);
    plan_label(plan, "trace");
    return light ? plan_light(plan, job, exposure, shape, out)
                 : append(plan, (Stage){.operation = OPERATION_TRACE, .trace = job}, -1, -1, shape, out);
}
