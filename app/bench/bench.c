/* bench.c: glint bench: runs ladders, checks every level against the float64 reference, and times them in turns.
 * Owns the options and the grid of jobs that they span. */
#include "app/backends.h"
#include "app/bench/bench_job.h"
#include "app/bench/chain.h"
#include "app/bench/course.h"
#include "app/bench/ladder.h"
#include "app/bench/left_out.h"
#include "app/bench/machine.h"
#include "app/bench/plot.h"
#include "app/bench/refusals.h"
#include "app/bench/small.h"
#include "app/bench/steps.h"
#include "app/bench/timeline.h"
#include "app/command.h"
#include "app/common_options.h"
#include "app/explain.h"
#include "core/base/share.h"
#include "core/base/timing.h"
#include "core/ops/convolve.h"
#include "core/ops/multiply.h"
#include "core/ops/ops.h"
#include "core/plan/convert.h"
#include "core/run/verify.h"
#include "core/scene/scene_open.h"

#include <argz.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { RUNS_DEFAULT = 15 };

#define LEVEL_MS 1500

/* Strings one after the other, as glibc's argz functions keep them. */
typedef struct List {
    char *items;
    size_t bytes;
} List;

/* Every type is combined with every mask, filter, scene or precision. */
typedef struct Options {
    CommonOptions common;
    SceneOptions scene_options;
    Progress *progress;
    const char *operation, *plot, *experiments, *occupancy;
    Shape shape; /* width and height */
    bool sized;  /* they were asked for */
    List types, masks, filters, scenes, precisions;
    int runs;
    bool top;         /* only the level that best takes */
    bool times;       /* neither caches nor energy, nor samples of light */
    bool check_best;  /* only whether that is the fastest */
    bool check_steps; /* only whether larger jobs take longer */
    bool course;      /* of reduce: the course's tables */
} Options;

/* No operation of its own, but all that a chain lowers to. */
static const char STEPS[] = "steps"; /* stands for an operation with --check-steps */

static bool is_chain(const Options *options) {
    return options->operation && strcmp(options->operation, "chain") == 0;
}

/* No operation at all: the costs of the device. */
static bool is_machine(const Options *options) {
    return options->operation && strcmp(options->operation, "machine") == 0;
}

static Status list_add(List *list, const char *text, int separator) {
    return argz_add_sep(&list->items, &list->bytes, text, separator) == 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no memory for the options");
}

static Status read_types(const char *text, void *values) {
    List *types = &((Options *)values)->types;
    Shape ignored;
    TRY(list_add(types, text, ','));
    for (char *type = NULL; (type = argz_next(types->items, types->bytes, type));)
        TRY(shape_parse_type(type, &ignored));
    return STATUS_OK;
}

static Status read_masks(const char *text, void *values) {
    List *masks = &((Options *)values)->masks;
    int width, height;
    TRY(list_add(masks, text, ','));
    for (char *mask = NULL; (mask = argz_next(masks->items, masks->bytes, mask));)
        if (!bench_job_parse_mask(mask, &width, &height))
            return fail(STATUS_USAGE, "--mask is \"%s\", want K or KxK with K from 1 to %d", text, MASK_MAX);
    return STATUS_OK;
}

static Status read_filter(const char *text, void *values) {
    return list_add(&((Options *)values)->filters, text, '\0');
}

static Status read_scene(const char *text, void *values) {
    return list_add(&((Options *)values)->scenes, text, '\0');
}

/* "4096" is a square. */
static Status read_size(const char *text, void *values) {
    Options *options = values;
    char square[64];
    snprintf(square, sizeof square, "%s%s%s", text, strchr(text, 'x') ? "" : "x", strchr(text, 'x') ? "" : text);
    options->sized = true;
    return shape_parse_size(square, &options->shape);
}

static size_t precision_by_name(const char *name) {
    size_t i = 0;
    while (i < PRECISIONS && strcmp(name, precision_names[i]) != 0)
        i++;
    return i;
}

