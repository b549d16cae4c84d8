/* steps.c: sweeps of lengths, types and sizes. */
#include "app/bench/steps.h"

#include "app/bench/chain.h"
#include "app/say.h"

#include <argz.h>
#include <string.h>

#define ALLOWED  1.1   /* times a larger step that a smaller one may take */
#define NOISE_MS 0.004 /* more: launches vary by so much */
#define LONG_MS  2000.0
enum { STEPS_MAX = 16, SECOND_LOOK = 4 };

static const double lengths[] = {1, 2, 3, 4, 5, 7, 10, 15, 20, 30};
static const char *const types[] = {"u8x1", "u8x3", "u8x4", "u16x4", "f32x4"};
static const Shape sizes[] = {
    {640, 480, 3, PIXEL_U8}, {1280, 853, 3, PIXEL_U8}, {1920, 1080, 3, PIXEL_U8}, {3840, 2160, 3, PIXEL_U8}};

/* A job of a sweep, and its time. */
typedef struct Step {
    char chain[256], label[64];
    Shape shape;
    double ms;
    Cost cost;
} Step;

typedef struct Sweep {
    const char *of; /* a parameter's name, "type", or "size" */
    Step steps[STEPS_MAX];
    size_t count;
} Sweep;

static Shape middle_size(void) {
    return sizes[2];
}

/* One length set; other parameters are those of the filter's example. */
static Sweep sweep_length(const Filter *filter, const Param *param) {
    Sweep sweep = {.of = param->name};
    char example[160];
    filter_format_example(filter, example, sizeof example);
    const char *join = strchr(example, '=') ? ":" : "=";
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        Step *step = &sweep.steps[sweep.count];
        if (lengths[i] < param->min || lengths[i] > param->max)
            continue;
        *step = (Step){.shape = middle_size()};
        snprintf(step->chain, sizeof step->chain, "%s%s%s=%g", example, join, param->name, lengths[i]);
        snprintf(step->label, sizeof step->label, "%g", lengths[i]);
        sweep.count++;
    }
    return sweep;
}

/* The next step: the filter's example on a picture of this shape. */
static Step *add_step(Sweep *sweep, const Filter *filter, Shape shape) {
    Step *step = &sweep->steps[sweep->count++];
    *step = (Step){.shape = shape};
    filter_format_example(filter, step->chain, sizeof step->chain);
    return step;
}

static Sweep sweep_types(const Filter *filter) {
    Sweep sweep = {.of = "type"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        Shape shape = middle_size();
        if (shape_parse_type(types[i], &shape) == STATUS_OK)
            snprintf(add_step(&sweep, filter, shape)->label, sizeof sweep.steps->label, "%s", types[i]);
    }
    return sweep;
}

static Sweep sweep_sizes(const Filter *filter) {
    Sweep sweep = {.of = "size"};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        snprintf(add_step(&sweep, filter, sizes[i])->label, sizeof sweep.steps->label, "%zux%zu", sizes[i].width,
                 sizes[i].height);
    return sweep;
}

/* The least time so far: other work only adds to times. */
static Status time_step(Device *device, PlanOptions options, int runs, Step *step) {
    double ms;
    TRY(chain_least(device, step->chain, step->shape, options, runs, &ms, &step->cost));
    step->ms = step->ms > 0 && step->ms < ms ? step->ms : ms;
    return STATUS_OK;
}

/* A later step may be less work, as an answer at every tenth pixel is: then it takes less time. */
static bool is_more(const Step *step, const Step *later) {
    return later->cost.bytes >= step->cost.bytes && later->cost.flops >= step->cost.flops;
}

static bool falls(const Step *step, const Step *later) {
    return is_more(step, later) && step->ms > ALLOWED * later->ms + NOISE_MS;
}

/* The later step of no less work that takes least; itself where there is none. */
static size_t least_behind(const Sweep *sweep, size_t step) {
    size_t least = step;
    for (size_t i = step + 1; i < sweep->count; i++)
        if (is_more(&sweep->steps[step], &sweep->steps[i]) &&
            (least == step || sweep->steps[i].ms < sweep->steps[least].ms))
            least = i;
    return least;
}

