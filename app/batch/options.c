/* options.c: the command line of glint batch. */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "core/base/folder.h"
#include "core/image/icc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    KEY_SKIP = 0x2000,
    KEY_DRY,
    KEY_FAST,
    KEY_QUALITY,
    KEY_LOSSLESS,
    KEY_HALF,
    KEY_PAGE,
    KEY_STRIP,
    KEY_SANDBOX,
    KEY_SPILL,
    KEY_ICC,
    KEY_SHARD,
    KEY_FROM,
    KEY_FORMAT,
    KEY_DEVICES,
    KEY_RETRY,
    KEY_ON_ERROR,
    KEY_RESUME,
    KEY_MATRIX,
    KEY_CODEC,
    KEY_BITS
};

enum { SANDBOX_SECONDS = 60 };

static const char *const codec_choices[CODEC_CHOICES] = {"auto", "cpu", "gpu"};

static const struct argp_option argp_options[] = {
    {"output", 'o', "OUTPUT", 0,
     "FILE, DIR/ (keeps names) or a template: 'DIR/{stem}-{chain}.{ext}'; also {dir}, {index}; "
     "- is stdout",
     0},
    {"skip-existing", KEY_SKIP, NULL, 0, "leave outputs that exist, and their inputs alone", 0},
    {"recursive", 'r', NULL, 0, "look into subfolders", 0},
    {"files-from", KEY_FROM, "FILE", 0, "read inputs from FILE, one a line; - is stdin", 0},
    {"null", '0', NULL, 0, "zero bytes separate the inputs of --files-from, as find -print0 writes them", 0},
    {"dry-run", KEY_DRY, NULL, 0, "say what would be written, and write nothing", 0},
    {"on-error", KEY_ON_ERROR, "skip|stop", 0, "skip: go on with the other files (skip); stop: begin no more of them",
     0},
    {"fail-fast", KEY_FAST, NULL, 0, "the same as --on-error stop", 0},
    {"resume", KEY_RESUME, NULL, 0,
     "keep a journal in the folder of the outputs (.glint-journal), and leave alone what it says is done and unchanged",
     0},
    {"retry", KEY_RETRY, "N", 0, "read an input that cannot be read again, up to N times, after 1, 2, 4, ... s (0)", 0},
    {"jobs", 'j', "N", 0, "threads that decode and encode (as many as cores, fewer where GPUs do both)", 0},
    {"devices", KEY_DEVICES, "LIST", 0, "devices of the backend that share the work: all, or numbers as in 0,2", 0},
    {"codec", KEY_CODEC, "auto|cpu|gpu", 0,
     "who decodes and encodes JPEG: the cpu, or the gpu by nvJPEG; auto: the gpu for 200 of them, if it has the "
     "hardware",
     0},
    {"quality", KEY_QUALITY, "N", 0, "quality of JPEG, WebP and JPEG XL, 1 to 100 (92)", 0},
    {"lossless", KEY_LOSSLESS, NULL, 0, "WebP and JPEG XL keep every value", 0},
    {"format", KEY_FORMAT, "NAME", 0, "format of a picture on stdout (the input's, else png), or y4m for a film", 0},
    {"matrix", KEY_MATRIX, "601|709", 0, "what y4m films mean by their colours: BT.601 or BT.709 (601)", 0},
    {"bits", KEY_BITS, "8|16", 0,
     "write at most so many bits a value: others are rounded, and floats cut off at 0 and white (tonemap first)", 0},
    {"half", KEY_HALF, NULL, 0, "OpenEXR with 16 bits a value, not 32", 0},
    {"page", KEY_PAGE, "N", 0, "only this picture of files that hold several, the first is 0; without it, all", 0},
    {"sandbox", KEY_SANDBOX, "S", OPTION_ARG_OPTIONAL,
     "decode each input in a process of its own that reaches neither files nor networks, in at most S seconds (60)", 0},
    {"spill", KEY_SPILL, "FOLDER", 0,
     "pictures that are larger than memory, and that no strips will do for, lie in files there while they are filtered",
     0},
    {"strip", KEY_STRIP, NULL, 0,
     "leave out Exif, XMP, text and resolution; ICC profiles stay, which colours depend on", 0},
    {"icc", KEY_ICC, "keep|srgb", 0,
     "colours by ICC profiles: keep them as they are, with the profile (keep), or convert them to sRGB", 0},
    {"shard", KEY_SHARD, "I/N", 0,
     "take every N-th input, beginning with the I-th; auto: as Slurm's array or the launcher numbers this process", 0},
    {0},
};