/* A product's, or that between the filters of a chain. */
static Status read_precisions(const char *text, void *values) {
    static const ChainPrecision between[] = {PRECISION_STORED, PRECISION_HIGH, PRECISION_AUTO};
    List *precisions = &((Options *)values)->precisions;
    for (size_t i = 0; i < sizeof between / sizeof *between; i++)
        if (strcmp(text, precision_name(between[i])) == 0) {
            ((Options *)values)->common.plan.precision = between[i];
            return STATUS_OK;
        }
    TRY(list_add(precisions, text, ','));
    for (char *name = NULL; (name = argz_next(precisions->items, precisions->bytes, name));)
        if (precision_by_name(name) == PRECISIONS)
            return fail(STATUS_USAGE,
                        "--precision is \"%s\", want f32, tf32 or bf16, or for chains stored, high or auto", text);
    return STATUS_OK;
}

static int spell_size(const void *values, char *buffer, size_t size) {
    const Shape shape = ((const Options *)values)->shape;
    return snprintf(buffer, size, "%zux%zu", shape.width, shape.height);
}

/* "3,5x1" */
static int spell_list(List list, char *buffer, size_t size) {
    int length = snprintf(buffer, size, "%s", "");
    for (char *item = NULL; (item = argz_next(list.items, list.bytes, item)) && (size_t)length < size;)
        length += snprintf(buffer + length, size - (size_t)length, "%s%s", length ? "," : "", item);
    return length;
}

#define SPELL_LIST(list)                                                                                               \
    static int spell_##list(const void *values, char *buffer, size_t size) {                                           \
        return spell_list(((const Options *)values)->list, buffer, size);                                              \
    }
SPELL_LIST(types)
SPELL_LIST(masks)
SPELL_LIST(filters)
SPELL_LIST(scenes)
SPELL_LIST(precisions)
#undef SPELL_LIST

#define AT(member) OPTION_AT(Options, member)

static const Option option_rows[] = {
    {"size", "WxH|N", "size in pixels (3840x2160); of N by N", OPTION_OWN, .letter = 's', .read = read_size,
     .spell = spell_size},
    {"type", "TYPE[,TYPE]...", "pixels: u8x4, u8x3, u16x1, f32x1, ... (u8x4, where the operation takes it)", OPTION_OWN,
     .read = read_types, .spell = spell_types},
    {"mask", "K|KxK[,...]", "convolve: dense random masks of these sizes (5)", OPTION_OWN, .read = read_masks,
     .spell = spell_masks},
    {"filter", "CHAIN",
     "take the stage that a chain lowers to instead of a random mask; of chain, all stages; may be repeated",
     OPTION_OWN, .read = read_filter, .spell = spell_filters},
    {"scene", "SCENE", "trace: the scene (spheres); may be repeated", OPTION_OWN, .read = read_scene,
     .spell = spell_scenes},
    {"precision", "P[,P]...",
     "multiply: round values to f32, tf32 or bf16 first (f32); chain: stored, high or auto between filters", OPTION_OWN,
     .read = read_precisions, .spell = spell_precisions},
    {"runs", "N", "runs of each level; slow ones get fewer (15)", OPTION_WHOLE, AT(runs), .min = 1, .max = RUNS_MAX},
    {"top", NULL, "only the level that best takes, not the whole ladder", OPTION_SWITCH, AT(top)},
    {"times", NULL, "only times: no measurements of caches or energy", OPTION_SWITCH, AT(times)},
    {"check-best", NULL, "only test whether best takes the fastest level: status 1 if one is more than 10 % faster",
     OPTION_SWITCH, AT(check_best)},
    {"check-steps", NULL,
     "only test, for each filter or those of --filter, whether a larger radius, type or size takes longer: status 1 if "
     "one is more than 10 % faster than a smaller one",
     OPTION_SWITCH, AT(check_steps)},
    {"course", NULL, "reduce: the course's tables, of 2^22 and 2^28 integers, and its published figures", OPTION_SWITCH,
     AT(course)},
    {"experiment", "NAME[,...]", "machine: only these experiments", OPTION_TEXT, AT(experiments)},
    {"occupancy", "REGISTERS,SHARED,BLOCK[,CC]",
     "machine: measure nothing, but count the blocks that a multiprocessor of that compute capability, or of each, "
     "holds: registers a thread, bytes and threads a block",
     OPTION_TEXT, AT(occupancy)},
    {"plot", "FILE.svg", "draw the ladder or the curves (needs gnuplot)", OPTION_TEXT, AT(plot), .neutral = true},
};

#undef AT

