/* report.c: lines for people and records for --json, about each file and the run. */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "app/explain.h"
#include "core/base/interrupt.h"
#include "core/codec/part.h"
#include "core/plan/precision.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { EXTRAS_TEXT = 512 /* for all of enum Extra in words */ };

static const char *const outcome_names[OUTCOMES] = {"done", "passed", "skipped", "planned", "failed"};

static size_t count_reported(const Batch *batch) {
    size_t finished = 0;
    for (int i = 0; i < OUTCOMES; i++)
        finished += batch->counts[i];
    return finished;
}

/* Files that a run which ended early has not begun, or has given up. */
static size_t files_left(const Batch *batch) {
    const size_t count = batch->total, reported = count_reported(batch);
    return count > reported ? count - reported : 0;
}

static void draw_progress(Batch *batch) {
    const size_t finished = count_reported(batch);
    progress_draw(&batch->progress, (double)finished / (double)batch->total, "%zu/%zu", finished, batch->total);
}

/* ---- files ---- */

/* The precision of the chain's values, and by what auto has chosen it. */
static void add_precision(json_t *record, const Work *work) {
    const PrecisionChoice *choice = &work->choice;
    const double times = choice->high_seconds / choice->stored_seconds;
    json_object_set_new(record, "precision", json_string(precision_name(work->precision)));
    if (!choice->made)
        return;
    json_t *by = json_pack("{s:I}", "roundings", (json_int_t)choice->roundings);
    if (isfinite(times))
        json_object_set_new(by, "times", json_figure(times));
    json_object_set_new(record, "auto", by);
}

/* A file's line of JSON, to be freed; NULL if there is none, or no memory for it. */
static char *make_record(const BatchOptions *options, const Picture *picture, const char *error, const char *reason) {
    const BatchFile *file = picture->file;
    const Shape shape = picture->work.shape;
    const Spans *spans = &picture->work.spans;
    char lost[EXTRAS_TEXT];
    if (!options->reports)
        return NULL;
    json_t *record = json_pack("{s:s, s:o, s:o, s:s}", "glint", "batch", "input", json_text(file->input), "output",
                               json_text(file->output), "status", outcome_names[picture->outcome]);
    if (picture->outcome == OUTCOME_FAILED)
        json_object_set_new(record, "error", json_text(error));
    if (picture->outcome == OUTCOME_SKIPPED)
        json_object_set_new(record, "reason", json_text(file->reason ? file->reason : reason));
    if (picture->outcome == OUTCOME_DONE) {
        char type[8];
        snprintf(type, sizeof type, "%sx%d", pixel_type_name(shape.type), shape.channels);
        json_object_set_new(record, "width", json_integer((json_int_t)shape.width));
        json_object_set_new(record, "height", json_integer((json_int_t)shape.height));
        json_object_set_new(record, "type", json_string(type));
        add_precision(record, &picture->work);
        json_t *ms = json_object();
        for (size_t i = 0; i < spans->count; i++)
            json_object_set_new(ms, spans->spans[i].name, json_figure(spans->spans[i].ms));
        json_object_set_new(record, "ms", ms);
        if (image_extras_format(picture->lost, lost, sizeof lost) > 0)
            json_object_set_new(record, "left_out", json_string(lost));
        if (part_describe(picture->codec.part, lost, sizeof lost) > 0)
            json_object_set_new(record, "damaged", json_string(lost));
    }
    char *text = record ? json_dumps(record, JSON_COMPACT) : NULL;
    json_decref(record);
    return text;
}

static void note_failure(Batch *batch, const char *input, const char *error) {
    const size_t count = batch->counts[OUTCOME_FAILED]; /* this one included */
    Failure *grown = realloc(batch->failures, count * sizeof *grown);
    if (!grown) {
        batch->unreported++;
        return;
    }
    batch->failures = grown;
    grown[count - 1] = (Failure){strdup(input), strdup(error)};
}

void report_free(Batch *batch) {
    for (size_t i = 0; batch->failures && i < batch->counts[OUTCOME_FAILED]; i++) {
        free(batch->failures[i].input);
        free(batch->failures[i].error);
    }
    free(batch->failures);
}

