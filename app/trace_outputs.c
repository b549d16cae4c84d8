/* trace_outputs.c: claims, the journal, and pictures put together. */
#include "app/trace_outputs.h"

#include "app/trace_cameras.h"
#include "app/trace_output.h"
#include "core/base/interrupt.h"
#include "core/codec/codec.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FRAMES_FOLDER ".frames"

/* ---- names ---- */

/* The pictures' rule: -o, or within the folder next to a film in one file. */
static Status picture_name(const TraceOutputs *outputs, long picture, char path[static PATH_MAX]) {
    const TraceSettings *settings = outputs->settings;
    char rule[PATH_MAX];
    if (!trace_makes_one_file(settings))
        return trace_output_name(settings->output, picture, trace_frame_count(settings), path);
    if (snprintf(rule, sizeof rule, "%s" FRAMES_FOLDER "/{frame}.png", settings->output) >= (int)sizeof rule)
        return fail(STATUS_DEVICE, "%s: the path is too long", settings->output);
    return trace_output_name(rule, picture, trace_frame_count(settings), path);
}

static long trace_film_rate(const TraceSettings *settings) {
    return settings->rate > 0 ? settings->rate : FILM_RATE;
}

/* ---- claims ---- */

/* 0 without --along. */
static Status hash_cameras(const TraceSettings *settings, uint64_t *hash) {
    TraceCameras way;
    *hash = 0;
    if (settings->along > 0) {
        TRY(trace_cameras_read(settings->scene, settings->cameras, &way));
        *hash = trace_cameras_hash(&way);
    }
    return STATUS_OK;
}

/* All that pictures depend on besides the scene's file: options, files of filters, kept cameras, and the scene's text
 * with its own. */
static Status open_journal(TraceOutputs *outputs) {
    const TraceSettings *settings = outputs->settings, unchanged = trace_settings_defaults();
    const CommandLine line = trace_command_line();
    char options[2048], text[sizeof options + SCENE_TEXT_MAX + 40];
    uint64_t way;
    TRY(hash_cameras(settings, &way));
    if (options_recipe(line.tables, LINE_TABLES, settings, &unchanged, options, sizeof options) >= sizeof options)
        return fail(STATUS_USAGE, "--resume: the options are longer than a journal can hold");
    snprintf(text, sizeof text, " scene=%s cameras=%016" PRIx64 "%s", settings->scene, way, options);
    Chain *chain;
    TRY(chain_open(settings->filter ? settings->filter : "", &chain));
    char *recipe = journal_recipe(chain, text);
    chain_destroy(&chain);
    if (!recipe)
        return fail(STATUS_DEVICE, "no memory for the journal");
    const Status status = journal_open(outputs->place, recipe, &outputs->journal);
    free(recipe);
    return status;
}

static Status claim(const TraceOutputs *outputs, const char *path, Output **output) {
    OutputRules rules = {.writer = "-o", .overwrite = outputs->settings->common.overwrite, .place = outputs->place};
    if (outputs->journal)
        TRY(journal_owns(outputs->journal, NULL, path, &rules.own));
    return output_claim(path, rules, output);
}

static Status is_done(const TraceOutputs *outputs, const char *path, bool *done) {
    *done = false;
    return outputs->journal ? journal_is_done(outputs->journal, outputs->source, outputs->source, path, done)
                            : STATUS_OK;
}

static Status claim_pictures(TraceOutputs *outputs) {
    char path[PATH_MAX];
    const long count = trace_frame_count(outputs->settings) > 0 ? trace_frame_count(outputs->settings) : 1;
    outputs->list = calloc((size_t)count, sizeof *outputs->list);
    outputs->there = calloc((size_t)count, sizeof *outputs->there);
    if (!outputs->list || !outputs->there)
        return fail(STATUS_DEVICE, "no memory for the names of %ld frames", count);
    outputs->count = count;
    for (long picture = 0; picture < count; picture++) {
        TRY(picture_name(outputs, picture, path));
        TRY(claim(outputs, path, &outputs->list[picture]));
        TRY(is_done(outputs, path, &outputs->there[picture]));
    }
    return STATUS_OK;
}

Status trace_outputs_claim(const TraceSettings *settings, TraceOutputs *outputs) {
    outputs->settings = settings;
    snprintf(outputs->source, sizeof outputs->source, "%.*s", (int)scene_text_file(settings->scene), settings->scene);
    if (strcmp(settings->output, "-") != 0)
        TRY(place_hold(settings->output, &outputs->place));
    if (settings->resume)
        TRY(open_journal(outputs));
    if (trace_makes_one_file(settings)) {
        TRY(claim(outputs, settings->output, &outputs->whole));
        TRY(is_done(outputs, settings->output, &outputs->complete));
    }
    return outputs->whole && (!outputs->journal || outputs->complete) ? STATUS_OK : claim_pictures(outputs);
}

