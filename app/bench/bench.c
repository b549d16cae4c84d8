/* bench.c: glint bench: runs a ladder, checks every level against the float64 reference, and times them in turns. */
#include "app/bench/ladder.h"
#include "app/bench/plot.h"
#include "app/command.h"
#include "app/sight.h"
#include "core/chain.h"
#include "core/timing.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { RUNS_USUAL = 15 };

#define CHECK_FLOPS 4e9 /* the reference checks pictures up to this much work, else smaller ones */

typedef struct Options {
    Common common;
    Sight sight;
    const char *operation, *filter, *scene, *plot;
    Shape shape;
    int mask_width, mask_height;
    int runs;
    bool top; /* only the level that best takes */
} Options;

enum { KEY_TYPE = 0x3000, KEY_MASK, KEY_FILTER, KEY_RUNS, KEY_PLOT, KEY_SCENE, KEY_TOP };

static const struct argp_option argp_options[] = {
    {"size", 's', "WxH", 0, "size in pixels (3840x2160)", 0},
    {"type", KEY_TYPE, "TYPE", 0, "pixels: u8x4, u8x3, u16x1, f32x1, ... (u8x4)", 0},
    {"mask", KEY_MASK, "K|KxK", 0, "convolve: a dense random mask of this size (5)", 0},
    {"filter", KEY_FILTER, "CHAIN", 0, "take the stage that a chain lowers to instead of a random mask", 0},
    {"scene", KEY_SCENE, "SCENE", 0, "trace: the scene (spheres)", 0},
    {"runs", KEY_RUNS, "N", 0, "runs of each level; slow ones get fewer (15)", 0},
    {"top", KEY_TOP, NULL, 0, "only the level that best takes, not the whole ladder", 0},
    {"plot", KEY_PLOT, "FILE.svg", 0, "draw the ladder (needs gnuplot)", 0},
    {0},
};

