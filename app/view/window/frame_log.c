/* frame_log.c: frames as CSV (RFC 4180); the columns are at the bottom. */
#include "app/view/window/frame_log.h"

#include "app/view/session/near.h"
#include "app/view/session/preview.h"
#include "app/view/tools/kernel_files.h"
#include "core/base/output.h"
#include "core/base/text.h"

#include <stdlib.h>
#include <string.h>

#define OPENING "frame,time_ms,"

struct FrameLog {
    Output *output;
    FILE *stream;           /* to it */
    double begun;           /* clock_ms */
    double before;          /* when the last frame with figures had been shown */
    unsigned long frames;   /* so far */
    unsigned run_count;     /* of the session, then */
    unsigned of;            /* the serial of the subject that was shown then */
    const Viewer *viewer;   /* of the frame that is written */
    const Session *session; /* or NULL: the worker has it */
    unsigned runs;          /* since the last frame */
    double saved_ms;        /* kernel_files_take_saved */
};

typedef struct Column {
    const char *name; /* of a span without its unit */
    void (*put)(const FrameLog *log, const struct Column *column);
} Column;

/* An unknown figure is an empty field, not 0. */
static void put_number(const FrameLog *log, double value, const char *format) {
    if (value >= 0)
        fprintf(log->stream, format, value);
}

static void put_text(const FrameLog *log, const char *words) {
    char valid[2 * ENTRY_MAX];
    text_escape(words, TEXT_PRINTABLE, valid, sizeof valid);
    fputc('"', log->stream);
    for (const char *c = valid; *c; c++)
        fprintf(log->stream, *c == '"' ? "\"\"" : "%c", *c);
    fputc('"', log->stream);
}

/* ---- the columns ---- */

static void put_frame(const FrameLog *log, const Column *column) {
    (void)column;
    fprintf(log->stream, "%lu", log->frames);
}

static void put_time(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, log->viewer->pacing->swapped - log->begun, "%.3f");
}

static void put_input(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, log->viewer->pacing->input_ms, "%.3f");
}

static void put_own(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, log->viewer->pacing->own_ms, "%.3f");
}

static void put_interval(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, log->viewer->pacing->between_ms, "%.3f");
}

static void put_file(const FrameLog *log, const Column *column) {
    (void)column;
    if (log->session)
        put_text(log, viewer_title(log->viewer));
}

static void put_chain(const FrameLog *log, const Column *column) {
    char chain[ENTRY_MAX] = "";
    (void)column;
    if (!log->session)
        return;
    chain_format(log->session->chain, chain, sizeof chain);
    put_text(log, chain);
}

static void put_device(const FrameLog *log, const Column *column) {
    (void)column;
    if (log->session)
        put_text(log, log->session->device->name);
}

static void put_level(const FrameLog *log, const Column *column) {
    const Level *level = log->session ? viewer_level(log->viewer) : NULL;
    (void)column;
    if (level)
        put_text(log, level->name);
}

static void put_runs(const FrameLog *log, const Column *column) {
    (void)column;
    fprintf(log->stream, "%u", log->runs);
}

/* The ms of the last run since the frame before; negative: there is none, or it has no time. */
static double ran_for(const FrameLog *log) {
    return log->runs > 0 && log->session->totals.count > 0 ? history_latest(&log->session->totals) : -1;
}

static void put_run(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, ran_for(log), "%.4f");
}

/* "gaussian 0.81; sharpen 0.2": stages have the names of filters. */
static void put_stages(const FrameLog *log, const Column *column) {
    char words[ENTRY_MAX] = "";
    size_t length = 0;
    (void)column;
    for (size_t i = 0; log->runs > 0 && i < log->session->span_count && length < sizeof words; i++) {
        const SpanHistory *span = &log->session->spans[i];
        if (span->stage)
            length += (size_t)snprintf(words + length, sizeof words - length, "%s%s %.4f", length > 0 ? "; " : "",
                                       span->name, history_latest(&span->history));
    }
    if (length > 0)
        put_text(log, words);
}

/* The pixels that stand for the result to come; those of a job before are none. */
static void put_ahead(const FrameLog *log, const Column *column) {
    const Session *session = log->viewer->session;
    const Near *near = near_shown(session);
    const Preview *preview = preview_shown(session);
    (void)column;
    if (near && near->of_job == session->job_serial)
        fputs("part", log->stream);
    else if (preview && preview->of_job == session->job_serial)
        fputs("preview", log->stream);
}

