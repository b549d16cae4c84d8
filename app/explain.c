/* explain.c: plans in words. */
#include "app/explain.h"

#include "core/chain/chain.h"
#include "core/plan/frame_map.h"
#include "core/plan/precision.h"

#include <math.h>

/* The picture that copies are counted in: the chain's input, or its output where it has no input. */
static double copy_bytes(const Plan *plan) {
    const int value = plan_source_count(plan) > 0 ? plan_source_value(plan, PIPELINE_PICTURE) : plan_result(plan);
    return 2 * (double)shape_bytes(plan_value_shape(plan, value));
}

/* Counts a plan's copies; the stages run one by one if `fused` is NULL. */
static double count_copies(const Plan *plan, const FusedStage *fused, size_t count) {
    double bytes = 0;
    for (size_t i = 0; i < count; i++)
        bytes += stage_cost(fused ? &fused[i].planned.stage : &plan_stage(plan, i)->stage).bytes;
    return bytes / fmax(copy_bytes(plan), 1);
}

static void print_value(FILE *to, const Plan *plan, const FrameMap *map, int value) {
    const Shape shape = plan_value_shape(plan, value);
    fprintf(to, "value %d, %zux%zu %sx%d, %.2f MB", value, shape.width, shape.height, pixel_type_name(shape.type),
            shape.channels, (double)shape_bytes(shape) / 1e6);
    if (map->frame_of[value] >= 0)
        fprintf(to, " in frame %d\n", map->frame_of[value]);
    else
        fprintf(to, ", read by nobody\n");
}

static void print_source(FILE *to, const Plan *plan, const FrameMap *map, size_t source) {
    fprintf(to, "  source  %s: ", plan_source_image(plan, source) ? "an image that a filter reads" : "the picture");
    print_value(to, plan, map, plan_source_value(plan, source));
}

/* Prints the points that go along with another operation. */
static void print_points(FILE *to, const char *prefix, const PointJob *job, const char *suffix) {
    char text[400];
    if (!job)
        return;
    op_point.describe(job, text, sizeof text);
    fprintf(to, "%s%s%s", prefix, text, suffix);
}

static void print_stage(FILE *to, const Pipeline *pipeline, const FrameMap *map, size_t index) {
    const Plan *plan = pipeline_plan(pipeline);
    const PlanStage *planned = &pipeline_stages(pipeline)[index].planned;
    const Stage *stage = &planned->stage;
    const StagePoints none = {0}, *around = stage->points ? stage->points : &none;
    char job[400];
    stage->op->describe(stage->job, job, sizeof job);
    fprintf(to, "  stage %zu %s: ", index + 1, stage->label);
    print_points(to, "", around->before, ", then ");
    fprintf(to, "%s, %s", stage->op->name, job);
    print_points(to, ", then ", around->after, "");
    fprintf(to, ", level %s, %.2f copies\n", pipeline_level(pipeline, index)->name,
            stage_cost(stage).bytes / fmax(copy_bytes(plan), 1));
    fprintf(to, "          ");
    for (int k = 0; k < STAGE_INPUTS && planned->from[k] != PLAN_NONE; k++)
        fprintf(to, "%svalue %d", k > 0 ? ", " : "", planned->from[k]);
    fprintf(to, "%s", planned->from[0] != PLAN_NONE ? " -> " : "-> ");
    print_value(to, plan, map, planned->to);
}

static void print_precision(FILE *to, const PlanOptions *options) {
    char text[200];
    precision_explain(options, text, sizeof text);
    fprintf(to, "  precision: %s\n", text);
}

void explain(FILE *to, const char *title, const Pipeline *pipeline, const Plan *apart) {
    const Plan *plan = pipeline_plan(pipeline);
    const size_t stages = pipeline_stage_count(pipeline);
    FrameMap map;
    if (frame_map_create_fused(plan, pipeline_stages(pipeline), stages, &map) != STATUS_OK)
        return;
    fprintf(to, "%s, on %s:\n", title, pipeline_device(pipeline)->backend->name);
    print_precision(to, plan_options(plan));
    for (size_t i = 0; plan_noted(plan, i); i++)
        fprintf(to, "  %s\n", plan_noted(plan, i));
    for (size_t i = 0; i < plan_source_count(plan); i++)
        print_source(to, plan, &map, i);
    for (size_t i = 0; i < stages; i++)
        print_stage(to, pipeline, &map, i);
    fprintf(to, "  all: %zu stage%s, %zu frame%s, %.2f MB, at least %.2f copies of the picture\n", stages,
            stages == 1 ? "" : "s", map.count, map.count == 1 ? "" : "s", (double)frame_map_bytes(&map) / 1e6,
            count_copies(plan, pipeline_stages(pipeline), stages));
    if (apart && plan_stage_count(apart) > stages)
        fprintf(to, "  fused: %zu stages and %.2f copies without\n", plan_stage_count(apart),
                count_copies(apart, NULL, plan_stage_count(apart)));
    fflush(to);
    frame_map_free(&map);
}

Status explain_chain(FILE *to, Device *device, const char *text, Shape shape, PlanOptions options, const char *level) {
    Chain *chain;
    Plan *plan = NULL, *apart = NULL;
    Pipeline *pipeline = NULL;
    char title[320];
    snprintf(title, sizeof title, "%.200s of %zux%zu %sx%d", text, shape.width, shape.height,
             pixel_type_name(shape.type), shape.channels);
    options.device = device;
    TRY(chain_open(text, &chain));
    Status status = chain_plan(chain, shape, options, &plan);
    options.unfused = true;
    if (status == STATUS_OK)
        options.choice = plan_options(plan)->choice;
    if (status == STATUS_OK)
        status = chain_plan(chain, shape, options, &apart);
    if (status == STATUS_OK) {
        status = pipeline_create(device, plan, level, &pipeline);
        plan = NULL; /* taken over */
    }
    if (status == STATUS_OK)
        explain(to, title, pipeline, apart);
    pipeline_destroy(&pipeline);
    plan_destroy(&plan);
    plan_destroy(&apart);
    chain_destroy(&chain);
    return status;
}
