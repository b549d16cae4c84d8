/* plan.c: appending stages; alpha and linear light are lowered here, so that no filter and no level knows of them. */
#include "core/plan/plan_internal.h"

#include "core/ops/convolve.h"
#include "core/ops/denoise.h"
#include "core/ops/keep.h"
#include "core/ops/point.h"
#include "core/scene/camera.h"
#include "core/scene/scene.h"
#include "core/tracer/surfaces.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool plan_options_equal(const PlanOptions *a, const PlanOptions *b) {
    return a->border.mode == b->border.mode &&
           !(a->border.value < b->border.value || a->border.value > b->border.value) && a->alpha == b->alpha &&
           a->linear == b->linear && tone_equal(&a->tone, &b->tone) && a->unfused == b->unfused &&
           a->denoise == b->denoise && a->straight == b->straight;
}

Status plan_create(PlanOptions options, Plan **plan) {
    *plan = calloc(1, sizeof **plan);
    if (!*plan)
        return fail(STATUS_DEVICE, "no memory for a plan");
    (*plan)->options = options;
    (*plan)->label = "";
    (*plan)->result = (*plan)->unfiltered = PLAN_NONE;
    return STATUS_OK;
}

static int add_value(Plan *plan, Value value) {
    plan->values[plan->value_count] = value;
    return (int)plan->value_count++;
}

static void set_premultiplied(Plan *plan, int value, bool premultiplied) {
    const Shape shape = plan->values[value].shape;
    plan->values[value].premultiplied = premultiplied && shape_has_alpha(shape) && shape.type == PIXEL_F32;
}

Status plan_source(Plan *plan, Shape shape, int *value) {
    if (plan->source_count == PLAN_SOURCES)
        return fail(STATUS_USAGE, "the chain reads more than %d images", PLAN_SOURCES);
    const size_t height = plan->options.rows > 0 ? plan->options.rows : shape.height;
    *value = add_value(plan, (Value){.shape = shape,
                                     .white = pixel_type_white(shape.type),
                                     .source = (int)plan->source_count,
                                     .stage = PLAN_NONE,
                                     .height = height});
    if (plan->source_count == 0)
        set_premultiplied(plan, *value, plan->options.tone.premultiplied && !plan->options.straight);
    plan->sources[plan->source_count++].value = *value;
    plan->result = plan->result == PLAN_NONE ? *value : plan->result;
    plan->unfiltered = plan->unfiltered == PLAN_NONE ? *value : plan->unfiltered;
    return STATUS_OK;
}

void plan_offer_images(Plan *plan, const PlanImage *images, size_t count) {
    plan->images = images;
    plan->image_count = count;
}

/* Straight colours. */
static Status read_values(Plan *plan, int stored, int *value) {
    *value = stored;
    return plan->values[stored].premultiplied ? plan_point(plan, POINT_straight, stored, PLAN_NONE, PIXEL_F32, value)
                                              : STATUS_OK;
}

/* Reads a value as light. */
static Status read_light(Plan *plan, int stored, int *value) {
    *value = stored;
    return plan->options.linear ? plan_decode(plan, stored, value) : STATUS_OK;
}

/* The source of an offered image, as a picture or as a table. */
static Status offered_source(Plan *plan, const char *path, bool table, size_t *source) {
    size_t i = 0;
    int value;
    while (i < plan->image_count && strcmp(plan->images[i].path, path) != 0)
        i++;
    if (i == plan->image_count)
        return fail(STATUS_USAGE, "%s: the image \"%s\" was not read", plan->label, path);
    Image *image = plan->images[i].image;
    for (*source = 0; *source < plan->source_count; ++*source)
        if (plan->sources[*source].image == image && plan->sources[*source].table == table)
            return STATUS_OK;
    Shape shape = image->view.shape;
    if (plan->options.part && !table) {
        const Shape picture = plan->values[plan->unfiltered].shape;
        shape.width = shape.width < picture.width ? shape.width : picture.width;
        shape.height = shape.height < picture.height ? shape.height : picture.height;
    }
    TRY(plan_source(plan, shape, &value));
    plan->sources[*source].image = image_retain(image);
    plan->sources[*source].table = table;
    set_premultiplied(plan, value, image->premultiplied);
    return STATUS_OK;
}

Status plan_data(Plan *plan, const char *path, int *value) {
    size_t source;
    TRY(offered_source(plan, path, false, &source));
    return read_values(plan, plan->sources[source].value, value);
}

