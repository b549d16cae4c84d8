/* tune.c: glint tune: times the ladders on the device at hand, and keeps the times for `best`.
 * Owns the grid of jobs. They stand in an order in which the time may run out anywhere: of each operation, every kind
 * comes before the next size. */
#include "app/bench/bench_job.h"
#include "app/bench/ladder.h"
#include "app/command.h"
#include "app/common_options.h"
#include "app/progress.h"
#include "core/base/array.h"
#include "core/ops/convolve.h"
#include "core/ops/ops.h"
#include "core/scene/scene.h"
#include "core/scene/scene_open.h"
#include "core/tracer/trace.h"
#include "library/tuning.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SECONDS_DEFAULT = 60, SECONDS_MAX = 3600, RUNS = 7, SAMPLE_RUNS = 3, TEXT = 64 };

#define LEVEL_MS 30 /* of each level, if the budget has it */
/* Operations of a job's sample, so that the slowest rung takes a fraction of a second, and a launch no large part of
 * it. */
#define SAMPLE_FLOPS     2e7
#define SAMPLE_FLOPS_GPU 2e10
#define SAMPLE_LONG      20 /* ms: a level that takes longer on the sample gets no further run */

typedef struct Options {
    CommonOptions common;
    double seconds;
} Options;

/* A job to be timed, and its texts, where `job` points to. */
typedef struct Task {
    BenchJob job;
    char text[TEXT]; /* filter, mask or scene */
    bool of_scene;   /* it is a scene */
    SceneOptions scene_options;
} Task;

typedef struct Grid {
    bool host; /* for a processor rather than a GPU, which smaller pictures do not fill */
    Task *tasks;
    size_t count, capacity;
} Grid;

/* ---- the grid ---- */

