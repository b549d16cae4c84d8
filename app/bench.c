/* bench.c: glint bench: runs a ladder, checks every level against the float64 reference, and times them in turns.
 * The levels alternate in one process after a warm-up, and the plain copy that "copies" are counted in is timed in the
 * same rounds, so that a clock that changes changes all of them. */
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

enum { LADDER_MOST = 32, RUNS_MOST = 1000, RUNS_USUAL = 15 };

#define ENERGY_MS   400  /* a level runs at least as long for its energy: the counter moves in steps of up to 100 ms */
#define ENERGY_MOST 2000 /* a level that takes longer a run is not asked for its energy */
#define FLUSH_BYTES (256 << 20) /* a copy of so much leaves nothing of a picture in the caches */
#define CHECK_FLOPS 4e9         /* the reference checks pictures up to this much work, else smaller ones */
#define LEVEL_MS    1500        /* a level whose runs took this long together gets no more of them */

typedef struct Options {
    Common common;
    Sight sight;
    const char *operation, *filter, *scene, *plot;
    Shape shape;
    int mask_width, mask_height;
    int runs;
    bool top; /* only the level that best takes */
} Options;

/* One level's figures. */
typedef struct Rung {
    const Level *level;
    const char *why_not; /* it cannot do this job */
    Verdict verdict;
    LaunchFacts facts;
    size_t runs;
    double ms[RUNS_MOST], total, median, p95;
    double hot, cold;     /* ms right after itself, and with other data in the caches; 0: not measured */
    double watts, joules; /* mean, and a run; negative: not to be had */
} Rung;

typedef struct Ladder {
    Device *device;
    Recorder *recorder; /* gets every run; or NULL */
    const Stage *stage; /* frames bound on the device */
    Cost cost;
    size_t count;
    Rung *rungs; /* LADDER_MOST, slowest first */
    double copy_ms[RUNS_MOST], copy;
    size_t copy_runs;
    double peak;     /* flop/s of f32 arithmetic; 0: not known */
    double build_ms; /* of the scene's hierarchy; 0: there is none */
    size_t build_bytes;
} Ladder;

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
        argp_error(state, "--mask is \"%s\", want K or KxK with K from 1 to %d", text, MASK_MOST);
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
            argp_error(state, "%s", status_message());
        return 0;
    case KEY_TYPE:
        if (shape_parse_type(text, &options->shape) != STATUS_OK)
            argp_error(state, "%s", status_message());
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
            argp_error(state, "one operation at a time, not %s and %s", options->operation, text);
        options->operation = text;
        return 0;
    case ARGP_KEY_END:
        if (!options->operation)
            argp_error(state, "want an operation, as in glint bench convolve (glint list operations)");
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

static Status make_plan(const Options *options, Operation operation, Shape shape, const Scene *scene, Plan **plan) {
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

/* Frames for one stage, filled with noise. */

static void free_frames(Device *device, Stage *stage) {
    for (int k = 0; k < STAGE_INPUTS; k++)
        device->backend->frame_destroy(device, &stage->in[k]);
    device->backend->frame_destroy(device, &stage->out);
}

static Status bind_noise(Device *device, Stage *stage) {
    const Backend *backend = device->backend;
    for (int k = 0; k < STAGE_INPUTS; k++) {
        if (stage->in[k].shape.width == 0)
            continue;
        Image *noise = NULL;
        TRY(image_create(stage->in[k].shape, &noise));
        view_fill_random(noise->view, 11 + (unsigned long)k);
        Status status = backend->frame_create(device, stage->in[k].shape, &stage->in[k]);
        if (status == STATUS_OK)
            status = backend->upload(device, noise->view, stage->in[k]);
        if (status == STATUS_OK)
            status = backend->sync(device);
        image_destroy(&noise);
        TRY(status);
    }
    return backend->frame_create(device, stage->out.shape, &stage->out);
}

static Status run_level(Device *device, const Level *level, const Stage *stage, Image **result) {
    TRY(level->run(device, stage));
    TRY(device->backend->sync(device));
    TRY(image_create(stage->out.shape, result));
    const Status status = device->backend->download(device, stage->out, (*result)->view);
    return status == STATUS_OK ? device->backend->sync(device) : status;
}

/* The reference's result for this stage, computed on the CPU. */
static Status reference_result(const Stage *unbound, Image **result) {
    Device *cpu = NULL;
    const char *ignored;
    Stage stage = *unbound;
    TRY(backend_open("cpu", 0, 0, &cpu, &ignored));
    Status status = bind_noise(cpu, &stage);
    if (status == STATUS_OK)
        status = run_level(cpu, level_reference(stage.operation), &stage, result);
    free_frames(cpu, &stage);
    device_close(&cpu);
    return status;
}

static Status check_rungs(Ladder *ladder, const Stage *unbound) {
    Image *want = NULL;
    Stage stage = *unbound;
    const double max_in = stage.in[0].shape.width ? pixel_type_white(stage.in[0].shape.type) : 1;
    Status status = reference_result(unbound, &want);
    if (status == STATUS_OK)
        status = bind_noise(ladder->device, &stage);
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        Image *got = NULL;
        if (ladder->rungs[i].why_not)
            continue;
        status = run_level(ladder->device, ladder->rungs[i].level, &stage, &got);
        if (status == STATUS_OK)
            ladder->rungs[i].verdict = stage_compare(&stage, max_in, want->view, got->view);
        image_destroy(&got);
    }
    free_frames(ladder->device, &stage);
    image_destroy(&want);
    return status;
}