Status plan_image(Plan *plan, const char *path, int *value) {
    size_t source;
    TRY(offered_source(plan, path, false, &source));
    return read_light(plan, plan->sources[source].value, value);
}

Status plan_table(Plan *plan, const char *path, int *value) {
    size_t source;
    TRY(offered_source(plan, path, true, &source));
    *value = plan->sources[source].value;
    return STATUS_OK;
}

Status plan_own_image(Plan *plan, Image *image, int *value) {
    TRY(plan_source(plan, image->view.shape, value));
    Source *source = &plan->sources[plan->source_count - 1];
    source->image = image_retain(image);
    source->own = true;
    return STATUS_OK;
}

void plan_share_own_images(Plan *part, const Plan *whole) {
    for (size_t i = 0; i < part->source_count && i < whole->source_count; i++)
        if (part->sources[i].own) {
            image_destroy(&part->sources[i].image);
            part->sources[i].image = image_retain(whole->sources[i].image);
        }
}

void plan_keep_whole(Plan *part, Plan *whole) {
    part->whole = whole;
}

const Plan *plan_whole(const Plan *plan) {
    return plan->whole ? plan->whole : plan;
}

Status plan_picture(Plan *plan, int *value) {
    return plan->unfiltered != PLAN_NONE ? read_light(plan, plan->unfiltered, value)
                                         : fail(STATUS_USAGE, "%s: there is no picture before the chain", plan->label);
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
    for (size_t i = 0; i < (*plan)->source_count; i++)
        image_destroy(&(*plan)->sources[i].image);
    plan_destroy(&(*plan)->whole);
    free(*plan);
    *plan = NULL;
}

size_t plan_stage_count(const Plan *plan) {
    return plan->stage_count;
}
const PlanStage *plan_stage(const Plan *plan, size_t index) {
    return &plan->stages[index];
}

size_t plan_main_stage(const Plan *plan) {
    size_t found = 0;
    double most = 0;
    for (size_t i = 0; i < plan_stage_count(plan); i++) {
        const Stage *stage = &plan_stage(plan, i)->stage;
        const bool light = stage->op == &op_trace && look_is_light(trace_job(stage)->look);
        const double flops = light ? INFINITY : stage_cost(stage).flops;
        found = flops > most ? i : found;
        most = fmax(flops, most);
    }
    return found;
}

size_t plan_value_count(const Plan *plan) {
    return plan->value_count;
}
Shape plan_value_shape(const Plan *plan, int value) {
    return plan->values[value].shape;
}
double plan_value_white(const Plan *plan, int value) {
    return plan->values[value].white;
}
bool plan_value_premultiplied(const Plan *plan, int value) {
    return plan->values[value].premultiplied;
}
int plan_value_source(const Plan *plan, int value) {
    return plan->values[value].source;
}
int plan_value_stage(const Plan *plan, int value) {
    return plan->values[value].stage;
}
size_t plan_source_count(const Plan *plan) {
    return plan->source_count;
}
int plan_source_value(const Plan *plan, size_t source) {
    return plan->sources[source].value;
}
const Image *plan_source_image(const Plan *plan, size_t source) {
    return plan->sources[source].image;
}
bool plan_source_is_table(const Plan *plan, size_t source) {
    return plan->sources[source].table;
}
const PlanOptions *plan_options(const Plan *plan) {
    return &plan->options;
}
Shape plan_whole_shape(const Plan *plan, int value) {
    Shape shape = plan_value_shape(plan, value);
    shape.height = plan->values[value].height;
    return shape;
}
size_t plan_value_band(const Plan *plan, int value) {
    return plan->values[value].band;
}
int plan_result(const Plan *plan) {
    return plan->result;
}
void plan_set_result(Plan *plan, int value) {
    plan->result = value;
}
int plan_unfiltered(const Plan *plan) {
    return plan->unfiltered;
}
void plan_set_unfiltered(Plan *plan, int value) {
    plan->unfiltered = value;
}
void plan_label(Plan *plan, const char *label) {
    plan->label = label;
}