static const char *default_type(const char *operation, const char *of_kernels) {
    const Op *op = op_by_name(operation);
    return of_kernels ? of_kernels : op && op->pixels ? op->pixels : "u8x4";
}

/* Refuses options that other operations have, since they would do nothing. */
static Status check_operation(const Options *options) {
    const struct {
        const char *option, *operation;
        bool given;
    } own[] = {{"mask", op_convolve.name, options->masks.items},
               {"scene", op_trace.name, options->scenes.items},
               {"precision", op_multiply.name, options->precisions.items}};
    const Shape shape = options->shape;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (own[i].given && strcmp(options->operation, own[i].operation) != 0)
            return fail(STATUS_USAGE, "--%s is of glint bench %s, not of %s", own[i].option, own[i].operation,
                        options->operation);
    if (options->filters.items && (is_machine(options) || strcmp(options->operation, op_trace.name) == 0 ||
                                   strcmp(options->operation, op_multiply.name) == 0))
        return fail(STATUS_USAGE, "--filter is of filters' operations and of glint bench chain, not of %s",
                    options->operation);
    if (options->sized && shape.width != shape.height && strcmp(options->operation, op_multiply.name) == 0)
        return fail(STATUS_USAGE, "multiply takes square matrices: --size is %zux%zu, want one number", shape.width,
                    shape.height);
    return STATUS_OK;
}

static Status check_modes(const Options *options) {
    if (options->check_steps)
        return options->operation == STEPS && !options->check_best && !options->top && !options->plot
                   ? STATUS_OK
                   : fail(STATUS_USAGE, "--check-steps takes no operation, and no --check-best, --top or --plot");
    const bool machine = is_machine(options), chain = is_chain(options);
    const struct {
        bool wrong;
        const char *why;
    } rules[] = {
        {options->check_best && (options->top || strcmp(options->common.level, "best") != 0),
         "--check-best compares all levels: it takes neither --top nor --level"},
        {options->course && (strcmp(options->operation, op_reduce.name) != 0 || options->check_best || options->plot),
         "--course is a table of reduce: it takes neither --check-best nor --plot"},
        {machine && options->check_best, "the machine has no ladder: it takes no --check-best"},
        {!machine && (options->experiments || options->occupancy),
         "--experiment and --occupancy are of glint bench machine"},
        {options->occupancy && (options->experiments || options->plot),
         "--occupancy measures nothing: it takes neither --experiment nor --plot"},
        {chain && options->plot, "a chain has no ladder: it takes no --plot"},
        {chain && !options->filters.items, "want --filter CHAIN, as in glint bench chain --filter gaussian=3,sobel"}};
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].wrong)
            return fail(STATUS_USAGE, "%s", rules[i].why);
    return STATUS_OK;
}

static Status take_arguments(void *values, char **arguments, size_t count) {
    ((Options *)values)->operation = arguments[0];
    return count == 1 ? STATUS_OK
                      : fail(STATUS_USAGE, "one operation at a time, not %s and %s", arguments[0], arguments[1]);
}

/* Also sets the lists that were left out. */
static Status check(void *values) {
    Options *options = values;
    if (options->check_steps && !options->operation)
        options->operation = STEPS;
    if (!options->operation)
        return fail(STATUS_USAGE, "want an operation, as in glint bench convolve (glint list operations)");
    TRY(check_operation(options));
    TRY(check_modes(options));
    const BenchDefaults kernels =
        options->common.kernels ? bench_job_of_kernels(options->operation) : (BenchDefaults){0};
    if (!options->types.items)
        TRY(list_add(&options->types, default_type(options->operation, kernels.type), ','));
    if (!options->filters.items && kernels.filter)
        TRY(list_add(&options->filters, kernels.filter, '\0'));
    if (!options->precisions.items)
        TRY(list_add(&options->precisions, "f32", ','));
    if (!options->masks.items && !options->filters.items)
        TRY(list_add(&options->masks, "5", ','));
    return options->scenes.items ? STATUS_OK : list_add(&options->scenes, "spheres", ',');
}

static CommandLine command_line(void) {
    return (CommandLine){
        .arguments = "OPERATION",
        .help = "Runs OPERATION's ladder (glint list operations), checks it and times it; or, as chain, whole chains; "
                "or, as machine, measures the costs of the device itself.",
        .tables = {{OPTION_ROWS(option_rows), 0},
                   scene_options_table(offsetof(Options, scene_options)),
                   common_options},
        .common = 2,
        .arguments_read = take_arguments,
        .check = check};
}