static const struct {
    size_t width, height;
} sizes[][2] = {{{4096, 4096}, {1024, 768}}, {{640, 360}, {160, 120}}}; /* on a GPU, on the host */
enum { SIZES = 2 };
static const char *const types[] = {"u8x4", "u8x1", "u8x3", "f32x4", "f32x1", "f32x3", "u16x4", "u16x1", "u16x3"};
static const int sides[] = {5, 15, 3, 31, 9, 63, 7};
static const char *const scenes[] = {"cloud=2000", "spheres", "cloud=100000", "cloud=200", "cloud=20000"};
static const struct {
    const char *camera;
    Look look;
} views[] = {{"orthographic", LOOK_CLASSIC},
             {"perspective", LOOK_CLASSIC},
             {"random", LOOK_CLASSIC},
             {"perspective", LOOK_WHITTED},
             {"perspective", LOOK_PATHS}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static Status grid_add(Grid *grid, const Task *task) {
    if (!ARRAY_ROOM(grid->tasks, grid->capacity, grid->count + 1))
        return fail(STATUS_DEVICE, "no memory for the grid");
    grid->tasks[grid->count++] = *task;
    return STATUS_OK;
}

static Task task_of(const Grid *grid, const Op *op, size_t size, const char *type) {
    Task task = {.job = {.op = op, .plan = common_defaults.plan}, .scene_options = scene_options_defaults};
    task.job.plan.precision = PRECISION_STORED;
    (void)shape_parse_type(type, &task.job.shape);
    task.job.shape.width = sizes[grid->host][size].width;
    task.job.shape.height = sizes[grid->host][size].height;
    return task;
}

/* Dense masks, outer products, and those of equal weights. */
static Status add_convolutions(Grid *grid, const Op *op, size_t size) {
    enum { DENSE, PRODUCT, EQUAL, KINDS };
    for (size_t side = 0; side < COUNT(sides); side++)
        for (size_t type = 0; type < COUNT(types); type++)
            for (int kind = DENSE; kind < KINDS; kind++) { /* on the same frames */
                const int k = sides[side];
                Task task = task_of(grid, op, size, types[type]);
                if (kind == PRODUCT)
                    snprintf(task.text, TEXT, "gaussian=%d.%02d:radius=%d", k / 6, k * 100 / 6 % 100, k / 2);
                else
                    snprintf(task.text, TEXT, kind == DENSE ? "%d" : "box=%d", k);
                task.job.mask = kind == DENSE ? "" : NULL; /* which of the two the text is */
                TRY(grid_add(grid, &task));
            }
    return STATUS_OK;
}

static Status add_traces(Grid *grid, const Op *op, size_t size) {
    for (size_t scene = 0; scene < COUNT(scenes); scene++)
        for (size_t view = 0; view < COUNT(views); view++) {
            Task task = task_of(grid, op, size, look_is_light(views[view].look) ? "f32x4" : "u8x4");
            task.scene_options.look = views[view].look;
            task.of_scene = true;
            TRY(camera_parse(views[view].camera, &task.scene_options.camera));
            task.scene_options.chosen = views[view].camera;
            snprintf(task.text, TEXT, "%s", scenes[scene]);
            TRY(grid_add(grid, &task));
        }
    return STATUS_OK;
}

/* Every other operation: its examples. */
static Status add_examples(Grid *grid, const Op *op, size_t size) {
    for (size_t example = 0; example < op->example_count; example++)
        for (size_t type = 0; type < COUNT(types); type += 3) { /* of four channels */
            Task task = task_of(grid, op, size, types[type]);
            task.job.example = example;
            TRY(grid_add(grid, &task));
        }
    return STATUS_OK;
}

static const struct {
    const Op *op;
    Status (*add)(Grid *grid, const Op *op, size_t size);
} grids[] = {{&op_convolve, add_convolutions}, {&op_trace, add_traces}};

static Status add_tasks(Grid *grid, const Op *op, size_t size) {
    for (size_t i = 0; i < COUNT(grids); i++)
        if (grids[i].op == op)
            return grids[i].add(grid, op, size);
    return add_examples(grid, op, size);
}

/* All operations' tasks, of each as large a share at any time as of the others. */
static Status grid_fill(Grid *grid) {
    Grid own[16] = {{0}};
    size_t taken[16] = {0}, total = 0;
    Status status = STATUS_OK;
    for (size_t o = 0; o < op_count && o < COUNT(own) && status == STATUS_OK; o++) {
        own[o].host = grid->host;
        for (size_t size = 0; size < SIZES && status == STATUS_OK; size++)
            status = add_tasks(&own[o], ops[o], size);
        total += own[o].count;
    }
    while (grid->count < total && status == STATUS_OK) {
        size_t next = COUNT(own);
        for (size_t o = 0; o < COUNT(own); o++)
            if (taken[o] < own[o].count &&
                (next == COUNT(own) || taken[o] * own[next].count < taken[next] * own[o].count))
                next = o;
        status = grid_add(grid, &own[next].tasks[taken[next]++]);
    }
    for (size_t o = 0; o < COUNT(own); o++)
        free(own[o].tasks);
    return status;
}

/* ---- timing ---- */

typedef struct Tuning {
    Device *device;
    Queue *queue;
    Tuned *tuned;
    Frames frames, sample;
    Scene *scene; /* the last one */
    char scene_name[TEXT];
    size_t changed; /* jobs with another fastest level than the predicted one */
    double end;     /* on clock_ms() */
} Tuning;

static double pixels_of(const Stage *stage) {
    return (double)stage->out.shape.width * (double)stage->out.shape.height;
}

/* A smaller picture of at most so many operations, down to 32 pixels a side. Where light is gathered, and a pixel takes
 * some hundred rays, it goes down to 8. */
static Shape small_shape(Shape shape, Cost cost, bool light, bool host) {
    const double min = light ? 8 : 32, flops = host ? SAMPLE_FLOPS : SAMPLE_FLOPS_GPU;
    const Shape sample = sample_shape(shape);
    const double share = (double)(sample.width * sample.height) / (double)(shape.width * shape.height);
    const double scale = fmin(1, sqrt(flops / fmax(cost.flops * share, 1)));
    shape.width = (size_t)fmax(min, (double)sample.width * scale);
    shape.height = (size_t)fmax(min, (double)sample.height * scale);
    return shape;
}

/* The shortest of some runs on the sample: the first one also loads and builds. */
static Status time_sample(const Ladder *small, const Level *level, double *min) {
    double ms = 0;
    *min = INFINITY;
    for (int run = 0; run < SAMPLE_RUNS && !(ms > SAMPLE_LONG); run++) {
        TRY(ladder_run(small, level, &ms));
        *min = fmin(*min, ms);
    }
    return STATUS_OK;
}

/* Leaves out levels that the sample shows to be far slower than the fastest one there. They are slower by a multiple,
 * and by a limit of extra time for the whole picture. Both have costs that do not grow with the picture; on a small
 * sample a launch's cost is all that a time shows. */
static Status leave_out_slow(Tuning *tuning, Ladder *ladder, const Stage *planned) {
    Ladder small = *ladder;
    Stage stage = *planned;
    double ms[LADDER_MAX] = {0}, whole[2];
    size_t first = 0;
    TRY(frames_bind(tuning->queue, &tuning->sample, &stage));
    small.stage = &stage;
    for (size_t i = 0; i < ladder->count; i++) {
        TRY(time_sample(&small, ladder->results[i].level, &ms[i]));
        first = ms[i] < ms[first] ? i : first;
    }
    for (int run = 0; run < 2; run++)
        TRY(ladder_run(ladder, ladder->results[first].level, &whole[run]));
    const double scale = pixels_of(ladder->stage) / pixels_of(&stage), max = TUNED_SLOWER * fmin(whole[0], whole[1]);
    for (size_t i = 0; i < ladder->count; i++)
        if (ms[i] > TUNED_SLOWER * ms[first] && (ms[i] - ms[first]) * scale > max)
            ladder->results[i].why_not = "a sample shows that it is far slower than others";
    return STATUS_OK;
}

static Status keep(Tuning *tuning, const Ladder *ladder) {
    const Stage *stage = ladder->stage;
    const LevelResult *fastest = NULL;
    TunedPoint point = {.op = stage->op, .features = stage_features(stage)};
    for (size_t i = 0; i < ladder->count; i++)
        if (!ladder->results[i].why_not)
            fastest = !fastest || ladder->results[i].median < fastest->median ? &ladder->results[i] : fastest;
    for (size_t i = 0; i < ladder->count && fastest; i++)
        if (!ladder->results[i].why_not && ladder->results[i].median < TUNED_SLOWER * fastest->median)
            point.times[point.count++] =
                (TunedTime){ladder->results[i].level, fmax(ladder->results[i].median, 1e-6)}; /* clocks have steps */
    tuning->changed += fastest && fastest->level != level_best(tuning->device, stage);
    return tuned_add(tuning->tuned, &point);
}

static Status time_stage(Tuning *tuning, Ladder *ladder, const Stage *small, double max_ms) {
    const Level *level;
    const char *why_not;
    for (size_t i = 0; (level = ladder_level(tuning->device->backend, ladder->stage->op, i)); i++)
        if (strcmp(level->name, "reference") != 0 && ladder->count < LADDER_MAX &&
            level_accepts(level, tuning->device, ladder->stage, &why_not))
            ladder->results[ladder->count++] = (LevelResult){.level = level};
    if (ladder->count == 0)
        return STATUS_OK;
    TRY(leave_out_slow(tuning, ladder, small));
    TRY(ladder_time(ladder, RUNS, fmin(LEVEL_MS, max_ms / (double)ladder->count)));
    return keep(tuning, ladder);
}

static Status open_scene(Tuning *tuning, Task *task) {
    if (strcmp(tuning->scene_name, task->text) != 0) {
        scene_destroy(&tuning->scene);
        tuning->scene_name[0] = '\0';
        TRY(scene_open(task->text, &tuning->scene));
        snprintf(tuning->scene_name, TEXT, "%s", task->text);
    }
    task->job.scene = tuning->scene;
    task->job.scene_options = &task->scene_options;
    task->job.name = task->text;
    return STATUS_OK;
}

/* Jobs that make no sense as they are (a function of two pictures) are passed over. */
static Status time_task(Tuning *tuning, Task *task, double max_ms) {
    BenchJob *job = &task->job;
    Plan *plan = NULL, *small_plan = NULL;
    const Stage *planned = NULL, *small = NULL;
    if (task->of_scene)
        TRY(open_scene(tuning, task));
    else if (task->text[0])
        *(job->mask ? &job->mask : &job->filter) = task->text;
    Stage stage = {0};
    Ladder ladder = {.queue = tuning->queue,
                     .stage = &stage,
                     .scene = job->scene,
                     .results = calloc(LADDER_MAX, sizeof(LevelResult))};
    Status status =
        ladder.results ? bench_job_lower(job, job->shape, &plan, &planned) : fail(STATUS_DEVICE, "no memory");
    if (status == STATUS_OK)
        status = bench_job_lower(job,
                                 small_shape(job->shape, stage_cost(planned), look_is_light(task->scene_options.look),
                                             tuning->device->backend->host_frames),
                                 &small_plan, &small);
    if (status == STATUS_OK) {
        stage = *planned;
        status = frames_bind(tuning->queue, &tuning->frames, &stage);
        if (status == STATUS_OK)
            status = time_stage(tuning, &ladder, small, max_ms);
    }
    plan_destroy(&plan);
    plan_destroy(&small_plan);
    free(ladder.results);
    return status == STATUS_USAGE ? STATUS_OK : status;
}

static Status time_grid(Tuning *tuning, Grid *grid, const Options *options) {
    Progress progress = progress_begin(&options->common);
    const double start = clock_ms();
    Status status = STATUS_OK;
    tuning->end = start + 1e3 * options->seconds;
    for (size_t i = 0; i < grid->count && status == STATUS_OK; i++) {
        const double left = tuning->end - clock_ms();
        if (left <= 0 && tuning->tuned->count > 0)
            break;
        const double share = fmax((double)i / (double)grid->count, 1 - left / (1e3 * options->seconds));
        progress_draw(&progress, share, "%s: %zu jobs", tuning->device->backend->name, tuning->tuned->count);
        status = time_task(tuning, &grid->tasks[i], fmax(left, 1) / (double)(grid->count - i));
    }
    progress_wipe(&progress);
    return status;
}

static void tuning_end(Tuning *tuning) {
    queue_close(&tuning->queue);
    frames_free(tuning->device, &tuning->frames);
    frames_free(tuning->device, &tuning->sample);
    scene_destroy(&tuning->scene);
    tuned_destroy(&tuning->tuned);
    device_close(&tuning->device);
}

static Status tune_device(const Options *options, const char *backend) {
    Tuning tuning = {0};
    Grid grid = {0};
    CommonOptions common = options->common;
    char date[16], *path = NULL;
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime(&now));
    common.backend = backend;
    TRY(common_open(&common, &tuning.device));
    if (tuning.device->backend->timeless) {
        device_close(&tuning.device);
        return fail(STATUS_USAGE, "tune: %s has no times to go by", backend);
    }
    tuned_destroy(&tuning.device->tuned); /* changes are told against the built-in tables */
    Status status = queue_open(tuning.device, &tuning.queue);
    if (status == STATUS_OK)
        status = tuning_path(tuning.device, &path);
    if (status == STATUS_OK)
        status = tuned_create(date, &tuning.tuned);
    if (status == STATUS_OK)
        grid.host = tuning.device->backend->host_frames;
    if (status == STATUS_OK)
        status = grid_fill(&grid);
    const double start = clock_ms();
    if (status == STATUS_OK)
        status = time_grid(&tuning, &grid, options);
    if (status == STATUS_OK)
        status = tuning_save(tuning.device, tuning.tuned);
    if (status == STATUS_OK)
        say(stdout, "%s: %s: %zu jobs in %.0f s, of which %zu have another best level than before; kept in %s", backend,
            tuning.device->name, tuning.tuned->count, (clock_ms() - start) / 1e3, tuning.changed, path);
    free(path);
    free(grid.tasks);
    tuning_end(&tuning);
    return status;
}