/* A job for a whole picture becomes one for the rows that the plan has of it. */
static Status cut_job(const Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type,
                      Value *made) {
    const Value *from = &plan->values[in[0]];
    Shape whole[STAGE_INPUTS] = {{0}}, out; /* of which a part is the picture to a job that keeps its height */
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in[k] != PLAN_NONE)
            whole[k] = plan_whole_shape(plan, in[k]);
    TRY(op->shape(job, whole, type, &out));
    made->height = out.height;
    made->band = from->band + (out.height != from->height);
    if (made->band > PLAN_BANDS)
        return fail(STATUS_USAGE, "more than %d changes of a picture's height", PLAN_BANDS);
    const bool changes = made->band > from->band;
    op->cut(job, changes ? whole[0] : from->shape,
            !changes             ? from->shape.height
            : plan->options.part ? plan->options.bands[made->band - 1]
                                 : out.height);
    return STATUS_OK;
}

/* A value has as many rows as the input of its stage that has as many in the part, unless the job was cut. */
static void inherit_rows(const Plan *plan, const int in[STAGE_INPUTS], Value *made) {
    for (int k = 0; k < STAGE_INPUTS && made->height == 0; k++)
        if (in[k] != PLAN_NONE && plan->values[in[k]].shape.height == made->shape.height) {
            made->height = plan->values[in[k]].height;
            made->band = plan->values[in[k]].band;
        }
    made->height = made->height > 0 ? made->height : made->shape.height;
}

static Status append(Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type, int *out) {
    Stage stage = {.op = op, .label = plan->label, .job = job};
    Shape shapes[STAGE_INPUTS] = {{0}};
    if (plan->stage_count == PLAN_MAX)
        return fail(STATUS_USAGE, "the chain comes to more than %d stages", PLAN_MAX);
    for (int k = 0; k < STAGE_INPUTS; k++)
        if ((in[k] != PLAN_NONE) != (k < op_inputs(op, job)))
            return fail(STATUS_USAGE, "%s: %s takes %d inputs", plan->label, op->name, op_inputs(op, job));
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in[k] >= 0)
            stage.in[k].shape = shapes[k] = plan->values[in[k]].shape;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in[k] >= 0 && (shapes[k].type == PIXEL_U32) != (op->of_counts >> k & 1))
            return fail(STATUS_USAGE, "%s: %s takes %s", plan->label, op->name,
                        op->of_counts >> k & 1 ? "a histogram's counts" : "pictures, not a histogram's counts");
    const double white = in[0] >= 0 ? plan->values[in[0]].white : pixel_type_white(type);
    Value made = {.white = white, .source = PLAN_NONE, .stage = (int)plan->stage_count};
    if (op->cut && plan->options.rows > 0)
        TRY(cut_job(plan, op, job, in, type, &made));
    TRY(op->shape(job, shapes, type, &stage.out.shape));
    made.shape = stage.out.shape;
    inherit_rows(plan, in, &made);
    *out = plan->result = add_value(plan, made);
    set_premultiplied(plan, *out, in[0] >= 0 && plan->values[in[0]].premultiplied);
    plan->jobs[plan->stage_count] = job;
    plan->stages[plan->stage_count++] = (PlanStage){stage, {in[0], in[1], in[2]}, *out};
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

static Status example_source(Plan *plan, const Op *op, size_t index, int k, Shape picture, int *value) {
    const Shape shape = op->example_input ? op->example_input(index, k, picture) : picture;
    *value = 0;
    return shape_equal(shape, plan->values[0].shape) ? STATUS_OK : plan_source(plan, shape, value);
}

Status plan_example(Plan *plan, const Op *op, size_t index, Shape picture, int *out) {
    void *job = calloc(1, op->job_bytes);
    if (!job)
        return fail(STATUS_DEVICE, "no memory for a job");
    int in[STAGE_INPUTS];
    Status status = op->example(index, picture, job);
    const bool made = status == STATUS_OK;
    for (int k = 0; k < STAGE_INPUTS; k++) {
        in[k] = PLAN_NONE;
        if (status == STATUS_OK && k < op_inputs(op, job))
            status = example_source(plan, op, index, k, picture, &in[k]);
    }
    if (status == STATUS_OK)
        status = plan_append(plan, op, job, in, picture.type, out);
    else if (made)
        op_job_free(op, job);
    free(job);
    return status;
}

/* Sums are f32: no picture from black to white, of whatever type, nor the border may drive them out of its range. */
static Status check_range(const Plan *plan, int in, const Mask *mask) {
    const double white = pixel_type_white(PIXEL_U16), outside = fabs((double)plan_border(plan, in).value);
    const double divisor = fabs((double)mask->divisor), sum = mask_absolute_sum(mask) * fmax(divisor, 1);
    const double max = sum * fmax(white, outside);
    return max <= (double)FLT_MAX
               ? STATUS_OK
               : fail(STATUS_USAGE,
                      "%s: weights and border come to sums of up to %g; want less than %g, the range of f32",
                      plan->label, max, (double)FLT_MAX);
}

