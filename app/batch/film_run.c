/* film_run.c: a run whose one input is a film: its frames are the works. */
#include "app/batch/batch.h"
#include "core/base/file.h"

#include <string.h>

/* Whether the output may hold frames, and in which format: NULL for y4m. */
static bool film_format(const Batch *batch, const Format **format) {
    const char *name = batch->options->format;
    const bool to_stream = output_is_stdout(batch->list->files[0].claim), from_film = batch->survey.input.film;
    const Format *by_path = to_stream ? NULL : batch->survey.output.format;
    *format = name ? format_by_name(name) : by_path;
    if (*format)
        return (*format)->streams && (to_stream || from_film || (name && by_path == *format));
    return name || batch->survey.output.film || (to_stream && from_film);
}

Status film_run_open(Batch *batch) {
    const BatchOptions *options = batch->options;
    const BatchFile *file = &batch->list->files[0];
    FilmRules rules = {.matrix = options->matrix, .save = options->save, .planned = report_plan, .context = batch};
    if (batch->list->count > 1 || file->state != FILE_OPEN || file->archive || file->pack || options->dry_run ||
        (options->rules.skip_existing && output_exists(file->claim)) || !film_format(batch, &rules.format))
        return STATUS_OK;
    if (batch->sandbox && !rules.format)
        return fail(STATUS_USAGE, "--sandbox is for pictures: films are decoded by the process itself");
    rules.output = file->claim;
    TRY(input_open(file->input, &batch->input));
    const bool is_film = !batch->sandbox && film_begins(batch->input.bytes);
    if (is_film && (options->resume || options->pages.count > 0 || options->type_max < PIXEL_F32))
        return fail(STATUS_USAGE, "%s: is a film, which is filtered as a whole; --%s is for pictures",
                    batch->input.name,
                    options->resume            ? "resume"
                    : options->pages.count > 0 ? "page"
                                               : "bits");
    if (is_film)
        return film_create(&batch->input, rules, &batch->film);
    return rules.format ? STATUS_OK
                        : fail(STATUS_INPUT,
                               "%s: is no film (y4m, or pictures of the binary Netpbm formats), of which a "
                               "y4m could be made",
                               batch->input.name);
}

/* A damaged film is written as far as it goes. An interrupted one is not written; a pipe keeps the frames that it has.
 */
Status film_run_conclude(Batch *batch) {
    const CommonOptions *common = &batch->options->common;
    const BatchFile *file = &batch->list->files[0];
    const double seconds = (clock_ms() - batch->progress.start) / 1e3;
    char busy[64 + 64 * EXECUTOR_DEVICES] = "";
    size_t frames;
    Status status = film_end(batch->film, &frames);
    if (status == STATUS_PARTIAL)
        say(stderr, "glint: %s", status_message());
    if (status == STATUS_OK && frames == 0)
        status = fail(STATUS_INPUT, "%s: a film without a frame", file->input);
    const Status finished = status == STATUS_OK || status == STATUS_PARTIAL ? output_finish(file->claim, NULL) : status;
    status = finished == STATUS_OK ? status : finished;
    if (batch->json)
        json_put(batch->json,
                 json_pack("{s:s, s:o, s:o, s:s, s:I, s:f, s:o, s:o}", "glint", "batch", "input",
                           json_text(file->input), "output", json_text(file->output), "status",
                           status == STATUS_OK ? "done" : "failed", "frames", (json_int_t)frames, "seconds", seconds,
                           "options", batch_options_json(batch->options), "busy", report_busy_json(batch)),
                 JSON_COMPACT);
    report_format_busy(batch, busy, sizeof busy);
    common_say(common, "%zu frame%s, %.2f s, %.1f a second%s", frames, frames == 1 ? "" : "s", seconds,
               (double)frames / seconds, busy);
    return status;
}
