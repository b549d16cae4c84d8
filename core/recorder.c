/* recorder.c: events as JSON. */
#include "core/recorder.h"

#include "core/output.h"
#include "core/text.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING "{\"glint\":\"profile\",\"displayTimeUnit\":\"ms\",\"traceEvents\":["

enum { TRACKS_MAX = 2 * TRACK_QUEUE };

struct Recorder {
    pthread_mutex_t lock;
    Output *output;
    FILE *stream; /* to it */
    bool named[TRACKS_MAX];
};

Status recorder_open(const char *path, bool overwrite, Recorder **recorder) {
    *recorder = NULL;
    Recorder *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a trace");
    pthread_mutex_init(&made->lock, NULL);
    const OutputRules rules = {.writer = "--profile", .opening = OPENING, .overwrite = overwrite};
    Status status = output_claim(path, rules, &made->output);
    if (status == STATUS_OK)
        status = output_stream(made->output, &made->stream);
    if (status != STATUS_OK) {
        (void)recorder_close(&made, false);
        return status;
    }
    fputs(OPENING, made->stream);
    fputs("\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"glint\"}}", made->stream);
    *recorder = made;
    return STATUS_OK;
}

static void put_string(FILE *stream, const char *string) {
    char valid[1024];
    text_escape(string, TEXT_UTF8, valid, sizeof valid);
    fputc('"', stream);
    for (const char *text = valid; *text; text++)
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
    if (!recorder || track < 0 || track >= TRACKS_MAX)
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

Status recorder_close(Recorder **recorder, bool keep) {
    Recorder *old = *recorder;
    Status status = STATUS_OK;
    *recorder = NULL;
    if (!old)
        return STATUS_OK;
    if (keep) {
        fputs("\n]}\n", old->stream);
        status = output_finish(old->output, NULL);
    }
    output_destroy(&old->output);
    pthread_mutex_destroy(&old->lock);
    free(old);
    return status;
}
