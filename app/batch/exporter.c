/* exporter.c: the executor's tasks for pictures of the window, and the thread that runs them. */
#include "app/batch/exporter.h"

#include "app/batch/executor.h"
#include "core/base/memory.h"
#include "core/base/place.h"
#include "core/base/share.h"
#include "core/base/stop.h"
#include "core/codec/encoding.h"
#include "core/codec/save.h"
#include "core/device/backend.h"
#include "core/image/icc.h"
#include "core/image/narrow.h"
#include "core/run/rendering.h"
#include "library/tuning.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define KEEPING "\"keep\" as the setting of colours" /* as the window has it */

enum { NICENESS = 10, STEPS = 3 /* of a picture: decoded, encoded, written */, BUDGET_SHARE = 2, COMMITTERS = 2 };

/* LATE: it is too large for half of the memory's budget. */
typedef enum Turn { WAITS, UNDER_WAY, LATE, ENDED } Turn;

struct Exporter {
    ExporterOptions options;
    ExportFile *files;
    size_t first, behind; /* the files of the run that goes on */
    size_t memory;        /* its budget */
    Device *device;
    Stop stop;
    pthread_t thread;
    bool joined;
    pthread_mutex_t lock; /* guards these: */
    Turn *turns;          /* one for each file */
    ExporterState state;
    size_t steps;
};

/* A picture on its way. */
typedef struct Exported {
    Work work; /* first, so that a Work is an Exported */
    const ExportFile *file;
    CodecFile codec;
    const Format *format;
    Output *claim;
    unsigned lost;
    bool opened, skipped;
} Exported;

static void note_failure(Exporter *exporter, size_t pictures, Status status) {
    pthread_mutex_lock(&exporter->lock);
    ExporterState *state = &exporter->state;
    if (status != STATUS_INTERRUPTED)
        state->failed += pictures;
    if (status != STATUS_INTERRUPTED && !state->why[0])
        snprintf(state->why, sizeof state->why, "%s", status_message());
    pthread_mutex_unlock(&exporter->lock);
}

/* The first of several files under way is told. */
static void note_turn(Exporter *exporter, const ExportFile *file, Turn turn) {
    pthread_mutex_lock(&exporter->lock);
    exporter->turns[file - exporter->files] = turn;
    exporter->state.writing = NULL;
    for (size_t i = exporter->first; i < exporter->behind && !exporter->state.writing; i++)
        exporter->state.writing = exporter->turns[i] == UNDER_WAY ? exporter->files[i].output : NULL;
    pthread_mutex_unlock(&exporter->lock);
}

static void note_step(Exporter *exporter) {
    pthread_mutex_lock(&exporter->lock);
    exporter->steps++;
    pthread_mutex_unlock(&exporter->lock);
}

/* ---- tasks ---- */

/* STATUS_INTERRUPTED once it was cancelled: the executor drops all other works then. */
static Status go_on(const Exporter *exporter, Work *work) {
    if (!atomic_load(&exporter->stop.asked))
        return STATUS_OK;
    executor_stop(work, true);
    return fail(STATUS_INTERRUPTED, "cancelled");
}

/* Bytes that decoding and encoding row by row take, besides the rows; 0 if a format cannot. */
static size_t row_working(const Exporter *exporter, const Exported *picture) {
    enum { ENCODER_BYTES = 2 << 20 };
    const bool can = picture->format && picture->format->write_rows && !exporter->options.srgb;
    return can && codec_has_rows(&picture->codec) ? memory_sum(ENCODER_BYTES, picture->codec.measure.row_working) : 0;
}