static void parse_mask(struct argp_state *state, const char *text, Options *options) {
    int end = 0;
    int fields = sscanf(text, "%dx%d%n", &options->mask_width, &options->mask_height, &end);
    if (fields == 1) {
        options->mask_height = options->mask_width;
        fields = sscanf(text, "%d%n", &options->mask_width, &end);
    }
    if (fields < 1 || text[end] != '\0' || options->mask_width < 1 || options->mask_width > MASK_MOST ||
        options->mask_height < 1 || options->mask_height > MASK_MOST)
        say_usage(state, "--mask is \"%s\", want K or KxK with K from 1 to %d", text, MASK_MOST);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        state->child_inputs[1] = &options->sight;
        return 0;
    case 's':
        if (shape_parse_size(text, &options->shape) != STATUS_OK)
            say_usage(state, "%s", status_message());
        return 0;
    case KEY_TYPE:
        if (shape_parse_type(text, &options->shape) != STATUS_OK)
            say_usage(state, "%s", status_message());
        return 0;
    case KEY_MASK:
        parse_mask(state, text, options);
        return 0;
    case KEY_FILTER:
        options->filter = text;
        return 0;
    case KEY_SCENE:
        options->scene = text;
        return 0;
    case KEY_RUNS:
        options->runs = (int)common_whole(state, "runs", text, 1, RUNS_MOST);
        return 0;
    case KEY_TOP:
        options->top = true;
        return 0;
    case KEY_PLOT:
        options->plot = text;
        return 0;
    case ARGP_KEY_ARG:
        if (options->operation)
            say_usage(state, "one operation at a time, not %s and %s", options->operation, text);
        options->operation = text;
        return 0;
    case ARGP_KEY_END:
        if (!options->operation)
            say_usage(state, "want an operation, as in glint bench convolve (glint list operations)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* What is benched: a plan of at least one stage of the operation. */

static Status plan_dense(const Options *options, Plan *plan, int *out) {
    Mask *mask;
    TRY(mask_create(options->mask_width, options->mask_height, &mask));
    Image *noise = NULL;
    Status status = image_create((Shape){(size_t)mask->width, (size_t)mask->height, 1, PIXEL_F32}, &noise);
    if (status != STATUS_OK) {
        mask_destroy(&mask);
        return status;
    }
    view_fill_random(noise->view, 7);
    memcpy(mask->weights, noise->view.pixels, shape_bytes(noise->view.shape));
    image_destroy(&noise);
    const double sum = mask_sum(mask);
    for (int i = 0; i < mask->width * mask->height; i++)
        mask->weights[i] = (float)((double)mask->weights[i] / sum);
    return plan_convolve(plan, 0, mask, 0, options->shape.type, out);
}

static Status make_plan(const Options *options, Operation operation, Shape shape, Scene *scene, Plan **plan) {
    int out;
    *plan = NULL;
    PlanOptions plain = options->common.plan;
    plain.alpha = ALPHA_IGNORE; /* a bench times the operation, not what surrounds it */
    if (options->filter || operation == OPERATION_POINT) {
        Chain *chain;
        TRY(chain_parse(options->filter ? options->filter : "grayscale", &chain));
        const Status status = chain_plan(chain, shape, plain, plan);
        chain_destroy(&chain);
        return status;
    }
    if (operation == OPERATION_TRACE && options->sight.look == LOOK_NODES)
        return fail(STATUS_USAGE, "bench: the look of nodes shows what a level does: there is nothing to check it by");
    TRY(plan_create(shape, plain, plan));
    plan_label(*plan, operations[operation].name);
    const Status status = operation == OPERATION_TRACE
                              ? plan_trace(*plan, trace_job(scene, &options->sight), 1, shape, &out)
                              : plan_dense(options, *plan, &out);
    if (status != STATUS_OK)
        plan_destroy(plan);
    return status;
}

static Status find_stage(const Plan *plan, Operation operation, const char *filter, const Stage **stage) {
    for (size_t i = 0; i < plan_stage_count(plan); i++)
        if (plan_stage(plan, i)->stage.operation == operation) {
            *stage = &plan_stage(plan, i)->stage;
            return STATUS_OK;
        }
    return fail(STATUS_USAGE, "bench: the chain %s has no stage of %s", filter, operations[operation].name);
}

/* A smaller picture of the same proportions whose reference does not take minutes. */
static Shape check_shape(Shape shape, Cost cost) {
    const double scale = cost.flops > CHECK_FLOPS ? sqrt(CHECK_FLOPS / cost.flops) : 1;
    shape.width = (size_t)fmax(1, (double)shape.width * scale);
    shape.height = (size_t)fmax(1, (double)shape.height * scale);
    return shape;
}

static Status write_json(const Common *common, json_t *list) {
    FILE *file;
    TRY(common_open_json(common, &file));
    if (!file)
        return STATUS_OK;
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_t *root = json_pack("{s:s, s:{s:s, s:s, s:i, s:s}, s:O}", "glint", "bench", "context", "date", date,
                             "executable", "glint", "num_cpus", (int)sysconf(_SC_NPROCESSORS_ONLN),
                             "library_build_type", "release", "benchmarks", list);
    return json_put(file, root, JSON_INDENT(2)) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the report");
}

/* Before the hours of work, not behind them. */
static Status check_plot(const char *path) {
    return !path || system("command -v gnuplot >/dev/null 2>&1") == 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "--plot %s: gnuplot is not on the PATH; install it, or take --json", path);
}

static void describe(const Options *options, const Stage *stage, Scene *scene, char *text, size_t size) {
    char border[32];
    const Shape shape = stage->out.shape;
    int used = snprintf(text, size, "%s, ", operations[stage->operation].name);
    if (stage->operation == OPERATION_CONVOLVE)
        used += snprintf(text + used, size - (size_t)used, "%s %dx%d, border %s, ",
                         options->filter ? options->filter : "dense", stage->convolve.mask->width,
                         stage->convolve.mask->height, border_format(stage->convolve.border, border, sizeof border));
    if (stage->operation == OPERATION_POINT)
        used += snprintf(text + used, size - (size_t)used, "%s, ", stage->label);
    if (scene) {
        used += (int)scene_count_text(scene, text + used, size - (size_t)used);
        used += snprintf(text + used, size - (size_t)used, ", ");
    }
    snprintf(text + used, size - (size_t)used, "%sx%d, %zux%zu", pixel_type_name(shape.type), shape.channels,
             shape.width, shape.height);
}

static Status bench_bound(const Options *options, Ladder *ladder, const Stage *check, const char *job, json_t *list) {
    TRY(ladder_check(ladder, check));
    TRY(ladder_time(ladder, options->runs));
    TRY(ladder_measure(ladder));
    TRY(ladder_count_rays(ladder));
    ladder_print(common_results(&options->common), ladder, job);
    ladder_add_json(list, ladder, job);
    for (size_t i = 0; i < ladder->count; i++)
        if (!ladder->rungs[i].why_not && !ladder->rungs[i].verdict.agrees)
            return fail(STATUS_PARTIAL, "level %s does not agree with the reference: off by up to %g",
                        ladder->rungs[i].level->name, ladder->rungs[i].verdict.worst);
    return STATUS_OK;
}

/* The rungs to run: all but the reference, or the one that --level names. */
static Status collect_rungs(const Options *options, const Device *device, const Stage *stage, Ladder *ladder) {
    const Backend *backend = device->backend;
    const Level *level, *best = level_best(device, stage);
    const bool all = strcmp(options->common.level, "best") == 0;
    for (size_t i = 0; (level = ladder_level(backend, stage->operation, i)) && ladder->count < LADDER_MOST; i++) {
        const char *why_not = NULL;
        const bool reference = strcmp(level->name, "reference") == 0;
        if (all ? (options->top || reference) && level != best : strcmp(level->name, options->common.level) != 0)
            continue;
        const bool can = level->accepts(device, stage, &why_not);
        ladder->rungs[ladder->count++] =
            (Rung){.level = level, .why_not = can ? NULL : why_not, .watts = -1, .joules = -1};
    }
    return ladder->count > 0 ? STATUS_OK
                             : fail(STATUS_USAGE, "bench: no level \"%s\" for %s on %s", options->common.level,
                                    operations[stage->operation].name, backend->name);
}

static Status bench_device(const Options *options, Operation operation, Scene *scene, Device *device, json_t *list) {
    Plan *plan = NULL, *check_plan = NULL;
    const Stage *planned = NULL, *check = NULL;
    Stage stage = {0};
    char job[256];
    Ladder ladder = {.device = device,
                     .scene = scene,
                     .recorder = options->common.recorder,
                     .rungs = calloc(LADDER_MOST, sizeof(Rung))};
    Status status = ladder.rungs ? make_plan(options, operation, options->shape, scene, &plan)
                                 : fail(STATUS_DEVICE, "no memory for a ladder");
    if (status == STATUS_OK)
        status = find_stage(plan, operation, options->filter, &planned);
    if (status == STATUS_OK) {
        stage = *planned;
        ladder.stage = &stage;
        ladder.cost = stage_cost(planned);
        describe(options, planned, scene, job, sizeof job);
        status = make_plan(options, operation, check_shape(options->shape, ladder.cost), scene, &check_plan);
    }
    if (status == STATUS_OK)
        status = find_stage(check_plan, operation, options->filter, &check);
    if (status == STATUS_OK)
        status = collect_rungs(options, device, planned, &ladder);
    if (status == STATUS_OK)
        status = frames_bind(device, &stage);
    if (status == STATUS_OK)
        status = bench_bound(options, &ladder, check, job, list);
    frames_free(device, &stage);
    plan_destroy(&plan);
    plan_destroy(&check_plan);
    free(ladder.rungs);
    return status;
}

static Status bench_backends(const Options *options, Operation operation, Scene *scene, json_t *list) {
    char names[256];
    snprintf(names, sizeof names, "%s", options->common.backend);
    char *rest = names;
    for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ",")) {
        Common common = options->common;
        Device *device = NULL;
        common.backend = name;
        TRY(common_open(&common, &device));
        const Status status = bench_device(options, operation, scene, device, list);
        device_close(&device);
        TRY(status);
    }
    return STATUS_OK;
}