/* ---- the command ---- */

static const Option option_rows[] = {
    {"budget", "S", "seconds for each backend (60); less leaves jobs of the grid out", OPTION_NUMBER,
     OPTION_AT(Options, seconds), .min = 0.01, .max = SECONDS_MAX},
};

static Status take_arguments(void *values, char **arguments, size_t count) {
    (void)values, (void)count;
    return fail(STATUS_USAGE, "want no arguments, not %s", arguments[0]);
}

/* The backends that were asked for; "auto": all that work here. */
static Status tune_backends(const Options *options) {
    char names[256];
    snprintf(names, sizeof names, "%s", options->common.backend);
    char *rest = names;
    if (strcmp(names, "auto") != 0) {
        for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ","))
            TRY(tune_device(options, name));
        return STATUS_OK;
    }
    for (size_t i = 0; i < backend_count(); i++) {
        Device *device = NULL;
        Options own = *options;
        if (backend_at(i)->timeless)
            continue;
        own.common.device = backend_at(i)->host_frames ? 0 : options->common.device;
        const bool works = backend_at(i)->open(own.common.device, own.common.threads, &device) == STATUS_OK;
        device_close(&device);
        if (works)
            TRY(tune_device(&own, backend_at(i)->name));
        else
            common_say(&options->common, "%s: %s", backend_at(i)->name, status_message());
    }
    return STATUS_OK;
}

Status tune_command(int argc, char **argv) {
    Options options = {.common = common_defaults, .seconds = SECONDS_DEFAULT};
    const CommandLine line = {.arguments = "",
                              .help = "Times the ladders on this machine, so that best knows the fastest levels here.",
                              .tables = {{OPTION_ROWS(option_rows), 0}, common_options},
                              .common = 1,
                              .arguments_read = take_arguments};
    TRY(command_line_read(&line, argc, argv, &options));
    if (options.common.json)
        return fail(STATUS_USAGE, "tune: --json has no use here: the file that it keeps is JSON");
    Status status = common_start(&options.common, "tune");
    if (status == STATUS_OK)
        status = tune_backends(&options);
    return common_finish(&options.common, status);
}
