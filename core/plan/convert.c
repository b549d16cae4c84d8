/* convert.c: values widened and stored, by stages of their own or by their neighbours. */
#include "core/plan/convert.h"

#include "core/plan/lower.h"
#include "core/plan/plan_internal.h"
#include "core/plan/plan_part.h"
#include "core/plan/predict.h"

#include <math.h>

Status plan_widen(Plan *plan, int in, int *out) {
    return plan_point(plan, POINT_convert, in, PLAN_NONE, PIXEL_F32, out);
}

Status plan_store(Plan *plan, int in, PixelType type, int *out) {
    const double white = pixel_type_white(type), factor = white / plan->values[in].white;
    if (!(fabs(factor - 1) > 0))
        return plan_point(plan, POINT_convert, in, PLAN_NONE, type, out);
    TRY(plan_point_with(plan, POINT_times, &factor, 1, (const int[STAGE_INPUTS]){in, PLAN_NONE, PLAN_NONE}, type, out));
    plan_set_white(plan, *out, white);
    return STATUS_OK;
}

static bool is_picture_type(PixelType type) {
    return type == PIXEL_U8 || type == PIXEL_U16;
}

/* Whether a stage converts, and does nothing else. */
static bool converts(const Plan *plan, size_t stage) {
    const PointJob *job = plan->jobs[stage];
    return plan->stages[stage].stage.op->of_points && job->count == 1 && job->steps[0].function == POINT_convert &&
           job->steps[0].channels == 0 && !plan_is_bound(plan, plan->stages[stage].to);
}

static bool widens(const Plan *plan, size_t stage) {
    const Stage *is = &plan->stages[stage].stage;
    return converts(plan, stage) && is_picture_type(is->in[0].shape.type) && is->out.shape.type == PIXEL_F32;
}

/* Whether the stage makes the same shape, stored as `type`, if its input `k` has another type. */
static bool takes(const Plan *plan, size_t stage, int k, PixelType input, PixelType type) {
    const Stage *is = &plan->stages[stage].stage;
    Shape in[STAGE_INPUTS], out;
    for (int i = 0; i < STAGE_INPUTS; i++)
        in[i] = is->in[i].shape;
    if (k >= 0)
        in[k].type = input;
    return is->op->shape(plan->jobs[stage], in, type, &out) == STATUS_OK &&
           shape_equal(out, shape_with_type(is->out.shape, type));
}

