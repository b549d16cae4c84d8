/* bench.c: glint bench: runs ladders, checks every level against the float64 reference, and times them in turns.
 * Owns the grid of jobs that the options span. */
#include "app/backends.h"
#include "app/bench/bench_job.h"
#include "app/bench/chain.h"
#include "app/bench/course.h"
#include "app/bench/ladder.h"
#include "app/bench/left_out.h"
#include "app/bench/machine.h"
#include "app/bench/options.h"
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
#include "core/plan/precision.h"
#include "core/run/verify.h"
#include "core/scene/scene_open.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LEVEL_MS 1500

/* A ladder's entries are Google Benchmark's; curves are not. */
static Status write_json(const Options *options, const char *key, json_t *list) {
    const CommandLine line = bench_command_line();
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
    const bool alone = bench_is_chain(grid->options);
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

static Status grid_convolve(Grid *grid, BenchJob job) {
    const Options *options = grid->options;
    for (char *mask = NULL; (mask = bench_list_next(options->masks, mask));) {
        job.mask = mask;
        TRY(grid_run(grid, &job));
    }
    for (char *filter = NULL; (filter = bench_list_next(options->filters, filter));) {
        job.filter = filter;
        TRY(grid_run(grid, &job));
    }
    return STATUS_OK;
}

static Status grid_filters(Grid *grid, BenchJob job) {
    char *filter = NULL;
    do {
        job.filter = filter = bench_list_next(grid->options->filters, filter);
        if (filter || grid->options->filters.bytes == 0)
            TRY(grid_run(grid, &job));
    } while (filter);
    return STATUS_OK;
}

static Status grid_trace(Grid *grid, BenchJob job) {
    for (char *name = NULL; (name = bench_list_next(grid->options->scenes, name));) {
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
    for (char *name = NULL; (name = bench_list_next(grid->options->precisions, name));) {
        job.example = bench_precision(name);
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
    for (char *filter = NULL; (filter = bench_list_next(options->filters, filter));) {
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
    for (char *type = NULL; (type = bench_list_next(options->types, type));) {
        BenchJob job = {
            .op = op, .shape = options->shape, .plan = options->common.plan, .scene_options = &options->scene_options};
        TRY(shape_parse_type(type, &job.shape));
        TRY(op ? grid_job(grid, job) : grid_chains(grid, job.shape));
    }
    return STATUS_OK;
}

/* All but the checks of a ladder are times. */
static Status needs_clock(const Options *options, const Device *device) {
    const char *what = bench_is_machine(options) ? "machine"
                       : bench_is_chain(options) ? "chain"
                       : options->course         ? "--course"
                       : options->check_best     ? "--check-best"
                       : options->check_steps    ? "--check-steps"
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
            status = bench_is_machine(options)
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
                    bench_is_chain(options) ? "stages are fused the fastest way, or one at most 5 % slower,"
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
    if (!op && !bench_is_chain(options) && !bench_is_machine(options) && !options->check_steps)
        return refuse_operation(options->operation);
    json_t *list = json_array();
    Output *picture;
    Status status = claim_plot(options, &picture);
    if (status == STATUS_OK)
        status = options->occupancy ? machine_occupancy(options->occupancy, common_results(&options->common), list)
                                    : bench_backends(options, op, list);
    progress_wipe(options->progress);
    if (status == STATUS_OK || status == STATUS_PARTIAL) {
        const Status wrote = write_json(options, bench_is_machine(options) ? "machine" : "benchmarks", list);
        status = status == STATUS_OK ? wrote : status;
    }
    if (status == STATUS_OK && picture)
        status = plot_append(picture, bench_is_machine(options) ? machine_plot : plot_ladder, list);
    if (status == STATUS_OK && picture)
        status = output_finish(picture, NULL);
    json_decref(list);
    output_destroy(&picture);
    return status;
}

Status bench_command(int argc, char **argv) {
    Options options = bench_options();
    const CommandLine line = bench_command_line();
    TRY(command_line_read(&line, argc, argv, &options));
    Progress progress = progress_begin(&options.common);
    options.progress = &progress;
    Status status = common_start(&options.common, "bench");
    if (status == STATUS_OK)
        status = bench_operation(&options);
    status = common_finish(&options.common, status);
    bench_options_free(&options);
    return status;
}