/* A smaller picture of the same proportions whose reference does not take minutes. */
static Shape check_shape(Shape shape, Cost cost) {
    const double scale = cost.flops > CHECK_FLOPS ? sqrt(CHECK_FLOPS / cost.flops) : 1;
    shape.width = (size_t)fmax(1, (double)shape.width * scale);
    shape.height = (size_t)fmax(1, (double)shape.height * scale);
    return shape;
}

/* A run of the level, or of the copy if there is something to copy to. */
static Status time_once(const Ladder *ladder, const Level *level, const Frame *copy_to, double *ms) {
    Device *device = ladder->device;
    const Backend *backend = device->backend;
    const Stage *stage = ladder->stage;
    TRY(backend->mark(device, 0));
    TRY(copy_to ? backend->copy(device, stage->out, *copy_to) : level->run(device, stage));
    TRY(backend->mark(device, 1));
    TRY(backend->sync(device));
    TRY(backend->elapsed(device, 0, 1, ms));
    recorder_add(ladder->recorder, TRACK_QUEUE, copy_to ? "copy" : level->name, backend->name, clock_ms() - *ms, *ms);
    return STATUS_OK;
}

static Status time_rungs(Ladder *ladder, int runs) {
    Device *device = ladder->device;
    Frame copy_to = {0};
    Status status = device->backend->frame_create(device, ladder->stage->out.shape, &copy_to);
    for (int run = -1; run < runs && status == STATUS_OK; run++) { /* run -1 warms up */
        double ms = 0;
        status = time_once(ladder, NULL, &copy_to, &ms);
        if (run >= 0)
            ladder->copy_ms[ladder->copy_runs++] = ms;
        for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
            Rung *rung = &ladder->rungs[i];
            if (rung->why_not || (rung->runs > 0 && rung->total > LEVEL_MS))
                continue;
            status = time_once(ladder, rung->level, NULL, &ms);
            if (run < 0 && ms < LEVEL_MS)
                continue;
            rung->ms[rung->runs++] = ms;
            rung->total += ms;
        }
    }
    for (size_t i = 0; i < ladder->count && status == STATUS_OK && device->backend->facts; i++)
        if (!ladder->rungs[i].why_not) {
            double ms = 0;
            status = time_once(ladder, ladder->rungs[i].level, NULL, &ms);
            if (status == STATUS_OK)
                status = device->backend->facts(device, &ladder->rungs[i].facts);
        }
    ladder->copy = quantile(ladder->copy_ms, ladder->copy_runs, 0.5);
    for (size_t i = 0; i < ladder->count; i++) {
        ladder->rungs[i].median = quantile(ladder->rungs[i].ms, ladder->rungs[i].runs, 0.5);
        ladder->rungs[i].p95 = quantile(ladder->rungs[i].ms, ladder->rungs[i].runs, 0.95);
    }
    device->backend->frame_destroy(device, &copy_to);
    return status;
}

