/* options.c: the command line of glint batch. */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "app/device_list.h"
#include "app/export/presets.h"
#include "core/base/folder.h"
#include "core/image/icc.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SANDBOX_SECONDS = 60 };

static Status read_shard(const char *text, void *values) {
    BatchOptions *options = values;
    FileRules *rules = &options->rules;
    int end = 0;
    options->apart = true;
    if (strcmp(text, "auto") == 0)
        return cluster_shard(&rules->shard, &rules->shards);
    if (sscanf(text, "%ld/%ld%n", &rules->shard, &rules->shards, &end) != 2 || text[end] != '\0' || rules->shard < 1 ||
        rules->shard > rules->shards)
        return fail(STATUS_USAGE, "--shard is \"%s\", want auto, or I/N with I from 1 to N, as in 1/4", text);
    return STATUS_OK;
}

static Status read_devices(const char *text, void *values) {
    ((BatchOptions *)values)->devices = text;
    return device_list_check(text);
}

static Status read_page(const char *text, void *values) {
    long page;
    TRY(option_whole("page", text, 0, INT_MAX, &page));
    Pages *pages = &((BatchOptions *)values)->pages;
    pages->first = (size_t)page;
    pages->count = 1;
    return STATUS_OK;
}

static int spell_page(const void *values, char *buffer, size_t size) {
    const Pages pages = ((const BatchOptions *)values)->pages;
    return pages.count == 0 ? snprintf(buffer, size, "%s", "")
                            : snprintf(buffer, size, "%zu+%zu", pages.first, pages.count);
}

static Status read_spill(const char *text, void *values) {
    ((BatchOptions *)values)->spill = text;
    return folder_is(text) && access(text, W_OK) == 0
               ? STATUS_OK
               : fail(STATUS_USAGE, "--spill is \"%s\", want a folder that can be written to", text);
}

static Status read_format(const char *text, void *values) {
    const Format *format = format_by_name(text);
    ((BatchOptions *)values)->format = text;
    return strcmp(text, FILM) == 0 || (format && format->writes)
               ? STATUS_OK
               : fail(STATUS_USAGE, "--format is \"%s\", want a format that can be written (glint list formats)", text);
}

/* The options behind it on the command line change its settings. */
static Status read_export(const char *text, void *values) {
    BatchOptions *options = values;
    TRY(export_presets_settings(text, &options->way));
    options->exports = true;
    options->save = export_save_options(&options->way);
    options->type_max = export_type_max(&options->way);
    options->strip = export_strips(&options->way);
    options->srgb = export_converts(&options->way);
    (void)export_links(&options->way, options->links);
    return STATUS_OK;
}

/* Only a device that is asked for by name changes results; auto takes it where it pays. */
static int spell_codec(const void *values, char *buffer, size_t size) {
    return snprintf(buffer, size, "%s", ((const BatchOptions *)values)->codec == CODEC_GPU ? "gpu" : "");
}

#define AT(member) OPTION_AT(BatchOptions, member)