/* A file's line for people, to be freed; NULL for none. */
static char *make_line(const Batch *batch, const Picture *picture, const char *error, const char *reason) {
    const CommonOptions *common = &batch->options->common;
    const BatchFile *file = picture->file;
    const Spans *spans = &picture->work.spans;
    char times[512] = "", lost[EXTRAS_TEXT], *line = NULL;
    int length = 0;
    switch (picture->outcome) {
    case OUTCOME_FAILED:
        length = batch->full[0] ? 0 : asprintf(&line, "glint: %s", error);
        break;
    case OUTCOME_PLANNED:
        length = asprintf(&line, "%s -> %s", file->input, file->output);
        break;
    case OUTCOME_DONE:
        for (size_t i = 0, used = 0; i < spans->count && used < sizeof times; i++)
            used += (size_t)(isnan(spans->spans[i].ms)
                                 ? snprintf(times + used, sizeof times - used, " %s (no time)", spans->spans[i].name)
                                 : snprintf(times + used, sizeof times - used, " %s %.2f", spans->spans[i].name,
                                            spans->spans[i].ms));
        if (common->verbose)
            length = asprintf(&line, "%s -> %s %s ms%s%s", file->input, file->output, times,
                              image_extras_format(picture->lost, lost, sizeof lost) ? "; left out: " : "", lost);
        break;
    case OUTCOME_PASSED:
        length = common->verbose ? asprintf(&line, "%s -> %s", file->input, file->output) : 0;
        break;
    default:
        if (file->state == FILE_STREAM && !batch->options->hushed)
            length = asprintf(&line, "glint: %s: %s, skipped", file->input, file->reason);
        else if (file->state != FILE_STREAM && common->verbose)
            length = asprintf(&line, "%s: %s %s, skipped", file->input, file->output, reason);
    }
    return length > 0 ? line : NULL;
}

void report_take(Batch *batch, const Message *report) {
    pthread_mutex_lock(&batch->report);
    batch->counts[report->outcome]++;
    batch->total += batch->watch != NULL;
    progress_wipe(&batch->progress);
    if (report->outcome == OUTCOME_FAILED)
        note_failure(batch, report->input, report->error);
    if (report->status == STATUS_DEVICE)
        batch->worst = report->status;
    if (report->line && report->line[0])
        say(report->outcome == OUTCOME_PLANNED ? common_results(&batch->options->common) : stderr, "%s", report->line);
    if (batch->json && report->record && report->record[0]) {
        fprintf(batch->json, "%s\n", report->record);
        fflush(batch->json);
    } else if (batch->json) {
        batch->unreported++;
    }
    draw_progress(batch);
    pthread_mutex_unlock(&batch->report);
}

void report_file(Batch *batch, const Picture *picture, Status status) {
    const char *error = status_message(), *reason = picture->journaled ? "is done and unchanged" : "exists";
    char *line = make_line(batch, picture, error, reason);
    char *record = make_record(batch->options, picture, error, reason);
    const Message made = {.outcome = (int)picture->outcome,
                          .status = status,
                          .input = picture->file->input,
                          .error = picture->outcome == OUTCOME_FAILED ? error : "",
                          .line = line,
                          .record = record};
    if (cluster_rank() == 0)
        report_take(batch, &made);
    else if (!message_send(&made))
        say(stderr, "glint: %s: no memory to report it", picture->file->input);
    free(line);
    free(record);
}

void report_archive(void *context, const char *path, PackEnd end, size_t members, const char *why) {
    static const char *const ends[] = {[PACK_DONE] = "done", [PACK_SKIPPED] = "skipped", [PACK_FAILED] = "failed"};
    Batch *batch = context;
    pthread_mutex_lock(&batch->report);
    progress_wipe(&batch->progress);
    if (end == PACK_FAILED)
        say(stderr, "glint: %s: is not written: %s", path, why);
    else if (batch->options->common.verbose)
        say(stderr, "%s: %s, %zu members", path, ends[end], members);
    if (batch->json) {
        json_t *record = json_pack("{s:s, s:o, s:s, s:I}", "glint", "batch", "archive", json_text(path), "status",
                                   ends[end], "members", (json_int_t)members);
        if (end == PACK_FAILED)
            json_object_set_new(record, "error", json_text(why));
        batch->unreported += !json_put(batch->json, record, JSON_COMPACT);
    }
    pthread_mutex_unlock(&batch->report);
}

/* ---- plans ---- */

/* Whether a picture's plan differs from the last one's. The caller holds `report`. */
static bool begins_explaining(Batch *batch, Shape shape, const PlanOptions *how) {
    const bool same = shape_equal(batch->explained, shape) && plan_options_equal(&batch->how, how);
    batch->explained = shape;
    batch->how = *how;
    return !same;
}

