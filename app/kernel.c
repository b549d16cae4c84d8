/* kernel.c: glint kernel: kernel files that users write: a file to begin with, and its compilation. */
#include "app/command.h"
#include "app/kernel_check.h"
#include "app/verbs.h"
#include "core/base/interrupt.h"
#include "kernel/compile/compile.h"
#include "kernel/operations.h"
#include "kernel/rungs.h"

#include <string.h>

typedef struct Options {
    VerbOptions verb; /* first, so that a VerbOptions * is ours */
    const char *output, *compiler;
    Shape shape;
    int capability;
    bool fresh;
} Options;

/* ---- new ---- */

static Status run_new(void *own) {
    const VerbOptions *options = own;
    const char *path = options->words[2];
    KernelKind kind = KERNEL_PTX;
    int operation = 0;
    TRY(kernel_operation_named(options->words[1], &operation));
    TRY(kernel_kind(path, &kind));
    const char *text = kernel_operations[operation].starters[kind];
    TRY(verb_write(options, "kernel new", path, (Bytes){(unsigned char *)text, strlen(text)}));
    common_say(&options->common, "%s: %s; `glint kernel compile %s` compiles it", path,
               kernel_operations[operation].help, path);
    return STATUS_OK;
}

/* ---- compile ---- */

static void print_entry(FILE *to, const KernelEntry *entry, KernelKind kind) {
    const char *operation = kernel_operations[entry->operation].name;
    if (kind == KERNEL_CPU)
        say(to, "  line %d: %s %s", entry->line, operation, entry->name);
    else
        say(to, "  line %d: %s %s, blocks of %d x %d threads, %d x %d pixels a thread, %d bytes %s", entry->line,
            operation, entry->name, entry->block[0], entry->block[1], entry->pixels[0], entry->pixels[1],
            entry->shared < 0 ? -entry->shared : entry->shared,
            entry->shared < 0 ? "for each pixel and neighbour in shared memory" : "of dynamic shared memory");
}

static json_t *json_of_entries(const KernelBinary *binary) {
    json_t *list = json_array();
    for (size_t i = 0; i < binary->kernel_count; i++) {
        const KernelEntry *entry = &binary->kernels[i];
        json_array_append_new(list, json_pack("{s:s, s:s, s:i, s:[ii], s:[ii], s:i}", "name", entry->name, "operation",
                                              kernel_operations[entry->operation].name, "line", entry->line, "block",
                                              entry->block[0], entry->block[1], "pixels", entry->pixels[0],
                                              entry->pixels[1], "shared", entry->shared));
    }
    return list;
}

static json_t *json_of_diagnostics(const KernelBinary *binary) {
    json_t *list = json_array();
    for (size_t i = 0; i < binary->diagnostic_count; i++) {
        const KernelDiagnostic *found = &binary->diagnostics[i];
        json_array_append_new(list, json_pack("{s:o, s:i, s:i, s:s, s:o}", "file", json_text(found->file), "line",
                                              found->line, "column", found->column, "kind",
                                              found->error ? "error" : "warning", "text", json_text(found->text)));
    }
    return list;
}

static Status report_json(const Options *options, const KernelBinary *binary, Status compiled) {
    json_t *record = json_pack("{s:s, s:o, s:b, s:s, s:b, s:f, s:o, s:o}", "glint", "kernel", "file",
                               json_text(options->verb.words[1]), "compiled", compiled == STATUS_OK, "compiler",
                               binary->compiler, "cached", binary->cached, "ms", binary->ms, "kernels",
                               json_of_entries(binary), "diagnostics", json_of_diagnostics(binary));
    return verb_report(&options->verb, record);
}

/* A line of the compiler's words after the other. */
static void print_log(const char *log) {
    for (size_t length; log && *log; log += length + (log[length] != '\0')) {
        length = strcspn(log, "\n");
        say(stderr, "%.*s", (int)length, log);
    }
}

static Status report(const Options *options, const KernelBinary *binary, KernelKind kind) {
    FILE *to = common_results(&options->verb.common);
    if (options->output)
        TRY(verb_write(&options->verb, "-o", options->output, binary->bytes));
    if (options->verb.common.quiet)
        return STATUS_OK;
    say(to, "%s: compiled by %s in %.0f ms%s", options->verb.words[1], binary->compiler, binary->ms,
        binary->cached ? ", from the cache" : "");
    for (size_t i = 0; i < binary->kernel_count; i++)
        print_entry(to, &binary->kernels[i], kind);
    return STATUS_OK;
}