/* ---- alpha ---- */

#define WEIGHTS_OFF 1e-5 /* what weights that sum to 1 may differ from it, as they are f32 */
#define OPAQUE_MAX  4096 /* times white: alpha is exact to a 4096th with a border that is as bright */

static bool has_alpha(const Plan *plan, int value) {
    return shape_has_alpha(plan->values[value].shape);
}

/* Whether colours count by their alpha. */
static bool is_weighed(const Plan *plan, int value) {
    return has_alpha(plan, value) && plan->options.alpha == ALPHA_PREMULTIPLY;
}

Border plan_border(const Plan *plan, int in) {
    Border border = plan->options.border;
    border.value = (float)plan_stored(plan, in, (double)border.value);
    return border;
}

/* How much more alpha has to be so that it sees its own value beyond the edge, where operations see that of colours. */
static Status alpha_beyond(const Plan *plan, int in, double *more) {
    const double white = plan->values[in].white, value = (double)plan->options.border.value;
    *more = 0;
    if (!has_alpha(plan, in) || plan->options.border.mode != BORDER_CONSTANT)
        return STATUS_OK;
    *more = (double)plan_border(plan, in).value - (is_weighed(plan, in) ? white : value);
    return fabs(*more) <= OPAQUE_MAX * white
               ? STATUS_OK
               : fail(STATUS_USAGE, "%s: a border of %g next to alpha; want at most %d times full intensity, %g",
                      plan->label, value, OPAQUE_MAX, white);
}

static Status more_alpha(Plan *plan, int in, double more, PixelType type, int *out) {
    return plan_point_with(plan, POINT_more_alpha, &more, 1, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type,
                           out);
}

static Status see(Plan *plan, int in, double more, int *out) {
    *out = in;
    if (is_weighed(plan, in) && !plan->values[in].premultiplied)
        TRY(plan_point(plan, POINT_premultiply, in, PLAN_NONE, PIXEL_F32, out));
    return fabs(more) > 0 ? more_alpha(plan, *out, more, PIXEL_F32, out) : STATUS_OK;
}

Status plan_seen(Plan *plan, int in, int *out) {
    double more;
    TRY(alpha_beyond(plan, in, &more));
    return see(plan, in, more, out);
}

Status plan_premultiplied(Plan *plan, int in, PixelType type, PlanInner inner, int *out) {
    const bool weighed = is_weighed(plan, in), mixes = fabs(inner.flat - 1) < WEIGHTS_OFF;
    double more = 0;
    int value;
    if (inner.beyond && (mixes || !weighed))
        TRY(alpha_beyond(plan, in, &more));
    const bool moved = fabs(more) > 0, multiplied = weighed && !plan->values[in].premultiplied;
    TRY(see(plan, in, more, &value));
    TRY(inner.append(plan, value, multiplied || moved ? PIXEL_F32 : type, inner.context, &value));
    if (moved)
        TRY(more_alpha(plan, value, -more * inner.flat, multiplied ? PIXEL_F32 : type, &value));
    *out = value;
    if (!multiplied)
        return weighed && !mixes ? plan_point(plan, POINT_with_alpha, value, in, type, out) : STATUS_OK;
    return mixes ? plan_point(plan, POINT_unpremultiply, value, PLAN_NONE, type, out)
                 : plan_point(plan, POINT_unpremultiply_by, value, in, type, out);
}

Status plan_straight(Plan *plan, int in, PlanAppend inner, void *context, int *out) {
    const PixelType type = plan->values[in].shape.type;
    if (!plan->values[in].premultiplied)
        return inner(plan, in, type, context, out);
    int value;
    TRY(plan_point(plan, POINT_straight, in, PLAN_NONE, type, &value));
    TRY(inner(plan, value, type, context, out));
    return plan_like(plan, in, out);
}

Status plan_alike(Plan *plan, int in, int *value) {
    const bool premultiplied = plan->values[in].premultiplied;
    if (premultiplied == plan->values[*value].premultiplied || !has_alpha(plan, *value))
        return STATUS_OK;
    return plan_point(plan, premultiplied ? POINT_premultiply : POINT_straight, *value, PLAN_NONE, PIXEL_F32, value);
}