Status report_plan(void *context, const Pipeline *pipeline, const Strips *cut) {
    Batch *batch = context;
    const Shape shape = cut->picture, strip = {shape.width, cut->rows, shape.channels, shape.type};
    const char *twice = cut->passes > 1 ? ", more than once" : "";
    PlanOptions options = batch->options->common.plan;
    Plan *apart;
    char title[400], strips[64] = "";
    if (!batch->options->common.explain)
        return STATUS_OK;
    options.tone = plan_options(pipeline_plan(pipeline))->tone;
    options.shot = plan_options(pipeline_plan(pipeline))->shot;
    options.picture = plan_options(pipeline_plan(pipeline))->picture;
    options.choice = plan_options(pipeline_plan(pipeline))->choice;
    options.unfused = true;
    const PlanPart part = strips_part(cut);
    if (strips_are_cut(cut))
        options.part = &part;
    TRY(chain_plan(batch->chain, strip, options, &apart));
    if (options.part)
        snprintf(strips, sizeof strips, ", in strips of %zu rows%s", strip.height, twice);
    snprintf(title, sizeof title, "%.200s of %zux%zu %sx%d%s", batch->options->chain, shape.width, shape.height,
             pixel_type_name(shape.type), shape.channels, strips);
    pthread_mutex_lock(&batch->report);
    if (begins_explaining(batch, shape, &options)) {
        progress_wipe(&batch->progress);
        explain(common_results(&batch->options->common), title, pipeline, apart);
    }
    pthread_mutex_unlock(&batch->report);
    plan_destroy(&apart);
    return STATUS_OK;
}

Status report_planned(Batch *batch, Shape shape, bool premultiplied) {
    const BatchOptions *options = batch->options;
    PlanOptions plan = options->common.plan;
    Status status = STATUS_OK;
    plan.tone.premultiplied = premultiplied;
    pthread_mutex_lock(&batch->report);
    if (begins_explaining(batch, shape, &plan))
        status = explain_chain(common_results(&options->common), batch->devices[0], options->chain, shape, plan,
                               options->common.level);
    pthread_mutex_unlock(&batch->report);
    return status;
}

/* ---- the run ---- */

static void say_lost(const Batch *batch) {
    char names[EXTRAS_TEXT];
    if (atomic_load(&batch->lost) && image_extras_format(atomic_load(&batch->lost), names, sizeof names) > 0)
        common_say(&batch->options->common, "not in all outputs, though in their inputs: %s", names);
}

void report_format_busy(const Batch *batch, char *text, size_t size) {
    const Busy *busy = &batch->busy;
    size_t length =
        (size_t)snprintf(text, size, "; busy: decode %.0f %%, encode %.0f %%", 100 * busy->decode, 100 * busy->encode);
    for (int i = 0; i < batch->busy_count && length < size; i++) {
        length +=
            (size_t)snprintf(text + length, size - length, ", %s %.0f %%", batch->names[i], 100 * busy->devices[i]);
        if (batch->codec && length < size)
            length += (size_t)snprintf(text + length, size - length, " (its decoder %.0f %%, encoder %.0f %%)",
                                       100 * busy->device_decode[i], 100 * busy->device_encode[i]);
    }
    if (length < size)
        snprintf(text + length, size - length, ", disk %.0f %%", 100 * busy->disk);
}

/* Repeats failures, which are easily missed among many lines. */
static void say_failures(const Batch *batch) {
    if (!batch->options->common.verbose || batch->counts[OUTCOME_DONE] == 0)
        return;
    for (size_t i = 0; i < batch->counts[OUTCOME_FAILED]; i++)
        say(stderr, "glint: failed: %s", batch->failures && batch->failures[i].error ? batch->failures[i].error : "");
}

static json_t *failures_json(const Batch *batch) {
    json_t *list = json_array();
    for (size_t i = 0; batch->failures && i < batch->counts[OUTCOME_FAILED]; i++)
        json_array_append_new(list, json_pack("{s:o, s:o}", "input", json_text(batch->failures[i].input), "error",
                                              json_text(batch->failures[i].error)));
    return list;
}

json_t *report_busy_json(const Batch *batch) {
    const Busy *busy = &batch->busy;
    json_t *shares = json_pack("{s:f, s:f}", "decode", busy->decode, "encode", busy->encode);
    for (int i = 0; i < batch->busy_count; i++) {
        char name[40];
        json_object_set_new(shares, batch->names[i], json_real(busy->devices[i]));
        snprintf(name, sizeof name, "%s decode", batch->names[i]);
        if (batch->codec)
            json_object_set_new(shares, name, json_real(busy->device_decode[i]));
        snprintf(name, sizeof name, "%s encode", batch->names[i]);
        if (batch->codec)
            json_object_set_new(shares, name, json_real(busy->device_encode[i]));
    }
    json_object_set_new(shares, "disk", json_real(busy->disk));
    return shares;
}