/* Medians of runs one after the other, and of runs that each follow a copy of more than the caches hold. */
static Status time_caches(Ladder *ladder, Rung *rung, Frame from, Frame to) {
    enum { RUNS = 5 };
    double hot[RUNS], cold[RUNS];
    Device *device = ladder->device;
    for (int i = 0; i < RUNS; i++) {
        TRY(device->backend->copy(device, from, to));
        TRY(time_once(ladder, rung->level, NULL, &cold[i]));
        TRY(time_once(ladder, rung->level, NULL, &hot[i]));
    }
    rung->hot = quantile(hot, RUNS, 0.5);
    rung->cold = quantile(cold, RUNS, 0.5);
    return STATUS_OK;
}

/* Runs the level long enough for the device's counter of energy, or multiplies power by time where there is none. */
static Status measure_energy(Ladder *ladder, Rung *rung) {
    Device *device = ladder->device;
    const double start = clock_ms();
    const Power before = device->backend->power(device);
    const int batch = (int)fmax(1, fmin(256, 20 / fmax(rung->median, 1e-3))); /* some 20 ms without waiting */
    int runs = 0;
    double ms = 0;
    if (before.watts < 0 && before.joules < 0)
        return STATUS_OK;
    for (; ms < ENERGY_MS; ms = clock_ms() - start) {
        for (int i = 0; i < batch; i++, runs++)
            TRY(rung->level->run(device, ladder->stage));
        TRY(device->backend->sync(device));
    }
    const Power after = device->backend->power(device);
    const double joules = before.joules >= 0 ? after.joules - before.joules : after.watts * ms / 1e3;
    rung->watts = joules / ms * 1e3;
    rung->joules = joules / runs;
    return STATUS_OK;
}

/* Builds the hierarchy of the scene again and again. */
static Status measure_build(Ladder *ladder) {
    enum { RUNS = 9 };
    double ms[RUNS];
    Device *device = ladder->device;
    const Backend *backend = device->backend;
    for (int i = -1; i < RUNS; i++) { /* run -1 makes room */
        TRY(backend->mark(device, 0));
        TRY(backend->build(device, ladder->stage->trace.scene, &ladder->build_bytes));
        TRY(backend->mark(device, 1));
        TRY(backend->sync(device));
        if (i >= 0)
            TRY(backend->elapsed(device, 0, 1, &ms[i]));
    }
    ladder->build_ms = quantile(ms, RUNS, 0.5);
    return STATUS_OK;
}

/* What a backend with a device of its own can tell beside times. */
static Status measure_device(Ladder *ladder) {
    Device *device = ladder->device;
    const Shape flush = {8192, FLUSH_BYTES / 8192 / 4, 4, PIXEL_U8};
    Frame from = {0}, to = {0};
    Status status = device->backend->peak ? device->backend->peak(device, &ladder->peak) : STATUS_OK;
    if (device->backend->facts && status == STATUS_OK) {
        status = device->backend->frame_create(device, flush, &from);
        if (status == STATUS_OK)
            status = device->backend->frame_create(device, flush, &to);
    }
    for (size_t i = 0; i < ladder->count && status == STATUS_OK; i++) {
        Rung *rung = &ladder->rungs[i];
        if (rung->why_not || rung->median > ENERGY_MOST)
            continue;
        if (device->backend->facts)
            status = time_caches(ladder, rung, from, to);
        if (status == STATUS_OK && device->backend->power)
            status = measure_energy(ladder, rung);
    }
    device->backend->frame_destroy(device, &from);
    device->backend->frame_destroy(device, &to);
    if (status == STATUS_OK && ladder->stage->operation == OPERATION_TRACE && device->backend->build)
        status = measure_build(ladder);
    return status;
}

/* What the figures of a rung come to. */
typedef struct Figures {
    double ms, mpixels, gigabytes, gigaflops, copies, speedup;
} Figures;

