/* explain.c: glint explain: a kernel line by line, with what a run on the emulated GPU counts. There are no times. */
#include "app/command.h"
#include "app/explain/job.h"
#include "app/explain/page.h"
#include "app/explain/report.h"
#include "app/explain/text.h"
#include "core/base/interrupt.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { CAPABILITY = 90, KEPT = 4, FEW = 2, WATCHED_MAX = 32 };

typedef struct Options {
    CommonOptions common;
    const char *target, *output, *mask, *filter, *scene, *code;
    Shape shape;
    bool typed, all;
    unsigned block[3];
    int warps, times, line, capability;
    bool ptx, machine; /* of `code` */
} Options;

static Status read_size(const char *text, void *values) {
    char square[64];
    snprintf(square, sizeof square, "%s%s%s", text, strchr(text, 'x') ? "" : "x", strchr(text, 'x') ? "" : text);
    return shape_parse_size(square, &((Options *)values)->shape);
}

static int spell_size(const void *values, char *buffer, size_t size) {
    const Shape shape = ((const Options *)values)->shape;
    return shape.width == 0 ? 0 : snprintf(buffer, size, "%zux%zu", shape.width, shape.height);
}

static Status read_type(const char *text, void *values) {
    Options *options = values;
    options->typed = true;
    return shape_parse_type(text, &options->shape);
}

static int spell_type(const void *values, char *buffer, size_t size) {
    const Options *options = values;
    return options->typed
               ? snprintf(buffer, size, "%sx%d", pixel_type_name(options->shape.type), options->shape.channels)
               : 0;
}

/* "3", "3,2", "3,2,1" */
static Status read_block(const char *text, void *values) {
    unsigned *block = ((Options *)values)->block;
    int end = 0, ends[3] = {0};
    block[0] = block[1] = block[2] = 0;
    const int numbers =
        sscanf(text, "%9u%n,%9u%n,%9u%n", &block[0], &ends[0], &block[1], &ends[1], &block[2], &ends[2]);
    end = numbers > 0 ? ends[numbers - 1] : 0;
    return numbers > 0 && text[end] == '\0' && !strchr(text, '-')
               ? STATUS_OK
               : fail(STATUS_USAGE, "--block is \"%s\", want X, X,Y or X,Y,Z", text);
}

static int spell_block(const void *values, char *buffer, size_t size) {
    const unsigned *block = ((const Options *)values)->block;
    return snprintf(buffer, size, "%u,%u,%u", block[0], block[1], block[2]);
}

static Status read_code(const char *text, void *values) {
    Options *options = values;
    options->code = text;
    options->ptx = strcmp(text, "ptx") == 0 || strcmp(text, "all") == 0;
    options->machine = strcmp(text, "sass") == 0 || strcmp(text, "all") == 0;
    return options->ptx || options->machine || strcmp(text, "none") == 0
               ? STATUS_OK
               : fail(STATUS_USAGE, "--code is \"%s\", want ptx, sass, all or none", text);
}

static int spell_code(const void *values, char *buffer, size_t size) {
    const char *code = ((const Options *)values)->code;
    return code ? snprintf(buffer, size, "%s", code) : 0;
}

#define AT(member) OPTION_AT(Options, member)

static const Option option_rows[] = {
    {"output", "FILE.html", "write a page with all lines, lanes and code, for a browser", OPTION_TEXT, AT(output),
     .letter = 'o', .neutral = true},
    {"size", "WxH|N", "size of the picture in pixels (128x128, or as the operation needs it)", OPTION_OWN,
     .letter = 's', .read = read_size, .spell = spell_size},
    {"type", "TYPE", "pixels: f32x1, u8x3, ... (f32x1, or what the level takes)", OPTION_OWN, .read = read_type,
     .spell = spell_type},
    {"mask", "K|KxK", "convolve: a dense random mask of this size (5)", OPTION_TEXT, AT(mask)},
    {"filter", "CHAIN", "take the stage that a chain lowers to", OPTION_TEXT, AT(filter)},
    {"scene", "SCENE", "trace: the scene (spheres)", OPTION_TEXT, AT(scene)},
    {"block", "X[,Y[,Z]]", "the block whose warps are watched (0,0,0)", OPTION_OWN, .read = read_block,
     .spell = spell_block},
    {"warps", "N", "how many of its warps (4)", OPTION_WHOLE, AT(warps), .min = 1, .max = WATCHED_MAX},
    {"line", "N", "show the lanes of this line's loads and stores (the worst line's)", OPTION_WHOLE, AT(line), .min = 1,
     .max = 1 << 20},
    {"code", "WHICH",
     "below each line: ptx, sass (machine code; needs the CUDA toolkit), all, none (none; of a page all)", OPTION_OWN,
     .read = read_code, .spell = spell_code},
    {"capability", "N", "the compute capability that machine code is for (90)", OPTION_WHOLE, AT(capability), .min = 50,
     .max = 999},
    {"all", NULL, "all lines and files, also those with little of the work", OPTION_SWITCH, AT(all)},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    ((Options *)values)->target = arguments[0];
    return count == 1
               ? STATUS_OK
               : fail(STATUS_USAGE, "one level or kernel file at a time, not %s and %s", arguments[0], arguments[1]);
}

