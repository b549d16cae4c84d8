/* common_options.c: the options that every subcommand takes. */
#include "app/common_options.h"
#include "app/tuning.h"

#include "core/base/interrupt.h"
#include "core/base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_BACKEND = 0x1000,
    KEY_DEVICE,
    KEY_LEVEL,
    KEY_BORDER,
    KEY_THREADS,
    KEY_JSON,
    KEY_ALPHA,
    KEY_LINEAR,
    KEY_PROFILE,
    KEY_NO_FUSE,
    KEY_EXPLAIN,
    KEY_OVERWRITE = 'f',
};

const CommonOptions common_defaults = {.backend = "auto", .level = "best", .plan = {.border = {BORDER_CLAMP, 0}}};

static const struct argp_option options[] = {
    {NULL, 0, NULL, 0, "Common options:", 10},
    {"backend", KEY_BACKEND, "NAME", 0, "one of glint list backends, or auto: the last that works here", 10},
    {"device", KEY_DEVICE, "N", 0, "which device of the backend (0)", 10},
    {"level", KEY_LEVEL, "NAME", 0, "optimization level, or best (best)", 10},
    {"border", KEY_BORDER, "MODE", 0, "zero (ghost), constant=VALUE, clamp, mirror or wrap (clamp)", 10},
    {"alpha", KEY_ALPHA, "MODE", 0,
     "premultiply, or ignore: to filters that mix neighbours alpha is a colour (premultiply)", 10},
    {"linear", KEY_LINEAR, NULL, 0, "filter in linear light instead of the stored values", 10},
    {"no-fuse", KEY_NO_FUSE, NULL, 0, "carry out filters of single pixels one by one, not in one pass", 10},
    {"explain", KEY_EXPLAIN, NULL, 0, "print how a chain is carried out: stages, levels, frames, bytes", 10},
    {"threads", KEY_THREADS, "N", 0, "threads of the cpu backend (all cores)", 10},
    {"overwrite", KEY_OVERWRITE, NULL, 0, "replace files that exist (inputs never)", 10},
    {"json", KEY_JSON, "FILE", 0, "write results as JSON; - is stdout", 10},
    {"profile", KEY_PROFILE, "FILE", 0, "write a timeline of the run, for ui.perfetto.dev", 10},
    {"trace", KEY_PROFILE, "FILE", OPTION_HIDDEN, NULL, 10}, /* its name until version 0.1 */
    {"quiet", 'q', NULL, 0, "print errors only", 10},
    {"verbose", 'v', NULL, 0, "print details", 10},
    {0},
};

long common_whole(struct argp_state *state, const char *name, const char *text, long min, long max) {
    char *end;
    const long number = strtol(text, &end, 10);
    if (end == text || *end != '\0' || number < min || number > max)
        say_usage(state, "--%s is \"%s\", want a whole number from %ld to %ld", name, text, min, max);
    return number;
}

double common_number(struct argp_state *state, const char *name, const char *text, double min, double max) {
    const char *end;
    double number;
    if (!text_number(text, &end, &number) || *end != '\0' || number < min || number > max)
        say_usage(state, "--%s is \"%s\", want a number from %g to %g", name, text, min, max);
    return number;
}

static error_t parse(int key, char *text, struct argp_state *state) {
    CommonOptions *common = state->input;
    switch (key) {
    case KEY_BACKEND:
        common->backend = text;
        return 0;
    case KEY_DEVICE:
        common->device = (int)common_whole(state, "device", text, 0, 1024);
        return 0;
    case KEY_LEVEL:
        common->level = text;
        return 0;
    case KEY_BORDER:
        if (border_parse(text, &common->plan.border) != STATUS_OK)
            say_usage(state, "%s", status_message());
        return 0;
    case KEY_ALPHA:
        if (strcmp(text, "premultiply") != 0 && strcmp(text, "ignore") != 0)
            say_usage(state, "--alpha is \"%s\", want premultiply or ignore", text);
        common->plan.alpha = strcmp(text, "ignore") == 0 ? ALPHA_IGNORE : ALPHA_PREMULTIPLY;
        return 0;
    case KEY_LINEAR:
        common->plan.linear = true;
        return 0;
    case KEY_EXPLAIN:
        common->explain = true;
        return 0;
    case KEY_NO_FUSE:
        common->plan.unfused = true;
        return 0;
    case KEY_THREADS:
        common->threads = (int)common_whole(state, "threads", text, 1, 1024);
        return 0;
    case KEY_JSON:
        common->json = text;
        return 0;
    case KEY_PROFILE:
        common->profile = text;
        return 0;
    case KEY_OVERWRITE:
        common->overwrite = true;
        return 0;
    case 'q':
        common->quiet = true;
        return 0;
    case 'v':
        common->verbose = true;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

const struct argp common_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

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

Status common_parse(const struct argp *parser, int argc, char **argv, void *input) {
    return argp_parse(parser, argc, argv, 0, NULL, input) == 0 ? STATUS_OK
                                                               : fail(STATUS_DEVICE, "no memory to read the arguments");
}

Status common_start(CommonOptions *common, const char *kind) {
    if (common->json) {
        snprintf(common->opening, sizeof common->opening, "{\"glint\":\"%s\",", kind);
        const OutputRules rules = {.writer = "--json", .opening = common->opening, .overwrite = common->overwrite};
        TRY(output_claim(common->json, rules, &common->report));
        TRY(output_begin(common->report));
    }
    return common->profile ? profile_trace_open(common->profile, common->overwrite, &common->profile_trace) : STATUS_OK;
}

/* What went wrong first is what the command returns, and main says; `said` keeps its words. */
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
