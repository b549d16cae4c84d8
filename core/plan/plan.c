/* plan.c: sources, values, and stages appended. */
#include "core/plan/plan_internal.h"

#include "core/stage/op_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool plan_options_equal(const PlanOptions *a, const PlanOptions *b) {
    return a->border.mode == b->border.mode &&
           !(a->border.value < b->border.value || a->border.value > b->border.value) && a->alpha == b->alpha &&
           a->linear == b->linear && tone_equal(&a->tone, &b->tone) && shot_equal(&a->shot, &b->shot) &&
           a->unfused == b->unfused && a->fused == b->fused && a->straight == b->straight &&
           a->precision == b->precision && a->type_min == b->type_min && a->picture == b->picture;
}

Status plan_create(PlanOptions options, Plan **plan) {
    *plan = calloc(1, sizeof **plan);
    if (!*plan)
        return fail(STATUS_DEVICE, "no memory for a plan");
    (*plan)->options = options;
    if (options.part) {
        (*plan)->part = *options.part;
        (*plan)->options.part = &(*plan)->part;
    }
    (*plan)->label = "";
    (*plan)->result = (*plan)->unfiltered = PLAN_NONE;
    return STATUS_OK;
}

static int add_value(Plan *plan, Value value) {
    plan->values[plan->value_count] = value;
    return (int)plan->value_count++;
}

void plan_set_premultiplied(Plan *plan, int value, bool premultiplied) {
    const Shape shape = plan->values[value].shape;
    plan->values[value].premultiplied = premultiplied && shape_has_alpha(shape) && shape.type == PIXEL_F32;
}

Status plan_source(Plan *plan, Shape shape, int *value) {
    if (plan->source_count == PLAN_SOURCES)
        return fail(STATUS_USAGE, "the chain reads more than %d images", PLAN_SOURCES);
    const size_t height = plan->part.height > 0 ? plan->part.height : shape.height;
    *value = add_value(plan, (Value){.shape = shape,
                                     .white = pixel_type_white(shape.type),
                                     .source = (int)plan->source_count,
                                     .stage = PLAN_NONE,
                                     .height = height});
    if (plan->source_count == 0)
        plan_set_premultiplied(plan, *value, plan->options.tone.premultiplied && !plan->options.straight);
    plan->sources[plan->source_count++].value = *value;
    plan->result = plan->result == PLAN_NONE ? *value : plan->result;
    plan->unfiltered = plan->unfiltered == PLAN_NONE ? *value : plan->unfiltered;
    return STATUS_OK;
}

void plan_offer_images(Plan *plan, const PlanImage *images, size_t count) {
    plan->images = images;
    plan->image_count = count;
}

Status plan_offered(Plan *plan, const char *path, bool table, size_t *source) {
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
    if (plan->part.cut && !table) {
        const Shape picture = plan->values[plan->unfiltered].shape;
        shape.width = shape.width < picture.width ? shape.width : picture.width;
        shape.height = shape.height < picture.height ? shape.height : picture.height;
    }
    TRY(plan_source(plan, shape, &value));
    plan->sources[*source].image = image_retain(image);
    plan->sources[*source].table = table;
    plan_set_premultiplied(plan, value, image->premultiplied);
    return STATUS_OK;
}

Status plan_table(Plan *plan, const char *path, int *value) {
    size_t source;
    TRY(plan_offered(plan, path, true, &source));
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

Status plan_own_table(Plan *plan, Image *table, int *value) {
    TRY(plan_own_image(plan, table, value));
    plan->sources[plan->source_count - 1].table = true;
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
        const double flops = stage_cost_is_open(stage) ? INFINITY : stage_cost(stage).flops;
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
void plan_set_white(Plan *plan, int value, double white) {
    plan->values[value].white = white;
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

void plan_note(Plan *plan, const char *text) {
    if (plan->note_count < PLAN_NOTES)
        snprintf(plan->notes[plan->note_count++], PLAN_NOTE, "%s: %s", plan->label, text);
}

const char *plan_noted(const Plan *plan, size_t index) {
    return index < plan->note_count ? plan->notes[index] : NULL;
}

/* Sets the height and the band of a value that a stage will make of these inputs. Cuts the job for the rows of the
 * plan. STATUS_USAGE if the height changes too often; fails as op->shape does. */
static Status cut_job(const Plan *plan, const Op *op, void *job, const int in[STAGE_INPUTS], PixelType type,
                      Value *made) {
    if (!op_parts(op)->cut || plan->part.height == 0)
        return STATUS_OK;
    const Value *from = &plan->values[in[0]];
    Shape whole[STAGE_INPUTS] = {{0}}, out; /* of which a part is the picture to a job that keeps its height */
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (in[k] != PLAN_NONE) {
            whole[k] = plan->values[in[k]].shape;
            whole[k].height = plan->values[in[k]].height;
        }
    TRY(op->shape(job, whole, type, &out));
    made->height = out.height;
    made->band = from->band + (out.height != from->height);
    if (made->band > PLAN_BANDS)
        return fail(STATUS_USAGE, "more than %d changes of a picture's height", PLAN_BANDS);
    const bool changes = made->band > from->band;
    op_parts(op)->cut(job, changes ? whole[0] : from->shape,
                      !changes         ? from->shape.height
                      : plan->part.cut ? plan->part.bands[made->band - 1]
                                       : out.height);
    return STATUS_OK;
}

/* Gives a value that no cut job makes the height of the input that has as many rows in the part. */
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
    TRY(cut_job(plan, op, job, in, type, &made));
    TRY(op->shape(job, shapes, type, &stage.out.shape));
    made.shape = stage.out.shape;
    inherit_rows(plan, in, &made);
    *out = plan->result = add_value(plan, made);
    plan_set_premultiplied(plan, *out, in[0] >= 0 && plan->values[in[0]].premultiplied);
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

Status plan_bind(Plan *plan, PlanParameter parameter) {
    if (plan->parameter_count == PLAN_PARAMETERS)
        return fail(STATUS_USAGE, "%s: the plan has more than %d parameters", plan->label, PLAN_PARAMETERS);
    plan->parameters[plan->parameter_count++] = parameter;
    return STATUS_OK;
}

size_t plan_parameter_count(const Plan *plan) {
    return plan->parameter_count;
}
const PlanParameter *plan_parameter(const Plan *plan, size_t index) {
    return &plan->parameters[index];
}

int plan_count_readers(const Plan *plan, int value) {
    int readers = (plan->result == value) + (plan->unfiltered == value);
    for (size_t i = 0; i < plan->stage_count; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            readers += plan->stages[i].from[k] == value;
    return readers;
}

bool plan_is_bound(const Plan *plan, int value) {
    for (size_t i = 0; i < plan->parameter_count; i++)
        if (plan->parameters[i].value == value)
            return true;
    return false;
}

void plan_drop_stage(Plan *plan, size_t index) {
    plan->values[plan->stages[index].to].stage = PLAN_NONE;
    free_job(plan->stages[index].stage.op, &plan->jobs[index]);
    plan->stage_count--;
    for (size_t i = index; i < plan->stage_count; i++) {
        plan->stages[i] = plan->stages[i + 1];
        plan->jobs[i] = plan->jobs[i + 1];
        plan->values[plan->stages[i].to].stage = (int)i;
    }
    plan->jobs[plan->stage_count] = NULL;
}