/* The file of --plot, if there is one; what keeps it from being written is said before the ladder runs. */
static Status claim_plot(const Options *options, Output **output) {
    const OutputRules rules = {.writer = "--plot", .opening = PLOT_OPENING, .overwrite = options->common.overwrite};
    *output = NULL;
    if (!options->plot)
        return STATUS_OK;
    TRY(output_claim(options->plot, rules, output));
    return output_begin(*output);
}

static Status bench_operation(const Options *options) {
    int operation = 0;
    TRY(check_plot(options->plot));
    while (operation < OPERATIONS && strcmp(operations[operation].name, options->operation) != 0)
        operation++;
    if (operation == OPERATIONS)
        return fail(STATUS_USAGE, "bench: no operation \"%s\"; want convolve, point or trace", options->operation);
    Scene *scene = NULL;
    if (operation == OPERATION_TRACE)
        TRY(scene_open(options->scene, &scene));
    json_t *list = json_array();
    Output *picture;
    Status status = claim_plot(options, &picture);
    if (status == STATUS_OK)
        status = bench_backends(options, (Operation)operation, scene, list);
    if (status == STATUS_PARTIAL)
        say(stderr, "glint: %s", status_message());
    if (status == STATUS_OK || status == STATUS_PARTIAL) {
        const Status wrote = write_json(&options->common, list);
        status = status == STATUS_OK ? wrote : status;
    }
    if (status == STATUS_OK && picture)
        status = plot_append(picture, list);
    if (status == STATUS_OK && picture)
        status = output_finish(picture, NULL);
    json_decref(list);
    output_destroy(&picture);
    scene_destroy(&scene);
    return status;
}

Status bench_command(int argc, char **argv) {
    Options options = {.common = common_usual,
                       .shape = {3840, 2160, 4, PIXEL_U8},
                       .runs = RUNS_USUAL,
                       .mask_width = 5,
                       .mask_height = 5,
                       .scene = "spheres",
                       .sight = sight_usual};
    const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {&sight_argp, 0, NULL, 0}, {0}};
    const struct argp parser = {
        argp_options, parse, "OPERATION", "Runs OPERATION's ladder (glint list operations), checks it and times it.",
        children,     NULL,  NULL};
    TRY(common_parse(&parser, argc, argv, &options));
    Status status = common_start(&options.common, "bench");
    if (status == STATUS_OK)
        status = bench_operation(&options);
    return common_finish(&options.common, status);
}
