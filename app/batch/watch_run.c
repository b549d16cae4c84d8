/* watch_run.c: a run whose inputs come into folders while it lasts (--watch). */
#include "app/batch/batch.h"
#include "app/cluster/cluster.h"
#include "core/base/folder.h"

#include <stdlib.h>
#include <string.h>

static bool is_picture(const char *path) {
    return format_for_path(path) != NULL;
}

Status watch_run_open(Batch *batch) {
    const BatchOptions *options = batch->options;
    const FolderWatchRules rules = {.folders = options->arguments + 1,
                                    .count = (size_t)options->argument_count - 1,
                                    .recursive = options->rules.recursive,
                                    .wanted = is_picture};
    if (!options->rules.watch)
        return STATUS_OK;
    if (cluster_size() > 1)
        return fail(STATUS_USAGE, "--watch is one process's; several would take the same files");
    for (size_t i = 0; i < rules.count; i++)
        TRY(folder_is(rules.folders[i])
                ? file_plan_check_watched(rules.folders[i], &options->rules)
                : fail(STATUS_USAGE, "%s: is no folder; --watch takes folders", rules.folders[i]));
    TRY(folder_watch_open(&rules, &batch->watch));
    common_say(&options->common, "watching %s%s; Ctrl+C or SIGTERM ends it", rules.folders[0],
               rules.count > 1 ? " and others" : "");
    return STATUS_OK;
}

static Status take(const Batch *batch, Picture *picture, const WatchedFile *file) {
    picture->below = strdup(file->below);
    if (!picture->below)
        return fail(STATUS_DEVICE, "no memory for another file");
    TRY(file->trouble ? file_plan_add_unreadable(&picture->own, file->path, file->trouble)
                      : file_plan_add(&picture->own, file->path, file->below, &batch->options->rules));
    picture->file = &picture->own.files[0];
    return STATUS_OK;
}

bool watch_run_next(Batch *batch, Picture *picture) {
    WatchedFile file;
    Status status = folder_watch_next(batch->watch, &file);
    if (status == STATUS_OK && file.path)
        status = take(batch, picture, &file);
    if (status == STATUS_OK || status == STATUS_INTERRUPTED)
        return status == STATUS_OK && file.path;
    pthread_mutex_lock(&batch->report);
    batch->watch_status = status;
    snprintf(batch->watch_why, sizeof batch->watch_why, "%s", status_message());
    pthread_mutex_unlock(&batch->report);
    return false;
}

bool watch_run_was_whole(const Batch *batch, const Picture *picture) {
    return !batch->watch || !picture->opened || folder_watch_was_whole(picture->file->input, &picture->info);
}

void watch_run_done(const Batch *batch, Picture *picture) {
    if (batch->watch && picture->file)
        folder_watch_done(batch->watch, picture->file->input, picture->below, picture->again);
    file_plan_free(&picture->own);
    free(picture->below);
}