/* The status of a failed compilation, whose sentence goes last; the report comes before. */
static Status report_failure(const Options *options, const KernelBinary *binary, Status compiled) {
    char said[1024];
    snprintf(said, sizeof said, "%s", status_message());
    TRY(report_json(options, binary, compiled));
    return fail(compiled, "%s", said);
}

static Status run_compile(void *own) {
    const Options *options = own;
    KernelBinary binary;
    KernelTarget target = {.kind = KERNEL_PTX,
                           .capability = options->capability,
                           .type = pixel_type_name(options->shape.type),
                           .channels = options->shape.channels,
                           .compiler = options->compiler,
                           .fresh = options->fresh};
    TRY(kernel_kind(options->verb.words[1], &target.kind));
    interrupts_catch(); /* the compiler's folder is removed */
    Status status = kernel_compile(options->verb.words[1], &target, &binary);
    if (status != STATUS_OK)
        status = report_failure(options, &binary, status);
    print_log(binary.log);
    if (status == STATUS_OK)
        status = report_json(options, &binary, status);
    if (status == STATUS_OK)
        status = report(options, &binary, target.kind);
    kernel_binary_free(&binary);
    return status;
}

/* ---- check ---- */

static Status run_check(void *own) {
    const VerbOptions *options = own;
    char said[1024];
    TRY(kernel_rungs_add(options->words[1], options->common.kernel_time));
    json_t *list = json_array();
    const Status status = kernel_check(&options->common, common_results(&options->common), list);
    snprintf(said, sizeof said, "%s", status_message());
    TRY(verb_report(options, json_pack("{s:s, s:o, s:b, s:o}", "glint", "kernel", "file", json_text(options->words[1]),
                                       "correct", status == STATUS_OK, "kernels", list)));
    return status == STATUS_OK ? status : fail(status, "%s", said);
}

/* ---- the command ---- */

static const Verb verbs[] = {
    {"new", "new OPERATION FILE", 3, 3, run_new},
    {"compile", "compile FILE", 2, 2, run_compile},
    {"check", "check FILE", 2, 2, run_check},
};

static Status read_type(const char *text, void *values) {
    return shape_parse_type(text, &((Options *)values)->shape);
}

static int spell_type(const void *values, char *buffer, size_t size) {
    const Shape shape = ((const Options *)values)->shape;
    return snprintf(buffer, size, "%sx%d", pixel_type_name(shape.type), shape.channels);
}

static const Option option_rows[] = {
    {"output", "FILE", "of compile: write the PTX, or the shared object", OPTION_TEXT, OPTION_AT(Options, output),
     .letter = 'o'},
    {"type", "TYPE", "the pixels that the file is compiled for, as u8x3 or f32x1 (u8x3)", OPTION_OWN, .read = read_type,
     .spell = spell_type},
    {"compiler", "NAME", "one of glint list compilers (the first that works)", OPTION_TEXT,
     OPTION_AT(Options, compiler)},
    {"capability", "N", "the compute capability that PTX is for, as 80 or 90 (90)", OPTION_WHOLE,
     OPTION_AT(Options, capability), .min = 50, .max = 999},
    {"fresh", NULL, "compile even if the result is in the cache", OPTION_SWITCH, OPTION_AT(Options, fresh)},
};

Status kernel_command(int argc, char **argv) {
    Options options = {.verb = {common_defaults, "kernel", verbs, sizeof verbs / sizeof *verbs, {NULL}, 0},
                       .shape = {.channels = 3, .type = PIXEL_U8},
                       .capability = 90};
    const CommandLine line = {
        .arguments = "new OPERATION FILE\ncompile FILE\ncheck FILE",
        .help = "Begins, compiles and checks kernel files of your own.\v"
                "FILE.cu holds CUDA C, FILE.c holds C for the CPU. OPERATION is convolve, point, reduce, dot, blend, "
                "multiply, move, histogram or trace. docs/kernels.md explains them. Examples:\n\n"
                "  glint kernel new convolve mine.cu\n"
                "  glint kernel compile mine.cu\n"
                "  glint kernel check mine.cu\n"
                "  glint kernel compile mine.cu --type f32x1 --compiler clang -o mine.ptx",
        .tables = {{OPTION_ROWS(option_rows), 0}, common_options},
        .common = 1,
        .arguments_read = verbs_take,
        .check = verbs_check};
    TRY(command_line_read(&line, argc, argv, &options));
    options.verb.common.stdout_taken = options.output && strcmp(options.output, "-") == 0;
    return verbs_run(&options.verb);
}