/* Formats of one picture get the first of several. */
static Status open_file(void *context, Work *work, Opened *opened) {
    Exporter *exporter = context;
    Exported *picture = (Exported *)work;
    const ExporterOptions *options = &exporter->options;
    *opened = OPENED_END;
    if (exporter->first + work->number >= exporter->behind || atomic_load(&exporter->stop.asked))
        return STATUS_OK;
    *opened = OPENED_SETTLED;
    picture->file = &exporter->files[exporter->first + work->number];
    work->name = picture->file->input;
    note_turn(exporter, picture->file, UNDER_WAY);
    if (picture->file->why)
        return fail(STATUS_INPUT, "%s", picture->file->why);
    picture->format = format_for_path(picture->file->output);
    const OutputRules rules = {
        .writer = "the export", .overwrite = options->overwrite, .skip = options->skip, .by_hand = true};
    TRY(output_claim(picture->file->output, rules, &picture->claim));
    picture->skipped = options->skip && output_exists(picture->claim);
    if (picture->skipped)
        return STATUS_OK;
    const bool several = picture->format && picture->format->saves_several;
    const Pages pages = {.count = several ? 0 : 1, .partial = true, .raw = options->raw};
    TRY(codec_open(picture->file->input, pages, &picture->codec));
    picture->opened = true;
    *opened = OPENED_WORK;
    work->shape = codec_shape(&picture->codec);
    work->gain_map = picture->codec.measure.gain_map;
    work->wishes = rendering_is_wanted(picture->format) ? WISH_RENDERING : 0;
    work->further = picture->codec.measure.count - 1;
    work->as = (Encoding){picture->format, options->save, options->type_max};
    work->decoding = codec_memory(&picture->codec);
    work->carried = picture->codec.measure.carried;
    work->by_rows = row_working(exporter, picture);
    return STATUS_OK;
}

static Status decode_file(void *context, Work *work, size_t max) {
    Exporter *exporter = context;
    TRY(go_on(exporter, work));
    TRY(codec_read(&((Exported *)work)->codec, max, &work->image));
    const Status status = exporter->options.srgb ? icc_to_srgb(work->image, KEEPING) : STATUS_OK;
    note_step(exporter);
    return status == STATUS_OK ? status : fail_within(status, "%s: ", work->name);
}

static Status encode_file(void *context, Work *work) {
    Exporter *exporter = context;
    Exported *picture = (Exported *)work;
    SaveOptions how = exporter->options.save;
    how.lost = &picture->lost;
    TRY(go_on(exporter, work));
    if (exporter->options.strip)
        image_strip(work->image);
    TRY(rendering_fit(picture->format, &how, &work->image));
    TRY(image_narrow(&work->image, exporter->options.type_max));
    TRY(output_make_folders(picture->claim));
    TRY(picture_fit_channels(picture->format, &work->image));
    TRY(output_append_picture(picture->claim, NULL, work->image, how));
    note_step(exporter);
    return STATUS_OK;
}

/* A picture that is larger than memory passes row by row. */
static Status open_source(void *context, Work *work, RowSource **from) {
    const Exporter *exporter = context;
    TRY(go_on(exporter, work));
    TRY(codec_read_rows(&((Exported *)work)->codec, from, &work->image));
    if (exporter->options.strip)
        image_strip(work->image);
    return STATUS_OK;
}

static Status open_sink(void *context, Work *work, RowSink **to) {
    Exporter *exporter = context;
    Exported *picture = (Exported *)work;
    SaveOptions how = exporter->options.save;
    ByteSink *bytes;
    how.lost = &picture->lost;
    TRY(output_make_folders(picture->claim));
    TRY(output_byte_sink(picture->claim, &bytes));
    const PixelType type = work->image->view.shape.type;
    const bool narrows = type > work->as.type_max, premultiplied = work->image->premultiplied;
    if (narrows) {
        work->image->view.shape.type = work->as.type_max;
        work->image->premultiplied = false;
    }
    TRY(codec_write_rows(picture->format, work->image, how, bytes, to));
    return narrows ? narrow_rows(*to, type, premultiplied, to) : STATUS_OK;
}

static void rows_passed(void *context, Work *work) {
    note_step(context);
    note_step(context);
    codec_close(&((Exported *)work)->codec);
}

static Status commit_file(void *context, Work *work) {
    TRY(go_on(context, work));
    return output_finish(((Exported *)work)->claim, &((Exported *)work)->skipped);
}