Output *trace_outputs_at(const TraceOutputs *outputs, long picture) {
    return outputs->list ? outputs->list[picture] : outputs->whole;
}

const Output *trace_outputs_result(const TraceOutputs *outputs, long picture) {
    return outputs->whole ? outputs->whole : outputs->list[picture];
}

Status trace_outputs_check(TraceOutputs *outputs, Shape made) {
    long first = 0;
    if (outputs->whole && !outputs->complete)
        TRY(trace_film_begin(outputs->whole, made, trace_film_rate(outputs->settings), &outputs->film));
    while (outputs->list && first + 1 < outputs->count && outputs->there[first])
        first++;
    if (!outputs->list || outputs->there[first])
        return STATUS_OK;
    Output *output = outputs->list[first];
    if (!output_is_stdout(output))
        TRY(codec_check(output_path(output), made));
    if (outputs->whole)
        TRY(output_make_folders(output));
    return output_begin(output);
}

/* ---- pictures ---- */

bool trace_outputs_has(const TraceOutputs *outputs, long picture) {
    return outputs->complete || (outputs->list && outputs->there[picture]);
}

/* The journal learns of a file before it appears. */
static Status note(TraceOutputs *outputs, const Output *output) {
    struct stat from, made;
    if (!outputs->journal || !output_stat(output, &made) || stat(outputs->source, &from) != 0)
        return STATUS_OK;
    return journal_add(outputs->journal, outputs->source, &from, 0, output_path(output), &made);
}

Status trace_outputs_finish(TraceOutputs *outputs, long picture) {
    if (!outputs->list)
        return STATUS_OK;
    TRY(note(outputs, outputs->list[picture]));
    TRY(output_finish(outputs->list[picture], NULL));
    outputs->there[picture] = true;
    return STATUS_OK;
}

/* ---- films ---- */

/* A file of this run's own, which is no input that the ledger would have to know. */
static Status read_back(const char *path, Bytes *bytes) {
    struct stat info;
    FILE *file = fopen(path, "rbe");
    *bytes = (Bytes){.data = NULL};
    if (file && fstat(fileno(file), &info) == 0 && info.st_size > 0) {
        bytes->size = (size_t)info.st_size;
        bytes->data = malloc(bytes->size);
    }
    const bool whole = bytes->data && fread(bytes->data, 1, bytes->size, file) == bytes->size;
    if (file)
        fclose(file);
    if (whole)
        return STATUS_OK;
    bytes_free(bytes);
    return fail(STATUS_DEVICE, "%s: cannot be read back: %m", path);
}

static Status add_file(TraceOutputs *outputs, const char *path) {
    Bytes bytes;
    Image *image;
    if (interrupted())
        return STATUS_INTERRUPTED;
    TRY(read_back(path, &bytes));
    const Status decoded = codec_decode(bytes, &image);
    bytes_free(&bytes);
    TRY(decoded);
    const Status status = trace_film_add(outputs->film, image);
    image_destroy(&image);
    return status;
}

/* Whether a picture has a file of its own that a run of this film has made. */
static bool has_file(const TraceOutputs *outputs, long picture, const char *path) {
    bool done;
    return outputs->list ? outputs->there[picture] : is_done(outputs, path, &done) == STATUS_OK && done;
}

/* The film has all of it. A run that was killed behind it may have left some. */
static void remove_pictures(const TraceOutputs *outputs) {
    char path[PATH_MAX], folder[PATH_MAX];
    for (long i = 0; i < trace_frame_count(outputs->settings); i++)
        if (picture_name(outputs, i, path) == STATUS_OK && has_file(outputs, i, path))
            (void)unlink(path);
    if (snprintf(folder, sizeof folder, "%s" FRAMES_FOLDER, outputs->settings->output) < (int)sizeof folder)
        (void)rmdir(folder); /* which fails where other files are in it */
}

Status trace_outputs_end(TraceOutputs *outputs) {
    for (long i = 0; outputs->film && i < outputs->count; i++)
        if (outputs->there[i])
            TRY(add_file(outputs, output_path(outputs->list[i])));
    if (outputs->film) {
        TRY(trace_film_close(outputs->film));
        TRY(note(outputs, outputs->whole));
        TRY(output_finish(outputs->whole, NULL));
    }
    if (outputs->whole && outputs->journal)
        remove_pictures(outputs);
    return STATUS_OK;
}

void trace_outputs_free(TraceOutputs *outputs) {
    for (long i = 0; i < outputs->count; i++)
        output_destroy(&outputs->list[i]);
    free(outputs->list);
    free(outputs->there);
    trace_film_destroy(&outputs->film);
    output_destroy(&outputs->whole);
    journal_close(&outputs->journal);
    place_release(&outputs->place);
    *outputs = (TraceOutputs){.settings = NULL};
}