/* A ladder's entries are Google Benchmark's; curves are not. */
static Status write_json(const Options *options, const char *key, json_t *list) {
    const CommandLine line = command_line();
    FILE *file;
    TRY(common_open_json(&options->common, &file));
    if (!file)
        return STATUS_OK;
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_t *root = json_pack("{s:s, s:{s:s, s:s, s:i, s:s, s:o}, s:O}", "glint", "bench", "context", "date", date,
                             "executable", "glint", "num_cpus", (int)share_cores(), "library_build_type", "release",
                             "options", command_line_json(&line, options), key, list);
    return json_put(file, root, JSON_INDENT(2)) ? STATUS_OK : fail(STATUS_DEVICE, "no memory for the report");
}

/* Before the hours of work, not behind them. */
static Status check_plot(const char *path) {
    return !path || system("command -v gnuplot >/dev/null 2>&1") == 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "--plot %s: gnuplot is not on the PATH; install it, or take --json", path);
}

/* Holds every rung against the reference, for the job `unbound`. */
static Status verify_ladder(Ladder *ladder, const Stage *unbound) {
    Verification verification = {0};
    Device *device = NULL;
    Queue *queue = NULL;
    TRY(backend_of_reference(unbound->op)->open(0, 0, &device));
    Status status = queue_open(device, &queue);
    ladder_tell(ladder, true, "the reference");
    if (status == STATUS_OK)
        status = verify_begin(queue, unbound, VERIFY_NOISE, &verification);
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        LevelResult *result = &ladder->results[i];
        if (result->why_not)
            continue;
        ladder_tell(ladder, true, "%s is checked", result->level->name);
        const double start = clock_ms();
        status = verify_level(&verification, ladder->queue, result->level, &result->verdict);
        result->check_ms = clock_ms() - start;
    }
    verify_end(&verification);
    queue_close(&queue);
    device_close(&device);
    return status;
}

static Status measure_ladder(const Options *options, Ladder *ladder, const Small *small, const char *job) {
    if (ladder->count > 1 && small->smaller)
        TRY(ladder_estimate_slow(ladder, small->stage, small->smaller));
    TRY(ladder_time(ladder, options->runs, LEVEL_MS));
    TRY(ladder_measure(ladder));
    TRY(ladder_count_rays(ladder));
    progress_wipe(options->progress);
    ladder_print(common_results(&options->common), ladder, job);
    return timelines_print(common_results(&options->common), ladder);
}

static Status tell_checks(const Options *options, const Ladder *ladder, const char *job) {
    progress_wipe(options->progress);
    ladder_print_checks(common_results(&options->common), ladder, job);
    return STATUS_OK;
}

static Status bench_bound(const Options *options, Ladder *ladder, const Small *small, json_t *list, const char *job) {
    TRY(verify_ladder(ladder, small->stage));
    TRY(ladder->queue->device->backend->timeless ? tell_checks(options, ladder, job)
                                                 : measure_ladder(options, ladder, small, job));
    ladder_add_json(list, ladder, job);
    for (size_t i = 0; i < ladder->count; i++)
        if (!ladder->results[i].why_not && !ladder->results[i].verdict.agrees)
            return fail(STATUS_PARTIAL, "level %s does not agree with the reference: off by up to %g",
                        ladder->results[i].level->name, ladder->results[i].verdict.worst);
    return STATUS_OK;
}

/* The rungs to run: all but the reference, or the one that --level names. */
static Status collect_results(const Options *options, const Device *device, const Stage *stage, Ladder *ladder) {
    const Backend *backend = device->backend;
    const Level *level, *best = level_best(device, stage);
    const bool all = strcmp(options->common.level, "best") == 0;
    for (size_t i = 0; (level = ladder_level(backend, stage->op, i)) && ladder->count < LADDER_MAX; i++) {
        const char *why_not = NULL;
        const bool reference = strcmp(level->name, "reference") == 0;
        if (options->check_best && level->raced)
            continue;
        if (all ? (options->top || reference) && level != best : strcmp(level->name, options->common.level) != 0)
            continue;
        const bool can = level_accepts(level, device, stage, &why_not);
        ladder->results[ladder->count++] =
            (LevelResult){.level = level, .why_not = can ? NULL : why_not, .watts = -1, .joules = -1};
    }
    return ladder->count > 0 ? STATUS_OK : refuse_level(options->common.level, stage->op, backend);
}

