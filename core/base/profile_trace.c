/* profile_trace.c: events as JSON. */
#include "core/base/profile_trace.h"

#include <math.h>

#include "core/base/output.h"
#include "core/base/text.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING "{\"glint\":\"profile\",\"displayTimeUnit\":\"ms\",\"traceEvents\":["

enum { TRACKS_MAX = 2 * TRACK_QUEUE };

struct ProfileTrace {
    pthread_mutex_t lock;
    Output *output;
    FILE *stream; /* to it */
    bool named[TRACKS_MAX];
    char names[TRACK_QUEUE][24]; /* "" of the main thread */
};

Status profile_trace_open(const char *path, bool overwrite, ProfileTrace **profile_trace) {
    *profile_trace = NULL;
    ProfileTrace *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a trace");
    pthread_mutex_init(&made->lock, NULL);
    const OutputRules rules = {.writer = "--profile", .opening = OPENING, .overwrite = overwrite};
    Status status = output_claim(path, rules, &made->output);
    if (status == STATUS_OK)
        status = output_stream(made->output, &made->stream);
    if (status != STATUS_OK) {
        (void)profile_trace_close(&made, false);
        return status;
    }
    fputs(OPENING, made->stream);
    fputs("\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":1,\"tid\":0,\"args\":{\"name\":\"glint\"}}", made->stream);
    *profile_trace = made;
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

/* Under the lock. */
static void name_track(ProfileTrace *profile_trace, int track) {
    const bool queue = track >= TRACK_QUEUE;
    const char *own = profile_trace->names[track % TRACK_QUEUE];
    fprintf(profile_trace->stream,
            ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":1,\"tid\":%d,\"args\":{\"name\":\"%s%s%s\"}}", track,
            own[0] || queue ? own : "main", own[0] && queue ? ": " : "", queue ? "the device's queue" : "");
    profile_trace->named[track] = true;
}

void profile_trace_name(ProfileTrace *profile_trace, int track, const char *name) {
    if (!profile_trace || track < 0 || track >= TRACK_QUEUE)
        return;
    pthread_mutex_lock(&profile_trace->lock);
    snprintf(profile_trace->names[track], sizeof profile_trace->names[track], "%s", name);
    pthread_mutex_unlock(&profile_trace->lock);
}

void profile_trace_add(ProfileTrace *profile_trace, int track, const char *name, const char *detail, double start,
                       double ms) {
    if (!profile_trace || track < 0 || track >= TRACKS_MAX || isnan(ms))
        return;
    pthread_mutex_lock(&profile_trace->lock);
    if (!profile_trace->named[track])
        name_track(profile_trace, track);
    fputs(",\n{\"name\":", profile_trace->stream);
    put_string(profile_trace->stream, name);
    fprintf(profile_trace->stream, ",\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f", track, start * 1e3,
            ms * 1e3);
    if (detail) {
        fputs(",\"args\":{\"how\":", profile_trace->stream);
        put_string(profile_trace->stream, detail);
        fputc('}', profile_trace->stream);
    }
    fputc('}', profile_trace->stream);
    pthread_mutex_unlock(&profile_trace->lock);
}

Status profile_trace_close(ProfileTrace **profile_trace, bool keep) {
    ProfileTrace *old = *profile_trace;
    Status status = STATUS_OK;
    *profile_trace = NULL;
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
