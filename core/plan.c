/* plan.c: appending stages; alpha and linear light are lowered here, so that no filter and no level knows of them. */
#include "core/plan.h"

#include "core/camera.h"
#include "core/ops/convolve.h"
#include "core/ops/point.h"
#include "core/scene.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLAN_MOST = 256 }; /* stages */

struct Plan {
    PlanOptions options;
    const char *label;
    size_t stage_count;
    int result;
    PlanStage stages[PLAN_MOST];
    void *jobs[PLAN_MOST]; /* by stage */
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

static void free_job(const Op *op, void **job) {
    if (*job)
        op_job_free(op, *job);
    free(*job);
    *job = NULL;
}

void plan_destroy(Plan **plan) {
    if (!*plan)
        return;
    for (size_t i = 0; i < (*plan)->stage_count; i++)
        free_job((*plan)->stages[i].stage.op, &(*plan)->jobs[i]);
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

static Status append(Plan *plan, const Op *op, const void *job, const int in[STAGE_INPUTS], PixelType type, int *out) {
    Stage stage = {.op = op, .label = plan->label, .job = job};
    Shape shapes[STAGE_INPUTS] = {{0}};
    if (plan->stage_count == PLAN_MOST)
        return fail(STATUS_USAGE, "the chain comes to more than %d stages", PLAN_MOST);
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in[k] >= 0)
            stage.in[k].shape = shapes[k] = plan->values[in[k]];
    TRY(op->shape(job, shapes, type, &stage.out.shape));
    const int value = (int)++plan->stage_count;
    plan->jobs[value - 1] = (void *)job;
    plan->stages[value - 1] = (PlanStage){stage, {in[0], in[1]}, value};
    plan->values[value] = stage.out.shape;
    *out = plan->result = value;
    return STATUS_OK;
}

Status plan_append(Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type, int *out) {
    void *copy = malloc(op->job_bytes);
    if (!copy) {
        op_job_free(op, job);
        return fail(STATUS_DEVICE, "no memory for a plan");
    }
    memcpy(copy, job, op->job_bytes);
    const Status status = append(plan, op, copy, in, type, out);
    if (status != STATUS_OK)
        free_job(op, &copy);
    return status;
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
    ConvolveJob job = {mask, plan->options.border, bias};
    const Status status = check_range(plan, mask);
    if (status != STATUS_OK) {
        op_job_free(&op_convolve, &job);
        return status;
    }
    return plan_append(plan, &op_convolve, &job, (int[]){in, -1}, type, out);
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
    Status status = plan_point(plan, POINT_premultiply, in, -1, PIXEL_F32, &premultiplied);
    if (status != STATUS_OK) {
        mask_destroy(&mask);
        return status;
    }
    TRY(convolve_channels(plan, premultiplied, mask, bias, PIXEL_F32, &convolved));
    return mixes ? plan_point(plan, POINT_unpremultiply, convolved, -1, type, out)
                 : plan_point(plan, POINT_unpremultiply_by, convolved, in, type, out);
}

Status plan_point(Plan *plan, PointFunction function, int in, int in2, PixelType type, int *out) {
    PointJob job = {.function = function, .white = pixel_type_white(plan->values[0].type)};
    return plan_append(plan, &op_point, &job, (int[]){in, in2}, type, out);
}

/* Gathered light, and what makes pixels of it. */
static Status plan_light(Plan *plan, TraceJob job, float exposure, Shape shape, int *out) {
    const bool linear = shape.type == PIXEL_F32;
    PointJob point = {
        linear ? POINT_expose : POINT_tone, shape.channels, pixel_type_white(shape.type), {(double)exposure}};
    int gathered = 0;
    job.channels = 4;
    TRY(plan_append(plan, &op_trace, &job, (int[]){-1, -1}, PIXEL_F32, &gathered));
    plan_label(plan, points[point.function].name);
    return plan_append(plan, &op_point, &point, (int[]){gathered, -1}, shape.type, out);
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
    plan_label(plan, op_trace.name);
    job.width = shape.width;
    job.height = shape.height;
    job.channels = shape.channels;
    return light ? plan_light(plan, job, exposure, shape, out)
                 : plan_append(plan, &op_trace, &job, (int[]){-1, -1}, shape.type, out);
}