/* One job's ladder: checked, timed and told, or only tested for the level that `best` takes. */
static Status bench_job(const Options *options, const BenchJob *job, Queue *queue, Frames *frames, json_t *list) {
    Plan *plan = NULL;
    const Stage *planned = NULL;
    Small small = {0};
    Stage stage = {0};
    char text[256];
    Ladder ladder = {.queue = queue,
                     .scene = job->scene,
                     .profile_trace = options->common.profile_trace,
                     .progress = options->progress,
                     .times = options->times,
                     .results = calloc(LADDER_MAX, sizeof(LevelResult))};
    Status status = ladder.results ? bench_job_lower(job, job->shape, &plan, &planned)
                                   : fail(STATUS_DEVICE, "no memory for a ladder");
    if (status == STATUS_OK) {
        stage = *planned;
        ladder.stage = &stage;
        ladder.cost = stage_cost(planned);
        bench_job_describe(job, planned, text, sizeof text);
        status = options->check_best ? bench_job_lower(job, sample_shape(job->shape), &small.plan, &small.stage)
                                     : small_lower(job, ladder.cost, &small);
    }
    if (status == STATUS_OK)
        status = collect_results(options, queue->device, planned, &ladder);
    if (status == STATUS_OK)
        status = frames_bind(queue, frames, &stage);
    if (status == STATUS_OK)
        status = options->check_best ? ladder_check_best(&ladder, small.stage, options->runs,
                                                         common_results(&options->common), list, text)
                                     : bench_bound(options, &ladder, &small, list, text);
    plan_destroy(&plan);
    small_free(&small);
    free(ladder.results);
    return status;
}

/* Every type with every mask, filter, scene or precision, on one device. */
typedef struct Grid {
    const Options *options;
    Device *device;
    Queue *queue;
    Frames frames;
    json_t *list;
    size_t jobs, partial; /* that were done; of these, that failed in part */
} Grid;

/* Times a whole chain, with the user's options of plans. */
static Status grid_chain(const Grid *grid, const char *filter, Shape shape) {
    const CommonOptions *common = &grid->options->common;
    FILE *to = common_results(common);
    const bool alone = is_chain(grid->options);
    bool fuses = false;
    ChainTimes times;
    if (common->explain)
        TRY(explain_chain(to, grid->device, filter, shape, common->plan, common->level));
    if (grid->device->backend->timeless)
        return STATUS_OK;
    TRY(chain_fuses(filter, shape, common->plan, &fuses));
    if (!fuses && !alone)
        return STATUS_OK;
    TRY(chain_time(grid->device, filter, shape, common->plan, common->level, grid->options->top, grid->options->runs,
                   &times));
    if (alone) {
        chain_print(to, grid->device, filter, &times);
        chain_add_json(grid->list, grid->device, filter, &times);
    } else {
        chain_print_saved(to, &times);
    }
    return STATUS_OK;
}

/* Counts a job of the grid. A failure is told, and the other jobs go on. */
static Status grid_count(Grid *grid, Status status) {
    grid->jobs++;
    if (status != STATUS_PARTIAL)
        return status;
    progress_wipe(grid->options->progress);
    say(stderr, "glint: %s", status_message());
    grid->partial++;
    return STATUS_OK;
}

static Status grid_run(Grid *grid, const BenchJob *job) {
    Status status = bench_job(grid->options, job, grid->queue, &grid->frames, grid->list);
    if (status == STATUS_OK && job->filter && !grid->options->check_best)
        status = grid_chain(grid, job->filter, job->shape);
    return grid_count(grid, status);
}

static char *list_next(List list, const char *entry) {
    return argz_next(list.items, list.bytes, entry);
}

static Status grid_convolve(Grid *grid, BenchJob job) {
    const Options *options = grid->options;
    for (char *mask = NULL; (mask = list_next(options->masks, mask));) {
        job.mask = mask;
        TRY(grid_run(grid, &job));
    }
    for (char *filter = NULL; (filter = list_next(options->filters, filter));) {
        job.filter = filter;
        TRY(grid_run(grid, &job));
    }
    return STATUS_OK;
}