static Figures figures_of(const Ladder *ladder, const Rung *rung) {
    const Shape shape = ladder->stage->out.shape;
    double lowest = 0;
    for (size_t i = ladder->count; i-- > 0;)
        lowest = ladder->rungs[i].why_not ? lowest : ladder->rungs[i].median;
    const double ms = fmax(rung->median, 1e-6);
    return (Figures){ms,
                     (double)shape.width * (double)shape.height / ms / 1e3,
                     ladder->cost.bytes / ms / 1e6,
                     ladder->cost.flops / ms / 1e6,
                     ms / fmax(ladder->copy, 1e-6),
                     lowest / ms};
}

/* What limits a kernel before it runs: how much of a multiprocessor it takes. */
static void print_facts(FILE *to, const Ladder *ladder) {
    fprintf(to, "%-12s %10s %10s %10s %8s %10s\n", "last kernel", "registers", "shared KiB", "threads", "blocks",
            "occupancy");
    for (size_t i = 0; i < ladder->count; i++) {
        const LaunchFacts *f = &ladder->rungs[i].facts;
        if (f->threads > 0)
            fprintf(to, "%-12s %10d %10.1f %10d %8d %9.0f%%\n", ladder->rungs[i].level->name, f->registers,
                    (double)f->shared_bytes / 1024, f->threads, f->blocks, 100 * f->occupancy);
    }
}

static void print_value(FILE *to, int width, int digits, double value) {
    if (value > 0)
        fprintf(to, " %*.*f", width, digits, value);
    else
        fprintf(to, " %*s", width, "n/a");
}

/* What the device allows: bytes a second, by the copy; and the rate of this job's arithmetic under the roofline. */
static double bandwidth_of(const Ladder *ladder) {
    return 2 * (double)shape_bytes(ladder->stage->out.shape) / fmax(ladder->copy, 1e-6) * 1e3;
}
static double roof_of(const Ladder *ladder) {
    const double by_memory = bandwidth_of(ladder) * ladder->cost.flops / fmax(ladder->cost.bytes, 1);
    return ladder->peak > 0 ? fmin(ladder->peak, by_memory) : by_memory;
}

/* How near a level comes to that, what the caches do for it, and what a run costs. */
static void print_measured(FILE *to, const Ladder *ladder) {
    const double pixels = (double)ladder->stage->out.shape.width * (double)ladder->stage->out.shape.height;
    fprintf(to, "%-12s %10s %10s %10s %8s %10s %10s\n", "measured", "roof %", "hot ms", "cold ms", "watts", "mJ a run",
            "Mpixel/J");
    for (size_t i = 0; i < ladder->count; i++) {
        const Rung *rung = &ladder->rungs[i];
        if (rung->why_not)
            continue;
        fprintf(to, "%-12s", rung->level->name);
        print_value(to, 10, 1, 100 * figures_of(ladder, rung).gigaflops * 1e9 / fmax(roof_of(ladder), 1));
        print_value(to, 10, 3, rung->hot);
        print_value(to, 10, 3, rung->cold);
        print_value(to, 8, 0, rung->watts);
        print_value(to, 10, 2, rung->joules * 1e3);
        print_value(to, 10, 1, rung->joules > 0 ? pixels / rung->joules / 1e6 : 0);
        fputc('\n', to);
    }
    fprintf(to, "this device: %.1f GB/s by copies, ", bandwidth_of(ladder) / 1e9);
    fprintf(to, ladder->peak > 0 ? "%.0f GFLOP/s by multiply-adds\n" : "GFLOP/s not measured\n", ladder->peak / 1e9);
}