/* A job that makes no sense, as one without its second picture, is left out, and all behind it. */
static Status time_sweep(Device *device, PlanOptions options, int runs, Sweep *sweep) {
    for (size_t i = 0; i < sweep->count; i++) {
        const Status status = time_step(device, options, runs, &sweep->steps[i]);
        if (status == STATUS_USAGE || status == STATUS_INPUT) {
            sweep->count = i;
            return STATUS_OK;
        }
        TRY(status);
        if (sweep->steps[i].ms > LONG_MS)
            sweep->count = i + 1;
    }
    return STATUS_OK;
}

static void say_sweep(FILE *to, const Filter *filter, const Sweep *sweep) {
    fprintf(to, "%s, %s:", filter->name, sweep->of);
    for (size_t i = 0; i < sweep->count; i++)
        fprintf(to, "%s %s %.3f", i ? "," : "", sweep->steps[i].label, sweep->steps[i].ms);
    fprintf(to, " ms\n");
    fflush(to);
}

static void add_json(json_t *list, const Device *device, const Filter *filter, const Sweep *sweep) {
    char name[128], label[400];
    for (size_t i = 0; i < sweep->count; i++) {
        const Step *step = &sweep->steps[i];
        snprintf(name, sizeof name, "steps/%s/%s/%s", device->backend->name, filter->name, sweep->of);
        snprintf(label, sizeof label, "%s, %s", step->chain, step->label);
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:f, s:f, s:s}", "name", name, "run_type", "iteration",
                                              "label", label, "real_time", step->ms, "cpu_time", step->ms, "time_unit",
                                              "ms"));
    }
}

/* Both steps are timed again before that is said. */
static Status count_cliffs(Device *device, const Filter *filter, PlanOptions options, int runs, Sweep *sweep,
                           size_t *cliffs) {
    for (size_t i = 0; i + 1 < sweep->count; i++) {
        Step *step = &sweep->steps[i], *later = &sweep->steps[least_behind(sweep, i)];
        if (!falls(step, later))
            continue;
        TRY(time_step(device, options, SECOND_LOOK * runs, step));
        TRY(time_step(device, options, SECOND_LOOK * runs, later));
        if (!falls(step, later))
            continue;
        say(stderr, "glint: %s, %s %s: %.3f ms, %.2f times as long as %s", filter->name, sweep->of, step->label,
            step->ms, step->ms / later->ms, later->label);
        ++*cliffs;
    }
    return STATUS_OK;
}

static Status check_sweep(Device *device, const Filter *filter, PlanOptions options, int runs, Sweep *sweep, FILE *to,
                          json_t *list, size_t *cliffs) {
    TRY(time_sweep(device, options, runs, sweep));
    if (sweep->count < 2)
        return STATUS_OK;
    TRY(count_cliffs(device, filter, options, runs, sweep, cliffs));
    say_sweep(to, filter, sweep);
    add_json(list, device, filter, sweep);
    return STATUS_OK;
}

static Status check_filter(Device *device, const Filter *filter, PlanOptions options, int runs, FILE *to, json_t *list,
                           size_t *cliffs) {
    for (size_t i = 0; i < filter->table.count; i++) {
        const Param *param = &filter->table.params[i];
        const bool is_number = param->kind == PARAM_NUMBER || param->kind == PARAM_WHOLE;
        if (!is_number || strcmp(param->unit, "pixels") != 0)
            continue;
        Sweep sweep = sweep_length(filter, param);
        TRY(check_sweep(device, filter, options, runs, &sweep, to, list, cliffs));
    }
    Sweep by_type = sweep_types(filter), by_size = sweep_sizes(filter);
    TRY(check_sweep(device, filter, options, runs, &by_type, to, list, cliffs));
    return check_sweep(device, filter, options, runs, &by_size, to, list, cliffs);
}

static bool is_wanted(const char *names, size_t bytes, const char *name) {
    bool wanted = !names;
    for (const char *entry = NULL; names && (entry = argz_next(names, bytes, entry));)
        wanted |= strcmp(entry, name) == 0;
    return wanted;
}

Status steps_check_all(Device *device, const char *names, size_t bytes, PlanOptions options, int runs, FILE *to,
                       json_t *list, size_t *cliffs) {
    for (size_t i = 0; i < filter_count; i++)
        if (is_wanted(names, bytes, filters[i]->name))
            TRY(check_filter(device, filters[i], options, runs, to, list, cliffs));
    fprintf(to, "%zu cliffs\n", *cliffs);
    return STATUS_OK;
}