static void file_done(void *context, Work *work, Status status) {
    Exporter *exporter = context;
    Exported *picture = (Exported *)work;
    const bool late = work->too_large && exporter->memory < memory_budget();
    note_turn(exporter, picture->file, late ? LATE : ENDED);
    if (status != STATUS_OK && picture->claim)
        output_give_up(picture->claim);
    if (status != STATUS_OK && !late)
        note_failure(exporter, 1, status);
    pthread_mutex_lock(&exporter->lock);
    exporter->state.done += status == STATUS_OK && !picture->skipped;
    if (status == STATUS_OK && !picture->skipped)
        exporter->state.written = picture->file->output;
    exporter->state.skipped += status == STATUS_OK && picture->skipped;
    exporter->state.lost |= status == STATUS_OK ? picture->lost : 0;
    exporter->state.partial += status == STATUS_OK && picture->codec.part.of > 0;
    pthread_mutex_unlock(&exporter->lock);
    if (picture->opened)
        codec_close(&picture->codec);
    output_destroy(&picture->claim);
}

static const ExecutorTasks export_tasks = {.work_bytes = sizeof(Exported),
                                           .open = open_file,
                                           .decode = decode_file,
                                           .encode = encode_file,
                                           .open_source = open_source,
                                           .open_sink = open_sink,
                                           .passed = rows_passed,
                                           .commit = commit_file,
                                           .done = file_done};

/* ---- runs ---- */

static Status open_device(Exporter *exporter, int threads) {
    const char *passed_over;
    TRY(backend_open(exporter->options.backend, exporter->options.device, threads, &exporter->device, &passed_over));
    tuning_load(exporter->device);
    return STATUS_OK;
}

/* The folder of an output, which is made if it is not there, for pixels that memory has no room for; free with free.
 * NULL: nowhere. */
static char *folder_to_spill(const char *output) {
    const char *slash = strrchr(output, '/');
    if (place_make_folders(NULL, output, 0777) != STATUS_OK)
        return NULL;
    return slash ? strndup(output, (size_t)(slash - output) + 1) : strdup(".");
}

/* The files from `first` on that share its chain and plan. */
static Status run(Exporter *exporter, const Chain *chain, const char *spill) {
    enum { QUEUES = 2 };
    const ExporterOptions *options = &exporter->options;
    const size_t count = exporter->behind - exporter->first;
    const int cores = options->threads > 0 ? options->threads : (int)share_cores();
    const int fitting = (size_t)cores < count ? cores : (int)count, jobs = fitting > 1 ? fitting : 1;
    Busy busy;
    TRY(open_device(exporter, (cores + jobs - 1) / jobs));
    const char *name = exporter->device->backend->name;
    const int queues = exporter->device->backend->host_frames ? jobs : QUEUES;
    const ExecutorOptions how = {.tasks = &export_tasks,
                                 .context = exporter,
                                 .chain = chain,
                                 .plan = exporter->files[exporter->first].plan,
                                 .level = "best",
                                 .devices = &exporter->device,
                                 .names = &name,
                                 .device_count = 1,
                                 .queues = queues,
                                 .shares = queues,
                                 .save = options->save,
                                 .codecs = jobs,
                                 .committers = COMMITTERS,
                                 .in_flight = (size_t)(jobs + COMMITTERS),
                                 .memory = exporter->memory,
                                 .spill = spill,
                                 .stop = &exporter->stop};
    const Status status = executor_run(&how, &busy);
    device_close(&exporter->device);
    return status;
}

static size_t finished(Exporter *exporter) {
    const ExporterState state = exporter_state(exporter);
    size_t late = 0;
    for (size_t i = exporter->first; i < exporter->behind; i++)
        late += exporter->turns[i] == LATE;
    return state.done + state.skipped + state.failed + late;
}