static Status grid_filters(Grid *grid, BenchJob job) {
    char *filter = NULL;
    do {
        job.filter = filter = list_next(grid->options->filters, filter);
        if (filter || grid->options->filters.bytes == 0)
            TRY(grid_run(grid, &job));
    } while (filter);
    return STATUS_OK;
}

static Status grid_trace(Grid *grid, BenchJob job) {
    for (char *name = NULL; (name = list_next(grid->options->scenes, name));) {
        job.name = name;
        TRY(scene_open(name, &job.scene));
        const Status status = grid_run(grid, &job);
        scene_destroy(&job.scene);
        TRY(status);
    }
    return STATUS_OK;
}

/* The first examples of multiply are the precisions. */
static Status grid_multiply(Grid *grid, BenchJob job) {
    for (char *name = NULL; (name = list_next(grid->options->precisions, name));) {
        job.example = precision_by_name(name);
        TRY(grid_run(grid, &job));
    }
    return STATUS_OK;
}

/* The operations that have options of their own; all others take --filter, or their first example. */
static const struct {
    const Op *op;
    Status (*run)(Grid *grid, BenchJob job);
} grids[] = {{&op_convolve, grid_convolve}, {&op_trace, grid_trace}, {&op_multiply, grid_multiply}};

static Status grid_chains(Grid *grid, Shape shape) {
    const Options *options = grid->options;
    for (char *filter = NULL; (filter = list_next(options->filters, filter));) {
        const Status status = options->check_best
                                  ? chain_check_best(grid->device, filter, shape, options->common.plan, options->runs,
                                                     common_results(&options->common), grid->list)
                                  : grid_chain(grid, filter, shape);
        TRY(grid_count(grid, status));
    }
    return STATUS_OK;
}

/* The course's tables. Integers are no picture, and have no plan. */
static Status course_ladder(const Grid *grid, CourseSize size, Frames *frames) {
    Stage stage = course_stage(size);
    const Stage check = course_stage(course_checked);
    Ladder ladder = {.queue = grid->queue,
                     .profile_trace = grid->options->common.profile_trace,
                     .progress = grid->options->progress,
                     .times = grid->options->times,
                     .stage = &stage,
                     .cost = stage_cost(&stage),
                     .results = calloc(LADDER_MAX, sizeof(LevelResult))};
    Status status = ladder.results ? collect_results(grid->options, grid->device, &stage, &ladder)
                                   : fail(STATUS_DEVICE, "no memory for a ladder");
    if (status == STATUS_OK)
        status = verify_ladder(&ladder, &check);
    if (status == STATUS_OK)
        status = frames_bind(grid->queue, frames, &stage);
    if (status == STATUS_OK)
        status = ladder_time(&ladder, grid->options->runs, LEVEL_MS);
    if (status == STATUS_OK)
        status = ladder_measure(&ladder);
    if (status == STATUS_OK) {
        progress_wipe(grid->options->progress);
        course_print(common_results(&grid->options->common), &ladder, size);
        ladder_add_json(grid->list, &ladder, size.name);
    }
    free(ladder.results);
    return status;
}

static Status grid_course(Grid *grid) {
    for (int i = 0; i < COURSE_SIZES; i++)
        TRY(course_ladder(grid, course_sizes[i], &grid->frames));
    return STATUS_OK;
}

static Status grid_job(Grid *grid, BenchJob job) {
    for (size_t i = 0; i < sizeof grids / sizeof grids[0]; i++)
        if (grids[i].op == job.op)
            return grids[i].run(grid, job);
    return grid_filters(grid, job);
}

static Status grid_steps(Grid *grid) {
    const Options *options = grid->options;
    return steps_check_all(grid->device, options->filters.items, options->filters.bytes, options->common.plan,
                           options->runs, common_results(&options->common), grid->list, &grid->partial);
}

static Status grid_types(Grid *grid, const Op *op) {
    const Options *options = grid->options;
    for (char *type = NULL; (type = list_next(options->types, type));) {
        BenchJob job = {
            .op = op, .shape = options->shape, .plan = options->common.plan, .scene_options = &options->scene_options};
        TRY(shape_parse_type(type, &job.shape));
        TRY(op ? grid_job(grid, job) : grid_chains(grid, job.shape));
    }
    return STATUS_OK;
}