static void print_ladder(FILE *to, const Ladder *ladder, const char *job) {
    fprintf(to, "%s\n%s: %s; a copy takes %.3f ms\n", job, ladder->device->backend->name, ladder->device->name,
            ladder->copy);
    fprintf(to, "%-12s %10s %10s %10s %8s %9s %8s %9s  %s\n", "level", "ms", "95 %", "Mpixel/s", "GB/s", "GFLOP/s",
            "copies", "speed-up", "check");
    for (size_t i = 0; i < ladder->count; i++) {
        const Rung *rung = &ladder->rungs[i];
        if (rung->why_not) {
            fprintf(to, "%-12s %10s cannot: %s\n", rung->level->name, "-", rung->why_not);
            continue;
        }
        const Figures f = figures_of(ladder, rung);
        fprintf(to, "%-12s %10.3f %10.3f %10.1f %8.2f %9.1f %8.1f %8.1fx  %s\n", rung->level->name, rung->median,
                rung->p95, f.mpixels, f.gigabytes, f.gigaflops, f.copies, f.speedup,
                rung->verdict.agrees ? "agrees" : "WRONG");
    }
    if (ladder->device->backend->facts)
        print_facts(to, ladder);
    print_measured(to, ladder);
    if (ladder->build_ms > 0)
        fprintf(to, "the hierarchy: built in %.3f ms, %.1f million spheres a second; %.1f MB\n", ladder->build_ms,
                (double)ladder->stage->trace.scene->count / ladder->build_ms / 1e3, (double)ladder->build_bytes / 1e6);
    fprintf(to, "the job: %.1f MB must move, %.2f GFLOP, %.1f FLOP a byte; best takes %s\n", ladder->cost.bytes / 1e6,
            ladder->cost.flops / 1e9, ladder->cost.flops / fmax(ladder->cost.bytes, 1),
            level_best(ladder->device, ladder->stage)->name);
    fflush(to);
}

/* A counter that is not always to be had. */
static void add_measured(json_t *entry, const char *name, double value) {
    if (value > 0)
        json_object_set_new(entry, name, json_real(value));
}

/* Google Benchmark's JSON schema, with our figures as counters. */
static void add_json(json_t *list, const Ladder *ladder, const char *job) {
    for (size_t i = 0; i < ladder->count; i++) {
        const Rung *rung = &ladder->rungs[i];
        if (rung->why_not)
            continue;
        const Figures f = figures_of(ladder, rung);
        char name[256];
        snprintf(name, sizeof name, "%s/%s/%s", operations[rung->level->operation].name, ladder->device->backend->name,
                 rung->level->name);
        json_t *entry = json_pack(
            "{s:s, s:s, s:s, s:I, s:f, s:f, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:b, s:f}", "name", name,
            "run_type", "iteration", "label", job, "iterations", (json_int_t)rung->runs, "real_time", rung->median,
            "cpu_time", rung->median, "time_unit", "ms", "p95", rung->p95, "copy_ms", ladder->copy, "Mpixel/s",
            f.mpixels, "GB/s", f.gigabytes, "GFLOP/s", f.gigaflops, "copies", f.copies, "speedup", f.speedup, "agrees",
            rung->verdict.agrees, "worst", isfinite(rung->verdict.worst) ? rung->verdict.worst : -1.0);
        add_measured(entry, "roof", f.gigaflops * 1e9 / fmax(roof_of(ladder), 1));
        add_measured(entry, "hot_ms", rung->hot);
        add_measured(entry, "cold_ms", rung->cold);
        add_measured(entry, "watts", rung->watts);
        add_measured(entry, "joules", rung->joules);
        add_measured(entry, "pixels/J", rung->joules > 0 ? f.mpixels * 1e3 * f.ms / rung->joules : 0);
        add_measured(entry, "build_ms", ladder->build_ms);
        add_measured(entry, "build_bytes", (double)ladder->build_bytes);
        json_array_append_new(list, entry);
    }
}

static Status write_json(const Common *common, json_t *list) {
    FILE *file;
    TRY(common_open_json(common, &file));
    if (!file)
        return STATUS_OK;
    char date[32];
    const time_t now = time(NULL);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
    json_t *root =
        json_pack("{s:{s:s, s:s, s:i, s:s}, s:O}", "context", "date", date, "executable", "glint", "num_cpus",
                  (int)sysconf(_SC_NPROCESSORS_ONLN), "library_build_type", "release", "benchmarks", list);
    json_dumpf(root, file, JSON_INDENT(2));
    fputc('\n', file);
    json_decref(root);
    return common_close_json(common, &file);
}