/* Writes the last line of --json; a report without it was cut short. */
static bool write_summary(const Batch *batch, double seconds) {
    json_t *record =
        json_pack("{s:s, s:s, s:I}", "glint", "batch", "status", "summary", "files", (json_int_t)batch->total);
    for (int i = 0; i < OUTCOMES; i++)
        json_object_set_new(record, outcome_names[i], json_integer((json_int_t)batch->counts[i]));
    if (files_left(batch) > 0)
        json_object_set_new(record, "left", json_integer((json_int_t)files_left(batch)));
    if (batch->others.processes > 0)
        json_object_set_new(record, "processes", json_integer(batch->others.processes + 1));
    if (batch->others.lost > 0)
        json_object_set_new(record, "lost", json_integer(batch->others.lost));
    json_object_set_new(record, "seconds", json_real(seconds));
    json_object_set_new(record, "options", batch_options_json(batch->options));
    json_object_set_new(record, "busy", report_busy_json(batch));
    json_object_set_new(record, "failures", failures_json(batch));
    return json_put(batch->json, record, JSON_COMPACT);
}

static void summarize(Batch *batch) {
    const CommonOptions *common = &batch->options->common;
    const double seconds = (clock_ms() - batch->progress.start) / 1e3;
    const size_t failed = batch->counts[OUTCOME_FAILED];
    const size_t left = files_left(batch);
    char busy[64 + 64 * EXECUTOR_DEVICES] = "", processes[32] = "", rest[32] = "", passed[48] = "";
    progress_wipe(&batch->progress);
    if (batch->others.processes > 0)
        snprintf(processes, sizeof processes, ", %d processes", batch->others.processes + 1);
    if (batch->counts[OUTCOME_DONE] > 0)
        report_format_busy(batch, busy, sizeof busy);
    if (left > 0)
        snprintf(rest, sizeof rest, ", %zu left", left);
    if (batch->counts[OUTCOME_PASSED] > 0)
        snprintf(passed, sizeof passed, ", %zu passed on", batch->counts[OUTCOME_PASSED]);
    say_failures(batch);
    if (!common->quiet && (batch->total > 1 || failed > 0))
        say(stderr, "glint: %zu of %zu done%s, %zu skipped, %zu failed%s%s, %.2f s%s",
            batch->counts[OUTCOME_DONE] + batch->counts[OUTCOME_PLANNED], batch->total, passed,
            batch->counts[OUTCOME_SKIPPED], failed, rest, processes, seconds, busy);
    say_lost(batch);
    if (batch->json && !write_summary(batch, seconds))
        batch->unreported++;
}

Status report_conclude(Batch *batch) {
    const size_t failed = batch->counts[OUTCOME_FAILED];
    const Packs *packs = batch->list->packs;
    const Status packed = packs && !batch->options->dry_run ? packs_end(batch->list->packs) : STATUS_OK;
    char why[512];
    snprintf(why, sizeof why, "%s", packed == STATUS_OK ? "" : status_message());
    summarize(batch);
    if (interrupted() && !batch->watch) /* a watch has no other end */
        return fail(STATUS_INTERRUPTED, "interrupted: every output that is there is whole");
    if (batch->full[0])
        return fail(STATUS_DEVICE, "%s: the run ends here, %zu of %zu files are done", batch->full,
                    batch->counts[OUTCOME_DONE], batch->total);
    if (packed != STATUS_OK)
        return fail(packed, "%s", why);
    if (batch->watch_status != STATUS_OK)
        return fail(batch->watch_status, "%s", batch->watch_why);
    if (batch->unreported > 0)
        return fail(STATUS_DEVICE, "no memory for %zu lines of the report", batch->unreported);
    if (batch->others.lost > 0)
        return fail(STATUS_DEVICE, "%d of %d processes lost: the outcome of %zu of %zu files is known",
                    batch->others.lost, batch->others.processes + 1, count_reported(batch), batch->total);
    if (batch->others.worst != STATUS_OK && !batch->options->stop_on_error)
        return fail(batch->others.worst, "a process ended early: the outcome of %zu of %zu files is known",
                    count_reported(batch), batch->total);
    if (failed == 0)
        return files_left(batch) == 0 ? STATUS_OK
                                      : fail(STATUS_DEVICE, "%zu of %zu files are neither done nor failed",
                                             files_left(batch), batch->total);
    if (batch->worst == STATUS_DEVICE)
        return fail(STATUS_DEVICE, "the device or the environment failed; see above");
    return failed == batch->total ? fail(STATUS_INPUT, "no usable input") : STATUS_PARTIAL;
}
