/* common_options.c: the options that every subcommand takes. */
#include "app/common_options.h"
#include "library/tuning.h"

#include "core/base/interrupt.h"
#include "kernel/host/host.h"
#include "kernel/rungs.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const CommonOptions common_defaults = {.backend = "auto",
                                       .level = "best",
                                       .kernel_time = KERNEL_SECONDS,
                                       .plan = {.border = {BORDER_CLAMP, 0}, .precision = PRECISION_AUTO}};

static Status read_border(const char *text, void *values) {
    return border_parse(text, &((CommonOptions *)values)->plan.border);
}

static int spell_border(const void *values, char *buffer, size_t size) {
    return (int)strlen(border_format(((const CommonOptions *)values)->plan.border, buffer, size));
}

#define AT(member) OPTION_AT(CommonOptions, member)

/* Backends and levels agree: results do not depend on them, but for what PRECISION_AUTO takes. */
static const Option option_rows[] = {
    {"backend", "NAME", "one of glint list backends, or auto: the last that works here", OPTION_TEXT, AT(backend),
     .neutral = true},
    {"device", "N", "which device of the backend (0)", OPTION_WHOLE, AT(device), .max = 1024, .neutral = true},
    {"level", "NAME", "optimization level, or best (best)", OPTION_TEXT, AT(level), .neutral = true},
    {"kernel", "FILE,...", "kernel files of your own (.cu, .c), whose kernels become levels", OPTION_TEXT, AT(kernels),
     .neutral = true},
    {"kernel-time", "SECONDS", "after which a run of such a kernel is ended (2); emulated, a block of it",
     OPTION_NUMBER, AT(kernel_time), .min = 0.01, .max = 3600, .neutral = true},
    {"border", "MODE", "zero (ghost), constant=VALUE, clamp, mirror or wrap (clamp)", OPTION_OWN, .read = read_border,
     .spell = spell_border},
    {"alpha", "MODE", "premultiply, or ignore: to filters that mix neighbours alpha is a colour (premultiply)",
     OPTION_CHOICE, AT(plan.alpha), .words = "premultiply|ignore"},
    {"linear", NULL, "filter in linear light instead of the stored values", OPTION_SWITCH, AT(plan.linear)},
    {"precision", "MODE",
     "values between filters: stored as the picture's, high: f32, so that a chain rounds once, or auto: f32 where that "
     "costs little (auto)",
     OPTION_CHOICE, AT(plan.precision), .words = "stored|high|auto"},
    {"no-fuse", NULL, "carry out filters of single pixels one by one, not in one pass", OPTION_SWITCH,
     AT(plan.unfused)},
    {"explain", NULL, "print how a chain is carried out: stages, levels, frames, bytes", OPTION_SWITCH, AT(explain),
     .neutral = true},
    {"threads", "N", "threads of the cpu backend (all cores)", OPTION_WHOLE, AT(threads), .min = 1, .max = 1024,
     .neutral = true},
    {"overwrite", NULL, "replace files that exist (inputs never)", OPTION_SWITCH, AT(overwrite), .letter = 'f',
     .neutral = true},
    {"json", "FILE", "write results as JSON; - is stdout", OPTION_TEXT, AT(json), .neutral = true},
    {"profile", "FILE", "write a timeline of the run, for ui.perfetto.dev", OPTION_TEXT, AT(profile), .neutral = true},
    {"trace", "FILE", NULL, OPTION_TEXT, AT(profile), .neutral = true}, /* the name until version 0.1 */
    {"quiet", NULL, "print errors only", OPTION_SWITCH, AT(quiet), .letter = 'q', .neutral = true},
    {"verbose", NULL, "print details", OPTION_SWITCH, AT(verbose), .letter = 'v', .neutral = true},
};

#undef AT

const OptionTable common_options = {OPTION_ROWS(option_rows), 0};

void common_say(const CommonOptions *common, const char *format, ...) {
    if (common->quiet)
        return;
    char *line = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&line, format, arguments) >= 0)
        say(stderr, "glint: %s", line);
    va_end(arguments);
    free(line);
}

/* The kernels of one file after the other. */
static Status add_kernels(const CommonOptions *common) {
    Status status = STATUS_OK;
    char *files = common->kernels ? strdup(common->kernels) : NULL, *rest = files, *path;
    if (common->kernels && !files)
        return fail(STATUS_DEVICE, "no memory for --kernel");
    while (status == STATUS_OK && (path = strsep(&rest, ","))) {
        status = kernel_rungs_add(path, common->kernel_time);
        if (status == STATUS_INPUT && common->keeps_broken && access(path, R_OK) == 0)
            status = STATUS_OK;
    }
    free(files);
    return status;
}

Status common_start(CommonOptions *common, const char *kind) {
    TRY(add_kernels(common));
    if (common->json) {
        snprintf(common->opening, sizeof common->opening, "{\"glint\":\"%s\",", kind);
        const OutputRules rules = {.writer = "--json", .opening = common->opening, .overwrite = common->overwrite};
        TRY(output_claim(common->json, rules, &common->report));
        TRY(output_begin(common->report));
    }
    return common->profile ? profile_trace_open(common->profile, common->overwrite, &common->profile_trace) : STATUS_OK;
}

/* The command returns the first failure, and main says it; `said` keeps its words. */
static Status join(Status status, Status next, char *said, size_t size) {
    if (next != STATUS_OK && status == STATUS_OK)
        snprintf(said, size, "%s", status_message());
    else if (next != STATUS_OK)
        say(stderr, "glint: %s", status_message());
    return status == STATUS_OK ? next : status;
}

Status common_finish(CommonOptions *common, Status status) {
    char said[1024];
    snprintf(said, sizeof said, "%s", status_message());
    const bool keep_profile = status != STATUS_USAGE;
    if (common->report && output_streamed(common->report))
        status = join(status, output_finish(common->report, NULL), said, sizeof said);
    output_destroy(&common->report);
    status = join(status, profile_trace_close(&common->profile_trace, keep_profile), said, sizeof said);
    return status == STATUS_OK ? status : fail(status, "%s", said);
}

Status common_open(const CommonOptions *common, Device **device) {
    const char *passed_over;
    TRY(backend_open(common->backend, common->device, common->threads, device, &passed_over));
    tuning_load(*device);
    if (strcmp(common->backend, "auto") != 0)
        return STATUS_OK;
    char lines[1024], why_not[1200] = "";
    size_t length = 0;
    snprintf(lines, sizeof lines, "%s", passed_over ? passed_over : "");
    for (char *rest = lines, *line; passed_over && (line = strsep(&rest, "\n")) && length < sizeof why_not;)
        length += (size_t)snprintf(why_not + length, sizeof why_not - length, "; not %s", line);
    common_say(common, "%s: %s%s", (*device)->backend->name, (*device)->name, why_not);
    return STATUS_OK;
}

FILE *common_results(const CommonOptions *common) {
    const bool taken = common->stdout_taken || (common->profile && strcmp(common->profile, "-") == 0) ||
                       (common->report && output_is_stdout(common->report));
    return taken ? stderr : stdout;
}

Status common_open_json(const CommonOptions *common, FILE **file) {
    *file = NULL;
    return common->report ? output_stream(common->report, file) : STATUS_OK;
}