/* From the save of a kernel file to this swap, which shows its checked result. */
static void put_saved(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, log->saved_ms, "%.1f");
}

static void put_decode(const FrameLog *log, const Column *column) {
    const Subject *subject = log->session ? log->session->subject : NULL;
    (void)column;
    put_number(log, subject && subject->picture && subject->serial != log->of ? subject->decode_ms : -1, "%.3f");
}

/* Puts a span, if it was recorded since the frame before. */
static void put_span(const FrameLog *log, const Column *column) {
    const SpanHistory *span = log->session ? viewer_span(log->viewer, column->name) : NULL;
    put_number(log, span && span->at > log->before ? history_latest(&span->history) : -1, "%.4f");
}

static void put_watts(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, log->session ? log->viewer->power.watts : -1, "%.1f");
}

/* At the power now, of the last run. */
static void put_joules(const FrameLog *log, const Column *column) {
    (void)column;
    put_number(log, ran_for(log) > 0 ? log->viewer->power.watts * ran_for(log) / 1e3 : -1, "%.6f");
}

static void put_warm_up(const FrameLog *log, const Column *column) {
    (void)column;
    if (log->runs > 0)
        fputc(runs_marks(&log->session->measured.runs, 0) & RUN_WARM_UP ? '1' : '0', log->stream);
}

static void put_pace(const FrameLog *log, const Column *column) {
    (void)column;
    if (log->runs > 0)
        fputc(runs_marks(&log->session->measured.runs, RUN_PACE_AGE) & RUN_PACE ? '1' : '0', log->stream);
}

static const Column columns[] = {
    {"frame", put_frame},          {"time_ms", put_time},      {"input_ms", put_input}, {"own_ms", put_own},
    {"interval_ms", put_interval}, {"file", put_file},         {"chain", put_chain},    {"device", put_device},
    {"level", put_level},          {"ahead", put_ahead},       {"runs", put_runs},      {"run_ms", put_run},
    {"stages_ms", put_stages},     {"decode_ms", put_decode},  {"upload", put_span},    {"move", put_span},
    {"gravity", put_span},         {"download", put_span},     {"map", put_span},       {"write", put_span},
    {"unmap", put_span},           {"update", put_span},       {"present", put_span},   {"draw", put_span},
    {"overlay", put_span},         {"swap", put_span},         {"watts", put_watts},    {"joules", put_joules},
    {"warm_up", put_warm_up},      {"pace_changed", put_pace}, {"saved_ms", put_saved}};

/* ---- the file ---- */

Status frame_log_open(const char *path, bool overwrite, FrameLog **log) {
    const OutputRules rules = {.writer = "--log", .opening = OPENING, .overwrite = overwrite};
    FrameLog *made = *log = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a log");
    made->begun = made->before = clock_ms();
    Status status = output_claim(path, rules, &made->output);
    if (status == STATUS_OK)
        status = output_stream(made->output, &made->stream);
    if (status != STATUS_OK) {
        (void)frame_log_close(log, false);
        return status;
    }
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        fprintf(made->stream, "%s%s%s", i ? "," : "", columns[i].name, columns[i].put == put_span ? "_ms" : "");
    fputc('\n', made->stream);
    return STATUS_OK;
}

void frame_log_add(FrameLog *log, const Viewer *viewer, bool whole) {
    if (!log)
        return;
    log->frames++;
    log->viewer = viewer;
    log->session = whole ? viewer->session : NULL;
    log->saved_ms = whole ? kernel_files_take_saved(viewer, viewer->pacing->swapped) : -1;
    log->runs = whole ? viewer->session->run_count - log->run_count : 0;
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        if (i)
            fputc(',', log->stream);
        columns[i].put(log, &columns[i]);
    }
    fputc('\n', log->stream);
    if (!whole)
        return;
    log->before = clock_ms();
    log->run_count = viewer->session->run_count;
    log->of = viewer->session->subject ? viewer->session->subject->serial : 0;
}

Status frame_log_close(FrameLog **log, bool keep) {
    FrameLog *old = *log;
    *log = NULL;
    if (!old)
        return STATUS_OK;
    const Status status = keep && old->output ? output_finish(old->output, NULL) : STATUS_OK;
    output_destroy(&old->output);
    free(old);
    return status;
}
