/* recorder.c: events as JSON, kept in memory until the file is written. */
#include "core/recorder.h"

#include "core/file.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a trace begins with; nothing else is replaced by one. */
#define OPENING "{\"displayTimeUnit\":\"ms\",\"traceEvents\":["

enum { TRACKS_MOST = 2 * TRACK_QUEUE };

struct Recorder {
    pthread_mutex_t lock;
    char *path, *text;
    size_t size;
    FILE *stream; /* to `text` */
    bool named[TRACKS_MOST];
};

/* Whether `path` is free, or holds an earlier trace or nothing; said before hours of work, and asked again after. */
static Status check_target(const char *path) {
    char start[sizeof OPENING] = "";
    TRY(file_check_writable(path));
    FILE *file = fopen(path, "r");
    if (!file)
        return errno == ENOENT ? STATUS_OK : fail(STATUS_DEVICE, "--trace %s: cannot be read, nor replaced: %m", path);
    const size_t length = fread(start, 1, sizeof OPENING - 1, file);
    fclose(file);
    return length == 0 || strcmp(start, OPENING) == 0
               ? STATUS_OK
               : fail(STATUS_USAGE, "--trace %s: holds something else than a trace and will not be replaced", path);
}

Status recorder_open(const char *path, Recorder **recorder) {
    *recorder = NULL;
    TRY(check_target(path));
    Recorder *made = calloc(1, sizeof *made);
    if (made) {
        pthread_mutex_init(&made->lock, NULL);
        made->path = strdup(path);
        made->stream = open_memstream(&made->text, &made->size);
    }
    if (!made || !made->path || !made->stream) {
        if (made && made->stream)
            fclose(made->stream);
        free(made ? made->text : NULL);
        free(made ? made->path : NULL);
        free(made);
        return fail(STATUS_DEVICE, "no memory for a trace");
    }
    fputs(OPENING, made->stream);
    fputs("\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"glint\"}}", made->stream);
    *recorder = made;
    return STATUS_OK;
}

static void put_string(FILE *stream, const char *text) {
    fputc('"', stream);
    for (; *text; text++)
        if (*text == '"' || *text == '\\')
            fprintf(stream, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            fprintf(stream, "\\u%04x", (unsigned)*text);
        else
            fputc(*text, stream);
    fputc('"', stream);
}

static void name_track(Recorder *recorder, int track) {
    const bool queue = track >= TRACK_QUEUE;
    const int worker = track % TRACK_QUEUE;
    char name[64];
    if (worker == TRACK_MAIN)
        snprintf(name, sizeof name, "%s", queue ? "the device's queue" : "main");
    else
        snprintf(name, sizeof name, "worker %d%s", worker, queue ? ": the device's queue" : "");
    fprintf(recorder->stream,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"args\":{\"name\":\"%s\"}}", track, name);
    recorder->named[track] = true;
}

void recorder_add(Recorder *recorder, int track, const char *name, const char *detail, double start, double ms) {
    if (!recorder || track < 0 || track >= TRACKS_MOST)
        return;
    pthread_mutex_lock(&recorder->lock);
    if (!recorder->named[track])
        name_track(recorder, track);
    fputs(",\n{\"name\":", recorder->stream);
    put_string(recorder->stream, name);
    fprintf(recorder->stream, ",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f", track, start * 1e3,
            ms * 1e3);
    if (detail) {
        fputs(",\"args\":{\"how\":", recorder->stream);
        put_string(recorder->stream, detail);
        fputc('}', recorder->stream);
    }
    fputc('}', recorder->stream);
    pthread_mutex_unlock(&recorder->lock);
}

Status recorder_close(Recorder **recorder) {
    Recorder *old = *recorder;
    *recorder = NULL;
    if (!old)
        return STATUS_OK;
    fputs("\n]}\n", old->stream);
    const bool failed = ferror(old->stream) != 0;
    const bool close_failed = fclose(old->stream) != 0;
    Status status = failed || close_failed ? fail(STATUS_DEVICE, "no memory for a trace") : check_target(old->path);
    if (status == STATUS_OK)
        status = file_write_atomic(old->path, (Bytes){(unsigned char *)old->text, old->size}, true);
    pthread_mutex_destroy(&old->lock);
    free(old->text);
    free(old->path);
    free(old);
    return status;
}