static Status plot(const char *path, json_t *list) {
    FILE *gnuplot = popen("gnuplot 2>/dev/null", "w");
    if (!gnuplot)
        return fail(STATUS_DEVICE, "--plot %s: gnuplot cannot be started: %m", path);
    size_t index;
    json_t *entry;
    fprintf(gnuplot,
            "set terminal svg size 900,500 font 'sans,13' background 'white'\nset output '%s'\n"
            "set title '%s'\nset ylabel 'ms (median)'\nset logscale y\nset grid ytics\nset style fill solid 0.8\n"
            "set boxwidth 0.6\nset xtics rotate by -30\nunset key\n$d << E\n",
            path, json_string_value(json_object_get(json_array_get(list, 0), "label")));
    json_array_foreach(list, index, entry)
        fprintf(gnuplot, "%zu \"%s\" %g\n", index, json_string_value(json_object_get(entry, "name")),
                json_real_value(json_object_get(entry, "real_time")));
    fputs("E\nplot $d using 1:3:xtic(2) with boxes lc rgb '#3070b0'\n", gnuplot);
    return pclose(gnuplot) == 0
               ? STATUS_OK
               : fail(STATUS_DEVICE, "--plot %s: gnuplot failed; is it installed, and the folder there?", path);
}

static void describe(const Options *options, const Stage *stage, const Scene *scene, char *text, size_t size) {
    char border[32];
    const Shape shape = stage->out.shape;
    int used = snprintf(text, size, "%s, ", operations[stage->operation].name);
    if (stage->operation == OPERATION_CONVOLVE)
        used += snprintf(text + used, size - (size_t)used, "%s %dx%d, border %s, ",
                         options->filter ? options->filter : "dense", stage->convolve.mask->width,
                         stage->convolve.mask->height, border_format(stage->convolve.border, border, sizeof border));
    if (stage->operation == OPERATION_POINT)
        used += snprintf(text + used, size - (size_t)used, "%s, ", stage->label);
    if (scene)
        used += snprintf(text + used, size - (size_t)used, "%zu spheres, ", scene->count);
    snprintf(text + used, size - (size_t)used, "%sx%d, %zux%zu", pixel_type_name(shape.type), shape.channels,
             shape.width, shape.height);
}

static Status bench_bound(const Options *options, Ladder *ladder, const Stage *check, const char *job, json_t *list) {
    TRY(check_rungs(ladder, check));
    TRY(time_rungs(ladder, options->runs));
    TRY(measure_device(ladder));
    print_ladder(common_results(&options->common), ladder, job);
    add_json(list, ladder, job);
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

static Status bench_device(const Options *options, Operation operation, const Scene *scene, Device *device,
                           json_t *list) {
    Plan *plan = NULL, *check_plan = NULL;
    const Stage *planned = NULL, *check = NULL;
    Stage stage = {0};
    char job[256];
    Ladder ladder = {
        .device = device, .recorder = options->common.recorder, .rungs = calloc(LADDER_MOST, sizeof(Rung))};
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
        status = bind_noise(device, &stage);
    if (status == STATUS_OK)
        status = bench_bound(options, &ladder, check, job, list);
    free_frames(device, &stage);
    plan_destroy(&plan);
    plan_destroy(&check_plan);
    free(ladder.rungs);
    return status;
}

static Status bench_backends(const Options *options, Operation operation, const Scene *scene, json_t *list) {
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

static Status bench_operation(const Options *options) {
    int operation = 0;
    while (operation < OPERATIONS && strcmp(operations[operation].name, options->operation) != 0)
        operation++;
    if (operation == OPERATIONS)
        return fail(STATUS_USAGE, "bench: no operation \"%s\"; want convolve, point or trace", options->operation);
    Scene *scene = NULL;
    if (operation == OPERATION_TRACE)
        TRY(scene_open(options->scene, &scene));
    json_t *list = json_array();
    Status status = bench_backends(options, (Operation)operation, scene, list);
    if (status == STATUS_PARTIAL)
        fprintf(stderr, "glint: %s\n", status_message());
    if (status == STATUS_OK || status == STATUS_PARTIAL) {
        const Status wrote = write_json(&options->common, list);
        status = status == STATUS_OK ? wrote : status;
    }
    if (status == STATUS_OK && options->plot)
        status = plot(options->plot, list);
    json_decref(list);
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
    argp_parse(&parser, argc, argv, 0, NULL, &options);
    TRY(common_start(&options.common));
    return common_finish(&options.common, bench_operation(&options));
}