Status plan_like(Plan *plan, int in, int *value) {
    const Value *from = &plan->values[in], *made = &plan->values[*value];
    return from->premultiplied && !made->premultiplied && shape_equal(from->shape, made->shape)
               ? plan_point(plan, POINT_light, *value, in, from->shape.type, value)
               : STATUS_OK;
}

Status plan_premultiplied_exactly(Plan *plan, int in, PixelType type, PlanInner inner, int *out) {
    int value;
    if (!is_weighed(plan, in) || plan->values[in].shape.type != PIXEL_U8 ||
        plan->options.border.mode == BORDER_CONSTANT) /* its alpha would be negative */
        return plan_premultiplied(plan, in, type, inner, out);
    TRY(plan_point(plan, POINT_times_alpha, in, PLAN_NONE, PIXEL_U16, &value));
    TRY(inner.append(plan, value, PIXEL_U16, inner.context, &value));
    return plan_point(plan, POINT_by_alpha, value, PLAN_NONE, type, out);
}

/* ---- convolutions ---- */

/* All channels alike. The context is a ConvolveJob, whose mask is taken over. */
static Status convolve_channels(Plan *plan, int in, PixelType type, void *context, int *out) {
    ConvolveJob job = *(ConvolveJob *)context;
    ((ConvolveJob *)context)->mask = NULL;
    return plan_append(plan, &op_convolve, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

bool plan_bias_apart(const Plan *plan, int in) {
    return is_weighed(plan, in) || (has_alpha(plan, in) && plan->options.linear);
}

static Status append_bias(Plan *plan, int in, PixelType type, void *context, int *out) {
    const double bias = *(const double *)context;
    const double parameters[] = {1, plan_stored(plan, in, bias) / plan->values[in].white};
    const bool alike = !is_weighed(plan, in);
    TRY(plan_point_with(plan, POINT_linear, parameters, 2, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE},
                        alike ? PIXEL_F32 : type, out));
    return alike ? more_alpha(plan, *out, bias, type, out) : STATUS_OK;
}

Status plan_bias(Plan *plan, int in, double bias, PixelType type, int *out) {
    return is_weighed(plan, in) && plan->values[in].premultiplied ? plan_straight(plan, in, append_bias, &bias, out)
                                                                  : append_bias(plan, in, type, &bias, out);
}

Status plan_convolve(Plan *plan, int in, Mask *mask, float bias, PixelType type, int *out) {
    mask_make_whole(mask);
    const bool apart = fpclassify(bias) != FP_ZERO && plan_bias_apart(plan, in);
    ConvolveJob job = {mask, plan_border(plan, in), apart ? 0 : (float)plan_stored(plan, in, (double)bias)};
    int value;
    Status status = check_range(plan, in, mask);
    if (status == STATUS_OK)
        status = plan_premultiplied(plan, in, apart ? PIXEL_F32 : type,
                                    (PlanInner){convolve_channels, &job, mask_sum(mask), true}, apart ? &value : out);
    op_job_free(&op_convolve, &job);
    return status == STATUS_OK && apart ? plan_bias(plan, value, (double)bias, type, out) : status;
}

Status plan_point_with(Plan *plan, PointFunction function, const double *parameters, int count,
                       const int in[STAGE_INPUTS], PixelType type, int *out) {
    PointJob job = point_single(function, plan->values[in[0]].white, parameters, count, type);
    for (int k = 1; k < STAGE_INPUTS && k < points[function].inputs; k++)
        if (in[k] != PLAN_NONE)
            job.steps[0].scale[k] = plan->values[in[0]].white / plan->values[in[k]].white;
    TRY(plan_append(plan, &op_point, &job, in, type, out));
    if (function == POINT_straight || function == POINT_light)
        set_premultiplied(plan, *out, function == POINT_light);
    return STATUS_OK;
}

Status plan_point(Plan *plan, PointFunction function, int in, int in2, PixelType type, int *out) {
    return plan_point_with(plan, function, NULL, 0, (const int[STAGE_INPUTS]){in, in2, PLAN_NONE}, type, out);
}

/* The picture's curve to light, or `back`, as a point function of values whose white is `white`. */
static PointJob tone_point(const Plan *plan, bool back, double white, PixelType type) {
    const ToneCurve *tone = &plan->options.tone;
    double parameters[KNOT_PARAMETERS];
    Knots knots;
    if (tone->gamma > 0) {
        parameters[0] = back ? 1 / tone->gamma : tone->gamma;
        return point_single(POINT_power, white, parameters, 1, type);
    }
    if (tone->count == 0)
        return point_single(back ? POINT_from_linear : POINT_to_linear, white, NULL, 0, type);
    tone_knots(tone, back, &knots);
    return point_single(POINT_curve, white, parameters, knots_parameters(&knots, parameters), type);
}

/* The context says whether light becomes values. */
static Status append_tone(Plan *plan, int in, PixelType type, void *context, int *out) {
    PointJob job = tone_point(plan, *(const bool *)context, plan->values[in].white, type);
    return plan_append(plan, &op_point, &job, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out);
}

double plan_stored(const Plan *plan, int in, double stored) {
    const PointJob job = tone_point(plan, false, plan->values[in].white, PIXEL_F32);
    const PointPixel none = {0};
    if (plan->options.linear)
        point_step(&job, 0, &none, 1, &stored);
    return stored;
}

static Status plan_tone(Plan *plan, bool back, int in, PixelType type, int *out) {
    return plan->values[in].premultiplied ? plan_straight(plan, in, append_tone, &back, out)
                                          : append_tone(plan, in, type, &back, out);
}

Status plan_decode(Plan *plan, int in, int *out) {
    return plan_tone(plan, false, in, PIXEL_F32, out);
}

Status plan_encode(Plan *plan, int in, PixelType type, int *out) {
    return plan_tone(plan, true, in, type, out);
}

static Status append_labelled(Plan *plan, const Op *op, void *job, int in, int in1, int in2, int *out) {
    plan_label(plan, op->name);
    return plan_append(plan, op, job, (const int[STAGE_INPUTS]){in, in1, in2}, PIXEL_F32, out);
}

/* The film without its noise: by what it shows, and by itself when it had fewer samples. */
static Status plan_denoised(Plan *plan, const TraceJob *trace, int film, int *out) {
    SurfacesJob surfaces = {.scene = trace->scene,
                            .camera = trace->camera,
                            .samples = 1,
                            .seed = trace->sampling.seed,
                            .width = trace->width,
                            .height = trace->height};
    KeepJob keep = {false};
    DenoiseJob denoise = denoise_film_job();
    int seen, less;
    TRY(append_labelled(plan, &op_surfaces, &surfaces, PLAN_NONE, PLAN_NONE, PLAN_NONE, &seen));
    TRY(append_labelled(plan, &op_keep, &keep, film, PLAN_NONE, PLAN_NONE, &less));
    return append_labelled(plan, &op_denoise, &denoise, film, seen, less, out);
}

/* Accumulated light, and what makes pixels of it. */
static Status plan_light(Plan *plan, TraceJob job, float exposure, Shape shape, int *out) {
    const bool linear = shape.type == PIXEL_F32;
    const PointFunction function = linear ? POINT_expose : POINT_tone;
    const double factor = (double)exposure, white = pixel_type_white(shape.type);
    PointJob point = point_single(function, white, &factor, 1, shape.type);
    int gathered = 0;
    point.steps[0].channels = shape.channels;
    job.channels = 4;
    const TraceJob film = job;
    TRY(plan_append(plan, &op_trace, &job, (const int[STAGE_INPUTS]){PLAN_NONE, PLAN_NONE, PLAN_NONE}, PIXEL_F32,
                    &gathered));
    if (plan->options.denoise && film.look == LOOK_PATHS)
        TRY(plan_denoised(plan, &film, gathered, &gathered));
    plan_label(plan, points[function].name);
    TRY(plan_append(plan, &op_point, &point, (const int[STAGE_INPUTS]){gathered, PLAN_NONE, PLAN_NONE}, shape.type,
                    out));
    plan->values[*out].white = white;
    return STATUS_OK;
}

Status plan_trace(Plan *plan, TraceJob job, float exposure, Shape shape, int *out) {
    const bool light = look_is_light(job.look);
    if ((shape.type != PIXEL_U8 && !light) || shape.channels < 3)
        return fail(STATUS_USAGE, "trace draws u8x3 or u8x4%s, not %sx%d", light ? ", u16 or f32" : "",
                    pixel_type_name(shape.type), shape.channels);
    if (job.look == LOOK_WHITTED && job.sampling.depth > DEPTH_MAX)
        return fail(STATUS_USAGE, "the look whitted has a depth of 1 to %d, not %u", DEPTH_MAX, job.sampling.depth);
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
                 : plan_append(plan, &op_trace, &job, (const int[STAGE_INPUTS]){PLAN_NONE, PLAN_NONE, PLAN_NONE},
                               shape.type, out);
}
