/* kernel_files.c: copies of texts and reports, and the requests of the dialogue. */
#include "app/view/tools/kernel_files.h"

#include "app/bench/bench_job.h"
#include "app/view/session/structure.h"
#include "app/view/session/viewer.h"
#include "core/base/output.h"
#include "kernel/operations.h"
#include "kernel/rungs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 1 << 18 /* bytes of a file that are shown */ };

typedef struct KernelFiles {
    KernelSource sources[KERNEL_FILES_MAX];
    unsigned serials[KERNEL_FILES_MAX]; /* of the reports that they have */
    size_t count;
    double seconds;
    size_t taken; /* the file whose level is to be taken once it compiles; KERNEL_FILES_MAX: none */
    bool section;
    PickedLine picked;
    double saved; /* clock_ms; 0: nothing waits to be shown */
} KernelFiles;

static KernelFiles *files_of(const Viewer *viewer) {
    return tool_of(viewer, &kernel_files_tool);
}

static void begin(void *tool) {
    ((KernelFiles *)tool)->taken = KERNEL_FILES_MAX;
}

static void free_source(KernelSource *source) {
    free(source->text);
    free(source->lines);
    free(source->notes);
    *source = (KernelSource){.path = source->path};
}

static void end(void *tool) {
    KernelFiles *files = tool;
    for (size_t i = 0; i < files->count; i++)
        free_source(&files->sources[i]);
}

static void wish(const Viewer *viewer, Wishes *wishes) {
    const KernelFiles *files = tool_of(viewer, &kernel_files_tool);
    wishes->machine_code = files->section && files->picked.line > 0 && files->picked.sass;
}

const ToolKind kernel_files_tool = {
    .name = "kernel files", .size = sizeof(KernelFiles), .begin = begin, .end = end, .wish = wish};

/* ---- copies ---- */

static void cut_lines(KernelSource *source) {
    size_t count = 1;
    for (const char *at = source->text; *at; at++)
        count += *at == '\n';
    source->lines = calloc(count, sizeof *source->lines);
    for (char *rest = source->text; source->lines && rest && source->line_count < count;)
        source->lines[source->line_count++] = strsep(&rest, "\n");
}

/* Whether a compiler's name of a file is this one's. */
static bool is_of(const char *named, const char *path) {
    const char *slash = strrchr(path, '/'), *other = strrchr(named, '/');
    return strcmp(slash ? slash + 1 : path, other ? other + 1 : named) == 0;
}

static void copy_notes(KernelSource *source, const KernelReport *report) {
    source->notes = calloc(report->count + 1, sizeof *source->notes);
    for (size_t i = 0; i < report->count && source->notes; i++) {
        const KernelDiagnostic *from = &report->diagnostics[i];
        KernelNote *note = &source->notes[source->note_count++];
        const bool own = is_of(from->file, source->path);
        *note = (KernelNote){own ? from->line : 0, own ? from->column : 0, from->error, ""};
        snprintf(note->text, sizeof note->text, "%s", from->text);
    }
    if (source->notes && report->compiled && report->fault_line > 0) {
        KernelNote *note = &source->notes[source->note_count++];
        *note = (KernelNote){.line = report->fault_line, .error = true};
        snprintf(note->text, sizeof note->text, "%s", report->why);
    }
}

/* A watched file is no input whose place stays taken: editors replace it, and another file may get its inode. */
static char *read_text(const char *path) {
    FILE *file = fopen(path, "re");
    char *text = calloc(TEXT_MAX + 1, 1);
    if (file && text)
        (void)!fread(text, 1, TEXT_MAX, file);
    if (file)
        fclose(file);
    return text;
}

static void copy_report(KernelSource *source, const KernelReport *report) {
    free_source(source);
    source->text = read_text(source->path);
    if (source->text)
        cut_lines(source);
    copy_notes(source, report);
    source->compiled = report->compiled;
    snprintf(source->why, sizeof source->why, "%s", report->why);
}