/* A run that fails as a whole leaves its files undone, each of which counts as failed. */
static void run_and_note(Exporter *exporter, const char *spill) {
    Chain *chain = NULL;
    const size_t before = finished(exporter);
    Status status = chain_open(exporter->files[exporter->first].chain, &chain);
    for (size_t i = 0; status == STATUS_OK && exporter->options.srgb && i < chain->image_count; i++)
        status = icc_to_srgb(chain->images[i].image, KEEPING);
    if (status == STATUS_OK)
        status = run(exporter, chain, spill);
    if (status != STATUS_OK)
        note_failure(exporter, exporter->behind - exporter->first - (finished(exporter) - before), status);
    chain_destroy(&chain);
}

/* Whether two files may share a run. */
static bool alike(const ExportFile *a, const ExportFile *b) {
    return strcmp(a->chain, b->chain) == 0 && plan_options_equal(&a->plan, &b->plan);
}

static void run_late(Exporter *exporter, size_t at) {
    exporter->first = at;
    exporter->behind = at + 1;
    exporter->turns[at] = WAITS;
    char *spill = folder_to_spill(exporter->files[at].output);
    run_and_note(exporter, spill);
    free(spill);
}

static void *work(void *argument) {
    Exporter *exporter = argument;
    const size_t count = exporter->state.count;
    setpriority(PRIO_PROCESS, 0, getpriority(PRIO_PROCESS, 0) + NICENESS); /* this thread's, and those that it starts */
    exporter->memory = memory_budget() / BUDGET_SHARE;
    for (size_t at = 0; at < count && !atomic_load(&exporter->stop.asked); at = exporter->behind) {
        exporter->first = exporter->behind = at;
        while (exporter->behind < count && alike(&exporter->files[at], &exporter->files[exporter->behind]))
            exporter->behind++;
        run_and_note(exporter, NULL);
    }
    exporter->memory = memory_budget();
    for (size_t at = 0; at < count && !atomic_load(&exporter->stop.asked); at++)
        if (exporter->turns[at] == LATE)
            run_late(exporter, at);
    pthread_mutex_lock(&exporter->lock);
    exporter->state.ended = true;
    pthread_mutex_unlock(&exporter->lock);
    return NULL;
}

/* ---- its owner's ---- */

void export_files_free(ExportFile *files, size_t count) {
    for (size_t i = 0; files && i < count; i++) {
        free(files[i].input);
        free(files[i].output);
        free(files[i].chain);
        free(files[i].why);
    }
    free(files);
}

Status exporter_begin(const ExporterOptions *options, ExportFile *files, size_t count, Exporter **exporter) {
    Exporter *made = *exporter = calloc(1, sizeof *made);
    if (made) {
        *made = (Exporter){.options = *options, .files = files, .state = {.count = count}};
        made->turns = calloc(count + 1, sizeof *made->turns);
        pthread_mutex_init(&made->lock, NULL);
        if (made->turns && pthread_create(&made->thread, NULL, work, made) == 0)
            return STATUS_OK;
        pthread_mutex_destroy(&made->lock);
        free(made->turns);
    }
    export_files_free(files, count);
    free(made);
    *exporter = NULL;
    return fail(STATUS_DEVICE, "no memory, or no thread, for the export");
}

ExporterState exporter_state(Exporter *exporter) {
    pthread_mutex_lock(&exporter->lock);
    ExporterState state = exporter->state;
    const size_t finished = state.done + state.skipped + state.failed, passed = exporter->steps + finished;
    pthread_mutex_unlock(&exporter->lock);
    const double share = state.count > 0 ? (double)passed / (double)(STEPS * state.count) : 1;
    state.share = share < 1 ? share : 1;
    state.cancelled = atomic_load(&exporter->stop.asked);
    return state;
}

void exporter_cancel(Exporter *exporter) {
    atomic_store(&exporter->stop.asked, true);
}

void exporter_join(Exporter *exporter) {
    if (!exporter->joined)
        pthread_join(exporter->thread, NULL);
    exporter->joined = true;
}

void exporter_end(Exporter **exporter) {
    Exporter *old = *exporter;
    *exporter = NULL;
    if (!old)
        return;
    exporter_join(old);
    pthread_mutex_destroy(&old->lock);
    export_files_free(old->files, old->state.count);
    free(old->turns);
    free(old);
}
