/* options.c: reading and checking the options of glint bench. */
#include "app/bench/options.h"

#include "app/bench/ladder.h"

#include "core/ops/convolve.h"
#include "core/ops/multiply.h"
#include "core/ops/ops.h"
#include "core/ops/reduce.h"
#include "core/plan/precision.h"
#include "core/scene/scene_open.h"

#include <argz.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RUNS_DEFAULT = 15 };

static const char STEPS[] = "steps"; /* stands for an operation with --check-steps */

bool bench_is_chain(const Options *options) {
    return options->operation && strcmp(options->operation, "chain") == 0;
}

bool bench_is_machine(const Options *options) {
    return options->operation && strcmp(options->operation, "machine") == 0;
}

char *bench_list_next(List list, const char *entry) {
    return argz_next(list.items, list.bytes, entry);
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

size_t bench_precision(const char *name) {
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
        if (bench_precision(name) == PRECISIONS)
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
     "multiply: round values to f32, tf32 or bf16 first (f32); chain: stored, high or auto between filters (stored)",
     OPTION_OWN, .read = read_precisions, .spell = spell_precisions},
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
    if (options->filters.items && (bench_is_machine(options) || strcmp(options->operation, op_trace.name) == 0 ||
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
    const bool machine = bench_is_machine(options), chain = bench_is_chain(options);
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

CommandLine bench_command_line(void) {
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

Options bench_options(void) {
    Options options = {.common = common_defaults,
                       .shape = {3840, 2160, 4, PIXEL_U8},
                       .runs = RUNS_DEFAULT,
                       .scene_options = scene_options_defaults};
    options.common.plan.precision = PRECISION_STORED; /* times are of one way, whatever is predicted */
    return options;
}

void bench_options_free(Options *options) {
    List *lists[] = {&options->types, &options->masks, &options->filters, &options->scenes, &options->precisions};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        free(lists[i]->items);
}