/* All but the checks of a ladder are times. */
static Status needs_clock(const Options *options, const Device *device) {
    const char *what = is_machine(options)    ? "machine"
                       : is_chain(options)    ? "chain"
                       : options->course      ? "--course"
                       : options->check_best  ? "--check-best"
                       : options->check_steps ? "--check-steps"
                                              : NULL;
    return what && device->backend->timeless
               ? fail(STATUS_USAGE, "bench %s: %s has no times; another backend has", what, device->backend->name)
               : STATUS_OK;
}

static Status bench_backends(const Options *options, const Op *op, json_t *list) {
    char names[256];
    bool ran[KERNEL_FILES_MAX + 1] = {false}; /* kernels of these files */
    Status worst = STATUS_OK;
    snprintf(names, sizeof names, "%s", options->common.backend);
    char *rest = names;
    for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ",")) {
        CommonOptions common = options->common;
        Grid grid = {.options = options, .list = list};
        common.backend = name;
        TRY(common_open(&common, &grid.device));
        left_out_note(grid.device->backend, ran);
        Status status = needs_clock(options, grid.device);
        if (status == STATUS_OK)
            status = queue_open(grid.device, &grid.queue);
        if (status == STATUS_OK)
            status = is_machine(options)
                         ? machine_measure(grid.queue, options->experiments, common_results(&options->common), list)
                     : options->check_steps ? grid_steps(&grid)
                     : options->course      ? grid_course(&grid)
                                            : grid_types(&grid, op);
        queue_close(&grid.queue);
        frames_free(grid.device, &grid.frames);
        device_close(&grid.device);
        TRY(status);
        if (options->check_best)
            fprintf(common_results(&common), "%s in %zu of %zu jobs\n",
                    is_chain(options) ? "stages are fused the fastest way, or one at most 5 % slower,"
                                      : "best takes the fastest level, or one at most 10 % slower,",
                    grid.jobs - grid.partial, grid.jobs);
        worst = grid.partial > 0 ? STATUS_PARTIAL : worst;
    }
    left_out_say(&options->common, ran);
    return worst;
}

/* The file of --plot, if there is one. If it cannot be written, that is said before the ladder runs. */
static Status claim_plot(const Options *options, Output **output) {
    const OutputRules rules = {.writer = "--plot", .opening = PLOT_OPENING, .overwrite = options->common.overwrite};
    *output = NULL;
    if (!options->plot)
        return STATUS_OK;
    TRY(output_claim(options->plot, rules, output));
    TRY(check_plot(options->plot));
    return output_begin(*output);
}

static Status bench_operation(const Options *options) {
    const Op *op = op_by_name(options->operation);
    if (!op && !is_chain(options) && !is_machine(options) && !options->check_steps)
        return refuse_operation(options->operation);
    json_t *list = json_array();
    Output *picture;
    Status status = claim_plot(options, &picture);
    if (status == STATUS_OK)
        status = options->occupancy ? machine_occupancy(options->occupancy, common_results(&options->common), list)
                                    : bench_backends(options, op, list);
    progress_wipe(options->progress);
    if (status == STATUS_OK || status == STATUS_PARTIAL) {
        const Status wrote = write_json(options, is_machine(options) ? "machine" : "benchmarks", list);
        status = status == STATUS_OK ? wrote : status;
    }
    if (status == STATUS_OK && picture)
        status = plot_append(picture, is_machine(options) ? machine_plot : plot_ladder, list);
    if (status == STATUS_OK && picture)
        status = output_finish(picture, NULL);
    json_decref(list);
    output_destroy(&picture);
    return status;
}

Status bench_command(int argc, char **argv) {
    Options options = {.common = common_defaults,
                       .shape = {3840, 2160, 4, PIXEL_U8},
                       .runs = RUNS_DEFAULT,
                       .scene_options = scene_options_defaults};
    const CommandLine line = command_line();
    TRY(command_line_read(&line, argc, argv, &options));
    Progress progress = progress_begin(&options.common);
    options.progress = &progress;
    Status status = common_start(&options.common, "bench");
    if (status == STATUS_OK)
        status = bench_operation(&options);
    status = common_finish(&options.common, status);
    List *lists[] = {&options.types, &options.masks, &options.filters, &options.scenes, &options.precisions};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]->items);
    return status;
}