static Status check(void *values) {
    Options *options = values;
    const char *backend = options->common.backend;
    if (!options->target)
        return fail(STATUS_USAGE, "want a level or a kernel file, as in glint explain convolve/shared");
    if (strcmp(backend, "auto") != 0 && strcmp(backend, "emulated") != 0)
        return fail(STATUS_USAGE, "--backend %s has no counters: glint explain runs on the emulated GPU", backend);
    return STATUS_OK;
}

static CommandLine command_line(void) {
    return (CommandLine){
        .arguments = "OPERATION/LEVEL\nLEVEL\nFILE.cu",
        .help =
            "Explains a CUDA level of glint's, or a kernel file, line by line.\v"
            "It runs on an emulated GPU, which counts instructions, sectors, bank conflicts and more; it has no times. "
            "No GPU is needed. The worst line is marked, with what to do about it. --level names a kernel of a file "
            "with several. docs/explain.md explains the figures. Examples:\n\n"
            "  glint explain convolve/shared\n"
            "  glint explain mine.cu --type u8x3 --line 12\n"
            "  glint explain move/tile -o tile.html\n"
            "  glint explain reduce/shuffle --json -",
        .tables = {{OPTION_ROWS(option_rows), 0}, common_options},
        .common = 1,
        .arguments_read = take_arguments,
        .check = check};
}

static ExplainJob job_of(const Options *options) {
    const bool named = strcmp(options->common.level, "best") != 0;
    ExplainJob job = {.target = options->target,
                      .kernel = named ? options->common.level : NULL,
                      .mask = options->mask,
                      .filter = options->filter,
                      .scene = options->scene,
                      .shape = options->shape,
                      .typed = options->typed,
                      .plan = options->common.plan,
                      .seconds = options->common.kernel_time,
                      .watch = {.warps = (unsigned)options->warps, .times = KEPT}};
    memcpy(job.watch.block, options->block, sizeof job.watch.block);
    return job;
}

/* Machine code that was not asked for is left out where its tools are not here. */
static Status add_machine_code(const Options *options, Listing *listing) {
    interrupts_catch(); /* the tools' folder is removed */
    if (options->machine)
        return listing_disassemble(listing, options->capability);
    if (options->output && !options->code)
        (void)listing_disassemble(listing, options->capability);
    return STATUS_OK;
}

/* The parts of a page; one without PTX shall be small. */
static ReportParts page_parts(const Options *options) {
    const bool ptx = options->ptx || !options->code;
    return (ReportParts){.ptx = ptx,
                         .machine = options->machine || !options->code,
                         .compact = true,
                         .most = options->all ? 0
                                 : ptx        ? 100
                                              : 25,
                         .kept = ptx ? KEPT : 1,
                         .loads = ptx ? SIZE_MAX : FEW};
}

static Status write_page(const Options *options, const Explained *explained, Output *output) {
    const ReportParts parts = page_parts(options);
    json_t *report = report_json(explained, &parts);
    Bytes page = {0};
    Status status = report ? page_make(report, &page) : fail(STATUS_DEVICE, "no memory for the page");
    json_decref(report);
    if (status == STATUS_OK)
        status = output_append(output, page);
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    bytes_free(&page);
    return status;
}

static Status write_json(const Options *options, const Explained *explained) {
    const ReportParts parts = {.ptx = true, .machine = true, .kept = KEPT, .loads = SIZE_MAX};
    FILE *file;
    TRY(common_open_json(&options->common, &file));
    if (!file)
        return STATUS_OK;
    return json_put(file, report_json(explained, &parts), JSON_COMPACT)
               ? STATUS_OK
               : fail(STATUS_DEVICE, "no memory for the report");
}

static Status show(const Options *options, const Explained *explained, Output *output) {
    const TextParts parts = {
        .line = options->line, .ptx = options->ptx, .machine = options->machine, .everything = options->all};
    TRY(add_machine_code(options, explained->listing));
    TRY(write_json(options, explained));
    if (output)
        return write_page(options, explained, output);
    return options->common.quiet ? STATUS_OK : text_print(common_results(&options->common), explained, &parts);
}

static Status run(const Options *options) {
    const ExplainJob job = job_of(options);
    const OutputRules rules = {.writer = "-o", .overwrite = options->common.overwrite};
    Explained explained = {0};
    Output *output = NULL;
    Status status = options->output ? output_claim(options->output, rules, &output) : STATUS_OK;
    if (status == STATUS_OK)
        status = explain_run(&job, &explained);
    if (status == STATUS_OK)
        status = show(options, &explained, output);
    listing_free(&explained.listing);
    output_destroy(&output);
    return status;
}

Status explain_command(int argc, char **argv) {
    const CommandLine line = command_line();
    Options options = {.common = common_defaults, .warps = 4, .capability = CAPABILITY};
    TRY(command_line_read(&line, argc, argv, &options));
    options.common.stdout_taken = options.output && strcmp(options.output, "-") == 0;
    Status status = common_start(&options.common, "explain");
    if (status == STATUS_OK)
        status = run(&options);
    return common_finish(&options.common, status);
}