static const Option option_rows[] = {
    {"output", "OUTPUT",
     "FILE, DIR/ (keeps names) or a template: 'DIR/{stem}-{chain}.{ext}'; also {dir}, {index}, {shard} of archives; a "
     "tar "
     "or zip as a folder, 'out.tar/{stem}.webp'; - is stdout",
     OPTION_TEXT, AT(rules.output), .letter = 'o', .neutral = true},
    {"export", "NAME",
     "write as the window's preset of exports of that name says: format, size, sharpening, metadata, colours, and its "
     "names where there is no -o, or a DIR/; options behind it change that",
     OPTION_OWN, .read = read_export, .neutral = true},
    {"skip-existing", NULL, "leave outputs that exist, and their inputs alone", OPTION_SWITCH, AT(rules.skip_existing),
     .neutral = true},
    {"recursive", NULL, "look into subfolders", OPTION_SWITCH, AT(rules.recursive), .letter = 'r', .neutral = true},
    {"files-from", "FILE", "read inputs from FILE, one a line; - is stdin", OPTION_TEXT, AT(rules.files_from),
     .neutral = true},
    {"watch", NULL,
     "inputs are folders: filter the files that are there, then each that comes, once it is complete; a journal as of "
     "--resume keeps a later run from doing a file again. SIGINT or SIGTERM ends it",
     OPTION_SWITCH, AT(rules.watch), .neutral = true},
    {"null", NULL, "zero bytes separate the inputs of --files-from, as find -print0 writes them", OPTION_SWITCH,
     AT(rules.null), .letter = '0', .neutral = true},
    {"dry-run", NULL, "print the outputs that would be written, and write nothing", OPTION_SWITCH, AT(dry_run),
     .neutral = true},
    {"on-error", "skip|stop", "skip: go on with the other files (skip); stop: begin no more of them", OPTION_CHOICE,
     AT(stop_on_error), .neutral = true},
    {"fail-fast", NULL, "the same as --on-error stop", OPTION_SWITCH, AT(stop_on_error), .neutral = true},
    {"resume", NULL,
     "keep a journal in the folder of the outputs (.glint-journal), and leave alone outputs that are done and "
     "unchanged",
     OPTION_SWITCH, AT(resume), .neutral = true},
    {"retry", "N", "read an unreadable input again, up to N times, after 1, 2, 4, ... s (0)", OPTION_WHOLE, AT(retries),
     .max = 100, .neutral = true},
    {"jobs", "N", "threads that decode and encode (as many as cores, fewer where GPUs do both)", OPTION_WHOLE, AT(jobs),
     .letter = 'j', .min = 1, .max = 256, .neutral = true},
    {"devices", "LIST", "devices of the backend that share the work: all, or numbers as in 0,2", OPTION_OWN,
     .read = read_devices, .neutral = true},
    {"codec", "auto|cpu|gpu",
     "where JPEG is decoded and encoded: on the cpu, or on the gpu by nvJPEG; auto: on the gpu for 200 of them, if it "
     "has the hardware",
     OPTION_CHOICE, AT(codec), .spell = spell_codec},
    {"format", "NAME", "format of a picture on stdout (the input's, else png), or y4m for a film", OPTION_OWN,
     .read = read_format, .neutral = true},
    {"matrix", "601|709", "the meaning of y4m's colours: BT.601 or BT.709 (601)", OPTION_CHOICE, AT(matrix)},
    {"bits", "8|16",
     "write so many bits a value: others are rounded or widened, and floats cut off at 0 and white (tonemap first)",
     OPTION_CHOICE, AT(type_max)},
    {"page", "N", "only this picture of files that hold several, the first is 0; without it, all", OPTION_OWN,
     .read = read_page, .spell = spell_page},
    {"damaged", "refuse|keep", "files that end early: fail (refuse), or filter the rows that are there (keep)",
     OPTION_CHOICE, AT(pages.partial)},
    {"sandbox", "S",
     "decode each input in a process of its own that reaches neither files nor networks, in at most S seconds (60)",
     OPTION_WHOLE, AT(sandbox), .optional = true, .otherwise = SANDBOX_SECONDS, .min = 1, .max = 86400,
     .neutral = true},
    {"spill", "FOLDER",
     "keep pictures that are larger than memory, and that strips cannot process, in files there while they are "
     "filtered",
     OPTION_OWN, .read = read_spill, .neutral = true},
    {"strip", NULL, "leave out Exif, XMP, text and resolution; ICC profiles stay: colours depend on them",
     OPTION_SWITCH, AT(strip)},
    {"icc", "keep|srgb",
     "colours by ICC profiles: keep them as they are, with the profile (keep), or convert them to sRGB", OPTION_CHOICE,
     AT(srgb)},
    {"hdr", NULL,
     "filter pictures with a gain map as their HDR rendering, in linear light; JPEG and JPEG XL get a new map of "
     "it, EXR, HDR and TIFF the rendering",
     OPTION_SWITCH, AT(hdr)},
    {"shard", "I/N",
     "take every N-th input, beginning with the I-th; auto: as Slurm's array or the launcher numbers this process",
     OPTION_OWN, .read = read_shard, .neutral = true},
};

#undef AT

static Status take_arguments(void *values, char **arguments, size_t count) {
    BatchOptions *options = values;
    options->arguments = arguments;
    options->argument_count = (int)count;
    return STATUS_OK;
}

/* Names by --export take the place of -o, or lie in the folder that it names. */
static void name_outputs(BatchOptions *options) {
    FileRules *rules = &options->rules;
    const char *given = rules->output;
    char folder[EXPORT_FOLDER];
    const bool slash = given && given[0] && given[strlen(given) - 1] == '/';
    if (options->exports && !options->format && given && strcmp(given, "-") == 0)
        options->format = export_format(&options->way)->name;
    if (!options->exports || (given && !slash && !folder_is(given)))
        return;
    const int length = snprintf(folder, sizeof folder, "%.*s%s", given ? (int)strlen(given) - slash : 0,
                                given ? given : "", rules->recursive ? "/{dir}" : "");
    if (length < (int)sizeof folder)
        (void)export_template(&options->way, given ? folder : NULL, 0, options->output, sizeof options->output);
    rules->output = options->output[0] ? options->output : given;
}