/* Has all that read one value read another, of the same size, or the same as it is now. */
static void read_instead(Plan *plan, int value, int other) {
    for (size_t i = 0; i < plan->stage_count; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            if (plan->stages[i].from[k] == value) {
                plan->stages[i].from[k] = other;
                plan->stages[i].stage.in[k].shape = plan->values[other].shape;
            }
    plan->result = plan->result == value ? other : plan->result;
}

/* The only stage that reads the value, as its one input; or PLAN_NONE. */
static int only_reader(const Plan *plan, int value) {
    if (plan_count_readers(plan, value) != 1)
        return PLAN_NONE;
    for (size_t i = 0; i < plan->stage_count; i++)
        if (plan->stages[i].from[0] == value)
            return plan->stages[i].from[1] == PLAN_NONE ? (int)i : PLAN_NONE;
    return PLAN_NONE;
}

/* Puts the stage that widens behind the one that reads it, which then works on the picture's type. */
static void sink(Plan *plan, size_t stage, size_t reader) {
    PlanStage *first = &plan->stages[stage], *then = &plan->stages[reader];
    const PixelType type = first->stage.in[0].shape.type;
    const Stage widening = first->stage;
    void *const job = plan->jobs[stage];
    first->stage = then->stage;
    plan->jobs[stage] = plan->jobs[reader];
    then->stage = widening;
    plan->jobs[reader] = job;
    Value *between = &plan->values[first->to];
    const Value *made = &plan->values[then->to];
    between->shape = shape_with_type(made->shape, type);
    between->height = made->height;
    between->band = made->band;
    first->stage.in[0].shape = plan->values[first->from[0]].shape;
    first->stage.out.shape = between->shape;
    then->stage.in[0].shape = between->shape;
    then->stage.out.shape = made->shape;
}

/* Whether every reader of the value takes it as `type` as well. */
static bool all_take(const Plan *plan, int value, PixelType type) {
    bool all = plan->result != value && plan->unfiltered != value;
    for (size_t i = 0; i < plan->stage_count && all; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            if (plan->stages[i].from[k] == value)
                all &= takes(plan, i, k, type, plan->stages[i].stage.out.shape.type);
    return all;
}

/* A stage as it is for the whole picture: all parts of one go by the same times. */
static Stage whole_stage(const Plan *plan, size_t index) {
    Stage stage = plan->stages[index].stage;
    for (int k = 0; k < STAGE_INPUTS; k++)
        if (plan->stages[index].from[k] != PLAN_NONE)
            stage.in[k].shape = plan_whole_shape(plan, plan->stages[index].from[k]);
    stage.out.shape = plan_whole_shape(plan, plan->stages[index].to);
    return stage;
}

/* Predicted for all that read the value, as values of a type. */
static double readers_seconds(const Plan *plan, int value, PixelType type) {
    double seconds = 0;
    for (size_t i = 0; i < plan->stage_count; i++) {
        Stage stage = whole_stage(plan, i);
        bool reads = false;
        for (int k = 0; k < STAGE_INPUTS; k++)
            if (plan->stages[i].from[k] == value) {
                stage.in[k].shape.type = type;
                reads = true;
            }
        seconds += reads ? stage_seconds(&stage, plan->options.device) : 0;
    }
    return seconds;
}

static bool only_points_read(const Plan *plan, int value) {
    bool only = true;
    for (size_t i = 0; i < plan->stage_count; i++)
        for (int k = 0; k < STAGE_INPUTS; k++)
            only &= plan->stages[i].from[k] != value || plan->stages[i].stage.op->of_points;
    return only;
}

/* Whether a stage that widens, and readers of f32, are predicted to take less time than readers of the type. Points
 * convert in passing. */
static bool widens_faster_apart(const Plan *plan, size_t stage, PixelType type) {
    const Device *device = plan->options.device;
    const int value = plan->stages[stage].to;
    const Stage widening = whole_stage(plan, stage);
    return device && !only_points_read(plan, value) &&
           stage_seconds(&widening, device) + readers_seconds(plan, value, PIXEL_F32) <
               readers_seconds(plan, value, type);
}

/* Returns whether the stage is dropped. */
static bool place_widening(Plan *plan, size_t stage) {
    const int value = plan->stages[stage].to, stored = plan->stages[stage].from[0];
    const PixelType type = plan->values[stored].shape.type;
    const int reader = only_reader(plan, value);
    if (reader != PLAN_NONE && plan->stages[reader].stage.op->chooses &&
        !plan_is_bound(plan, plan->stages[reader].to) && takes(plan, (size_t)reader, 0, type, type)) {
        sink(plan, stage, (size_t)reader);
        return false;
    }
    if (!all_take(plan, value, type) || widens_faster_apart(plan, stage, type))
        return false;
    read_instead(plan, value, stored);
    plan_drop_stage(plan, stage);
    return true;
}

/* Has the stage that makes a value make it of a type. */
static void make_as(Plan *plan, size_t stage, PixelType type) {
    PlanStage *planned = &plan->stages[stage];
    planned->stage.out.shape.type = plan->values[planned->to].shape.type = type;
    if (planned->stage.op->of_points) {
        PointJob *job = plan->jobs[stage];
        job->steps[job->count - 1].type = type;
    }
}

/* A stage of points whose last step rounds is as good as one with a step more that does. */
static bool can_make(const Plan *plan, size_t stage, PixelType type) {
    return plan->stages[stage].stage.out.shape.type == PIXEL_F32 &&
           (plan->stages[stage].stage.op->of_points || takes(plan, stage, -1, type, type));
}

/* Drops a stage that stores a value if the stage that makes the value can do that, or if it is stored so already. */
static bool place_store(Plan *plan, size_t stage) {
    const int value = plan->stages[stage].from[0], stored = plan->stages[stage].to;
    const PixelType type = plan->values[stored].shape.type;
    const int maker = plan->values[value].stage;
    if (plan->values[value].shape.type != type) {
        if (maker == PLAN_NONE || plan_count_readers(plan, value) != 1 || plan_is_bound(plan, value) ||
            !can_make(plan, (size_t)maker, type))
            return false;
        make_as(plan, (size_t)maker, type);
    }
    read_instead(plan, stored, value);
    plan_drop_stage(plan, stage);
    return true;
}

void plan_place_conversions(Plan *plan) {
    for (size_t i = 0; i < plan->stage_count;)
        i += !(widens(plan, i) && place_widening(plan, i));
    for (size_t i = plan->stage_count; i-- > 0;)
        if (converts(plan, i) && !widens(plan, i))
            place_store(plan, i);
}

/* Whether a stage's results depend on single values, and on nothing else. */
static bool is_of_values(const Plan *plan, int stage) {
    if (stage == PLAN_NONE || !plan->stages[stage].stage.op->of_points || plan_is_bound(plan, plan->stages[stage].to))
        return false;
    const PointJob *job = plan->jobs[stage];
    return plan->stages[stage].from[1] == PLAN_NONE &&
           point_value_steps(job, 0, plan->stages[stage].stage.in[0].shape.channels) == job->count;
}

void plan_widen_points(Plan *plan) {
    bool follows[PLAN_VALUES] = {false}; /* values that are functions of single ones of a picture's type */
    for (size_t i = 0; i < plan->stage_count; i++) {
        const int in = plan->stages[i].from[0], value = plan->stages[i].to;
        if (!is_of_values(plan, (int)i) || !(is_picture_type(plan->values[in].shape.type) || follows[in]) ||
            !is_picture_type(plan->values[value].shape.type) || !is_of_values(plan, only_reader(plan, value)))
            continue;
        make_as(plan, i, PIXEL_F32);
        read_instead(plan, value, value);
        follows[value] = true;
    }
}

void plan_set_choice(Plan *plan, PrecisionChoice choice) {
    plan->options.choice = choice;
}

static bool is_exact(PointFunction function) {
    return function == POINT_invert || function == POINT_threshold || function == POINT_times_alpha ||
           function == POINT_with_alpha || function == POINT_difference;
}

size_t plan_count_roundings(const Plan *plan) {
    size_t count = 0;
    for (size_t i = 0; i < plan->stage_count; i++) {
        const Stage *stage = &plan->stages[i].stage;
        const PointJob *job = plan->jobs[i];
        if (!stage->op->of_points)
            count += is_picture_type(stage->out.shape.type) && !stage->op->chooses;
        for (int k = 0; stage->op->of_points && k < job->count; k++)
            count += is_picture_type(job->steps[k].type) && !is_exact(job->steps[k].function);
    }
    return count;
}