static void parse_shard(struct argp_state *state, const char *text, FileRules *rules) {
    int end = 0;
    if (strcmp(text, "auto") == 0 && cluster_shard(&rules->shard, &rules->shards) != STATUS_OK)
        say_usage(state, "%s", status_message());
    if (strcmp(text, "auto") == 0)
        return;
    if (sscanf(text, "%ld/%ld%n", &rules->shard, &rules->shards, &end) != 2 || text[end] != '\0' || rules->shard < 1 ||
        rules->shard > rules->shards)
        say_usage(state, "--shard is \"%s\", want auto, or I/N with I from 1 to N, as in 1/4", text);
}

/* Checks a list of devices: "all", or numbers, each once. */
static void check_devices(struct argp_state *state, const char *text) {
    bool good = strcmp(text, "all") == 0, seen[EXECUTOR_DEVICES] = {false};
    for (const char *at = text; !good; at++) {
        char *end;
        const long index = *at >= '0' && *at <= '9' ? strtol(at, &end, 10) : -1;
        if (index < 0 || index >= EXECUTOR_DEVICES || seen[index] || (*end != ',' && *end != '\0'))
            break;
        seen[index] = true;
        good = *end == '\0';
        at = end;
    }
    if (!good)
        say_usage(state, "--devices is \"%s\", want all, or numbers from 0 to %d, each once, as in 0,2", text,
                  EXECUTOR_DEVICES - 1);
}