/* A watch has no list of files to begin with, and never ends. */
static Status check_watch(BatchOptions *options) {
    const FileRules *rules = &options->rules;
    const char *other = rules->files_from  ? "--files-from"
                        : options->dry_run ? "--dry-run"
                        : options->apart   ? "--shard"
                                           : NULL;
    if (!rules->watch)
        return STATUS_OK;
    if (other)
        return fail(STATUS_USAGE, "--watch and %s exclude each other", other);
    if (rules->packed > 0)
        return fail(STATUS_USAGE, "-o %s: an archive is whole once its last member is in it, and --watch has no last",
                    rules->output);
    if (strcmp(rules->output, "-") == 0)
        return fail(STATUS_USAGE, "--watch keeps a journal in the folder of the outputs, and standard output has no "
                                  "place for one");
    if (strstr(rules->output, "{index}"))
        return fail(STATUS_USAGE, "-o %s: {index} counts from 1 in each run of --watch; want other fields",
                    rules->output);
    options->resume = true;
    return STATUS_OK;
}

/* Refuses options that need others or exclude each other. */
static Status check(void *values) {
    BatchOptions *options = values;
    FileRules *rules = &options->rules;
    name_outputs(values);
    rules->packed = rules->output ? file_plan_packed(rules->output) : 0;
    if (options->argument_count < 1 || (options->argument_count < 2 && !rules->files_from))
        return fail(STATUS_USAGE, "want a chain and inputs, as in glint batch gaussian=2 photo.jpg -o out/");
    if (!rules->output)
        return fail(STATUS_USAGE, "want -o OUTPUT: a file, a folder ending in /, or a template");
    if (options->common.overwrite && rules->skip_existing)
        return fail(STATUS_USAGE, "--overwrite and --skip-existing exclude each other");
    if (options->resume && strcmp(rules->output, "-") == 0)
        return fail(STATUS_USAGE,
                    "--resume keeps a journal in the folder of the outputs, and standard output has no place for one");
    if (options->sandbox > 0 && options->codec == CODEC_GPU)
        return fail(STATUS_USAGE, "--sandbox decodes in processes that reach no gpu: --codec gpu excludes it");
    TRY(check_watch(options));
    if (rules->null && !rules->files_from)
        return fail(STATUS_USAGE, "--null is about the list of --files-from, and there is none");
    if (options->srgb && !icc_available())
        return fail(STATUS_USAGE, "--icc srgb needs Little CMS (lcms2), which glint was built without");
    return STATUS_OK;
}

static const BatchOptions defaults_but_common = {.rules = {.shard = 1, .shards = 1}, .type_max = PIXEL_F32};

static BatchOptions defaults(void) {
    BatchOptions options = defaults_but_common;
    options.common = common_defaults;
    return options;
}

static CommandLine command_line(void) {
    return (CommandLine){.arguments = "CHAIN INPUT... -o OUTPUT",
                         .help = "Filters files, folders and the pictures in tar and zip files with CHAIN (as in "
                                 "gaussian=2,sharpen=amount=0.8).",
                         .tables = {{OPTION_ROWS(option_rows), 0},
                                    raw_way_table(offsetof(BatchOptions, pages.raw)),
                                    save_options_table(offsetof(BatchOptions, save)),
                                    common_options},
                         .common = 3,
                         .arguments_read = take_arguments,
                         .check = check};
}

Status batch_parse(int argc, char **argv, BatchOptions *options) {
    const CommandLine line = command_line();
    *options = defaults();
    TRY(command_line_read(&line, argc, argv, options));
    options->common.stdout_taken = strcmp(options->rules.output, "-") == 0 && !options->dry_run;
    options->reports = options->common.json != NULL;
    options->hushed = options->common.quiet;
    options->common.plan.type_min = options->exports && options->type_max == export_type_max(&options->way)
                                        ? export_type_min(&options->way)
                                    : options->type_max == PIXEL_U16 ? PIXEL_U16
                                                                     : PIXEL_U8;
    return STATUS_OK;
}

size_t batch_recipe(const BatchOptions *options, char *recipe, size_t size) {
    const CommandLine line = command_line();
    const BatchOptions unchanged = defaults();
    return options_recipe(line.tables, LINE_TABLES, options, &unchanged, recipe, size);
}

json_t *batch_options_json(const BatchOptions *options) {
    const CommandLine line = command_line();
    return command_line_json(&line, options);
}