/* True if there was news. */
static bool follow_file(KernelFiles *files, size_t index) {
    KernelSource *source = &files->sources[index];
    KernelReport report;
    source->path = kernel_file_at(index);
    const unsigned serial = kernel_file_serial(index);
    source->open = !kernel_file_closed(index);
    if (serial == files->serials[index] || kernel_file_report(index, &report) != STATUS_OK)
        return false;
    files->serials[index] = serial;
    copy_report(source, &report);
    source->open = !kernel_file_closed(index);
    kernel_report_free(&report);
    return true;
}

/* ---- levels ---- */

/* A kernel of the file on this backend, of the operation if that is not NULL. */
static const Level *rung_of(size_t index, const Backend *backend, const Op *op) {
    const char *path, *name;
    const Backend *of;
    const Level *level;
    for (size_t i = 0; (level = kernel_rung_at(i, &of)); i++)
        if (of == backend && (!op || level->op == op) && kernel_rung(level, &path, &name) &&
            kernel_file_find(path) == index)
            return level;
    return NULL;
}

/* The backend now, if it has the file's kernels; else the last that opens, a real GPU before the emulated one. */
static const Backend *backend_for(const Viewer *viewer, size_t index) {
    const Backend *now = backend_by_name(viewer->request->backend), *found = NULL;
    int count;
    if (now && rung_of(index, now, NULL))
        return now;
    for (size_t i = 0; i < backend_count(); i++) {
        const Backend *backend = backend_at(i);
        const bool better = !found || (found->timeless && !backend->timeless);
        if (better && rung_of(index, backend, NULL) && backend->device_count(&count) == STATUS_OK && count > 0)
            found = backend;
    }
    return found;
}

/* A filter of the operation, as people know it; NULL: none of the window's is of it. */
static const char *filter_for(const Op *op) {
    const BenchDefaults row = bench_job_of_kernels(op->name);
    return strcmp(op->name, "convolve") == 0 ? "box=5" : strcmp(op->name, "move") == 0 ? "transpose" : row.filter;
}

/* The request with the level of the file's first kernel that fits what is shown. */
static Status take_level(Viewer *viewer, size_t index) {
    const Backend *backend = backend_for(viewer, index);
    const Level *shown = viewer_level(viewer);
    Request next = viewer_request(viewer);
    Chain *chain = NULL;
    if (!backend || !viewer->session->subject)
        return STATUS_OK;
    const bool empty = viewer_picture(viewer) && next.chain->count == 0;
    const Level *level = rung_of(index, backend, empty || !shown ? NULL : shown->op);
    const char *filter = level && empty ? filter_for(level->op) : NULL;
    if (!level || (empty && !filter)) {
        viewer_say(viewer, false, "%s: its kernels are levels where a filter of their operation is shown",
                   kernel_file_at(index));
        return STATUS_OK;
    }
    snprintf(next.backend, sizeof next.backend, "%s", backend->name);
    snprintf(next.level, sizeof next.level, "%s", level->name);
    if (filter) {
        TRY(chain_parse(filter, &chain));
        next.chain = chain;
    }
    const Status status = viewer_ask(viewer, next, FALLBACK_BEST);
    chain_destroy(&chain);
    return status;
}

void kernel_files_follow(Viewer *viewer) {
    KernelFiles *files = files_of(viewer);
    while (files->count < KERNEL_FILES_MAX && kernel_file_at(files->count))
        files->count++;
    for (size_t i = 0; i < files->count; i++)
        (void)follow_file(files, i);
    const size_t taken = files->taken;
    if (taken >= files->count || !files->sources[taken].compiled)
        return;
    files->taken = KERNEL_FILES_MAX;
    viewer_answer(viewer, TOAST_REQUEST, take_level(viewer, taken));
}

Status kernel_files_begin(Viewer *viewer, double seconds, bool takes) {
    KernelFiles *files = files_of(viewer);
    files->seconds = seconds;
    files->taken = takes ? 0 : KERNEL_FILES_MAX;
    kernel_files_follow(viewer);
    return STATUS_OK;
}

/* ---- the dialogue ---- */

static Status check_hands(const Viewer *viewer) {
    return !viewer->scripted ? STATUS_OK
                             : fail(STATUS_USAGE, "kernels come from --kernel and from hands, not from scripts");
}