static error_t parse(int key, char *text, struct argp_state *state) {
    BatchOptions *options = state->input;
    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = &options->common;
        return 0;
    case 'o':
        options->rules.output = text;
        return 0;
    case KEY_SKIP:
        options->rules.skip_existing = true;
        return 0;
    case 'r':
        options->rules.recursive = true;
        return 0;
    case KEY_FROM:
        options->rules.files_from = text;
        return 0;
    case '0':
        options->rules.null = true;
        return 0;
    case KEY_DRY:
        options->dry_run = true;
        return 0;
    case KEY_FAST:
        options->stop_on_error = true;
        return 0;
    case KEY_ON_ERROR:
        if (strcmp(text, "stop") != 0 && strcmp(text, "skip") != 0)
            say_usage(state, "--on-error is \"%s\", want stop or skip", text);
        options->stop_on_error = strcmp(text, "stop") == 0;
        return 0;
    case KEY_RESUME:
        options->resume = true;
        return 0;
    case KEY_RETRY:
        options->retries = (int)common_whole(state, "retry", text, 0, 100);
        return 0;
    case 'j':
        options->jobs = (int)common_whole(state, "jobs", text, 1, 256);
        return 0;
    case KEY_DEVICES:
        check_devices(state, text);
        options->devices = text;
        return 0;
    case KEY_CODEC:
        for (options->codec = CODEC_AUTO;
             options->codec < CODEC_CHOICES && strcmp(text, codec_choices[options->codec]) != 0;)
            options->codec++;
        if (options->codec == CODEC_CHOICES)
            say_usage(state, "--codec is \"%s\", want auto, cpu or gpu", text);
        return 0;
    case KEY_QUALITY:
        options->save.quality = (int)common_whole(state, "quality", text, 1, 100);
        return 0;
    case KEY_LOSSLESS:
        options->save.lossless = true;
        return 0;
    case KEY_HALF:
        options->save.half = true;
        return 0;
    case KEY_PAGE:
        options->pages = (Pages){(size_t)common_whole(state, "page", text, 0, INT_MAX), 1};
        return 0;
    case KEY_SANDBOX:
        options->sandbox = text ? (unsigned)common_whole(state, "sandbox", text, 1, 86400) : SANDBOX_SECONDS;
        return 0;
    case KEY_SPILL:
        if (!folder_is(text) || access(text, W_OK) != 0)
            say_usage(state, "--spill is \"%s\", want a folder that can be written to", text);
        options->spill = text;
        return 0;
    case KEY_STRIP:
        options->strip = true;
        return 0;
    case KEY_ICC:
        if (strcmp(text, "keep") != 0 && strcmp(text, "srgb") != 0)
            say_usage(state, "--icc is \"%s\", want keep or srgb", text);
        options->srgb = strcmp(text, "srgb") == 0;
        if (options->srgb && !icc_available())
            say_usage(state, "--icc srgb needs Little CMS (lcms2), which glint was built without");
        return 0;
    case KEY_FORMAT:
        if (strcmp(text, FILM) != 0 && (!format_by_name(text) || !format_by_name(text)->writes))
            say_usage(state, "--format is \"%s\", want a format that can be written (glint list formats)", text);
        options->format = text;
        return 0;
    case KEY_MATRIX:
        if (strcmp(text, "601") != 0 && strcmp(text, "709") != 0)
            say_usage(state, "--matrix is \"%s\", want 601 or 709", text);
        options->matrix = strcmp(text, "709") == 0 ? YUV_709 : YUV_601;
        return 0;
    case KEY_BITS:
        if (strcmp(text, "8") != 0 && strcmp(text, "16") != 0)
            say_usage(state, "--bits is \"%s\", want 8 or 16", text);
        options->bits = text;
        return 0;
    case KEY_SHARD:
        options->apart = true;
        parse_shard(state, text, &options->rules);
        return 0;
    case ARGP_KEY_ARGS:
        options->arguments = state->argv + state->next;
        options->argument_count = state->argc - state->next;
        return 0;
    case ARGP_KEY_END:
        if (options->argument_count < 1 || (options->argument_count < 2 && !options->rules.files_from))
            say_usage(state, "want a chain and inputs, as in glint batch gaussian=2 photo.jpg -o out/");
        if (!options->rules.output)
            say_usage(state, "want -o OUTPUT: a file, a folder ending in /, or a template");
        if (options->common.overwrite && options->rules.skip_existing)
            say_usage(state, "--overwrite and --skip-existing exclude each other");
        if (options->resume && options->rules.output && strcmp(options->rules.output, "-") == 0)
            say_usage(
                state,
                "--resume keeps a journal in the folder of the outputs, and standard output has no place for one");
        if (options->sandbox > 0 && options->codec == CODEC_GPU)
            say_usage(state, "--sandbox decodes in processes that reach no gpu: --codec gpu excludes it");
        if (options->rules.null && !options->rules.files_from)
            say_usage(state, "--null is about the list of --files-from, and there is none");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

bool path_has_extension(const char *path, const char *extension) {
    const char *dot = strrchr(path, '.');
    return dot && strcasecmp(dot + 1, extension) == 0;
}

static bool holds_films(const char *format) {
    return strcmp(format, FILM) == 0 || strcmp(format, "ppm") == 0;
}

/* A template's extension may be the input's. */
Status batch_check_output(const BatchOptions *options) {
    const char *output = options->rules.output, *end = output + strlen(output);
    const Format *format = format_for_path(output);
    const bool named = end > output && end[-1] != '/' && end[-1] != '}' && strcmp(output, "-") != 0;
    if (!output[0])
        return fail(STATUS_USAGE, "-o is \"\", want a file, a folder ending in /, or a template");
    if (options->format && strcmp(output, "-") != 0 && !holds_films(options->format))
        return fail(STATUS_USAGE,
                    "--format %s is for standard output; a file's format is that of its name, as in -o "
                    "'FOLDER/{stem}.%s'",
                    options->format, options->format);
    if (!named || options->format || path_has_extension(output, FILM) || folder_is(output) ||
        (format && format->writes))
        return STATUS_OK;
    if (format && !format->lacks)
        return fail(STATUS_USAGE, "-o %s: %s is read, but not written; `glint list formats` shows what is", output,
                    format->title);
    return format ? STATUS_OK
                  : fail(STATUS_USAGE,
                         "-o %s: the extension names no format, as `glint list formats` shows them, and a folder's "
                         "name ends in /",
                         output);
}

Status batch_parse(int argc, char **argv, BatchOptions *options) {
    const struct argp_child children[] = {{&common_argp, 0, NULL, 0}, {0}};
    const struct argp parser = {argp_options,
                                parse,
                                "CHAIN INPUT... -o OUTPUT",
                                "Filters files with CHAIN (as in gaussian=2,sharpen=amount=0.8).",
                                children,
                                NULL,
                                NULL};
    *options = (BatchOptions){.common = common_defaults, .rules = {.shard = 1, .shards = 1}};
    TRY(common_parse(&parser, argc, argv, options));
    options->common.stdout_taken = strcmp(options->rules.output, "-") == 0 && !options->dry_run;
    options->reports = options->common.json != NULL;
    options->hushed = options->common.quiet;
    return STATUS_OK;
}