Status kernel_files_open(Viewer *viewer, const char *path) {
    KernelFiles *files = files_of(viewer);
    TRY(check_hands(viewer));
    const size_t count = files->count;
    const Status status = kernel_rungs_add(path, files->seconds);
    const size_t index = kernel_file_find(path);
    if (!kernel_file_at(index) || (status != STATUS_OK && status != STATUS_INPUT))
        return status;
    if (status == STATUS_OK && index < count)
        viewer_forget_kernels(viewer);
    files->taken = index;
    viewer->mode = MODE_SPEED;
    kernel_files_follow(viewer);
    return status;
}

Status kernel_files_close(Viewer *viewer, const char *path) {
    const size_t index = kernel_file_find(path);
    const Level *level = viewer_level(viewer);
    const char *of, *name;
    TRY(check_hands(viewer));
    if (!kernel_file_at(index) || kernel_file_closed(index))
        return fail(STATUS_USAGE, "%s: no such kernel file is open", path);
    kernel_file_close(index);
    kernel_files_follow(viewer);
    viewer->session->rungs_due = true;
    return level && kernel_rung(level, &of, &name) && strcmp(of, path) == 0 ? viewer_set_level(viewer, "best")
                                                                            : STATUS_OK;
}

/* The operation of kernels that is shown. */
static int shown_operation(const Viewer *viewer) {
    const Level *level = viewer_level(viewer);
    for (size_t i = 0; level && i < kernel_operation_count; i++)
        if (strcmp(kernel_operations[i].name, level->op->name) == 0)
            return (int)i;
    return 0;
}

Status kernel_files_new(Viewer *viewer, const char *path) {
    const OutputRules rules = {.writer = "the kernel file", .by_hand = true};
    KernelKind kind = KERNEL_PTX;
    Output *output;
    TRY(check_hands(viewer));
    TRY(kernel_kind(path, &kind));
    const char *text = kernel_operations[shown_operation(viewer)].starters[kind];
    TRY(output_claim(path, rules, &output));
    Status status = output_append(output, (Bytes){(unsigned char *)text, strlen(text)});
    if (status == STATUS_OK)
        status = output_finish(output, NULL);
    output_destroy(&output);
    return status == STATUS_OK ? kernel_files_open(viewer, path) : status;
}

/* ---- what panels show ---- */

size_t kernel_files_count(const Viewer *viewer) {
    return files_of(viewer)->count;
}

const KernelSource *kernel_files_at(const Viewer *viewer, size_t index) {
    return &files_of(viewer)->sources[index];
}

const KernelSource *kernel_files_shown(const Viewer *viewer) {
    const KernelFiles *files = files_of(viewer);
    const Level *level = viewer_level(viewer);
    const char *path, *name;
    for (size_t i = 0; i < files->count; i++)
        if (files->sources[i].open && files->sources[i].why[0])
            return &files->sources[i];
    const size_t shown = level && kernel_rung(level, &path, &name) ? kernel_file_find(path) : files->count;
    return shown < files->count && files->sources[shown].open ? &files->sources[shown] : NULL;
}

bool kernel_files_section(const Viewer *viewer) {
    return files_of(viewer)->section;
}

void kernel_files_toggle_section(Viewer *viewer) {
    files_of(viewer)->section ^= true;
}

PickedLine *kernel_files_picked(const Viewer *viewer) {
    return &files_of(viewer)->picked;
}

/* ---- from the save to the draw ---- */

void kernel_files_note_saved(Viewer *viewer, double at) {
    files_of(viewer)->saved = at;
}

double kernel_files_take_saved(const Viewer *viewer, double now) {
    KernelFiles *files = files_of(viewer);
    const Session *session = viewer->session;
    const bool judged = session->measured.judgement.level && session->measured.judgement.level == viewer_level(viewer);
    const bool shown = judged && (!session->stale || structure_holds(session));
    if (!(files->saved > 0) || viewer->lent || !shown)
        return -1;
    const double took = now - files->saved;
    files->saved = 0;
    return took;
}
