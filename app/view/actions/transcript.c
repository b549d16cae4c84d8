/* transcript.c: the states that the file leads to, and their differences from the viewer's. */
#include "app/view/actions/transcript.h"

#include "app/view/actions/dispatch.h"
#include "app/view/actions/states.h"
#include "app/view/tools/every_tool.h"
#include "core/base/output.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define OPENING "# a session of glint"

enum { STATES_MAX = 32, FRAMES_MAX = 100000 /* as script.c's */ };

struct Transcript {
    Output *output;
    FILE *stream;
    char *known[STATES_MAX]; /* the states that the lines lead to; NULL: not looked at yet */
    size_t pictures, current;
    unsigned shown; /* results that the lines lead to */
    bool held;      /* and whether a button is down */
    bool was_menu, was_best;
};

/* ---- lines ---- */

/* Before a line stand the frames since the one before, and the button that went down. */
static FILE *begin_line(Viewer *viewer) {
    Transcript *transcript = viewer->transcript;
    const unsigned frames = viewer->shown - transcript->shown;
    if (frames > 0)
        fprintf(transcript->stream, "frames %u\n", frames < FRAMES_MAX ? frames : FRAMES_MAX);
    transcript->shown = viewer->shown;
    if (viewer->held && !transcript->held)
        fputs("press-button\n", transcript->stream);
    transcript->held |= viewer->held;
    return transcript->stream;
}

/* The state as text (free with free), or NULL: there is none now, or no memory. */
static char *state_text(const Viewer *viewer, const State *state) {
    const size_t length = state->format(viewer, NULL, 0);
    char *text = length == STATE_NONE ? NULL : malloc(length + 1);
    if (text)
        state->format(viewer, text, length + 1);
    return text;
}

/* Takes the state as known, and writes it if it was another one. */
static void look_at(Viewer *viewer, size_t index, bool writes) {
    char **known = &viewer->transcript->known[index];
    char *now = state_text(viewer, &states[index]);
    if (!now)
        return;
    if (writes && *known && strcmp(*known, now) != 0)
        fprintf(begin_line(viewer), "%s%s%s\n", states[index].name, now[0] ? " " : "", now);
    free(*known);
    *known = now;
}

static void write_url(FILE *stream, const char *path) {
    char *whole = realpath(path, NULL);
    fputs(" file://", stream);
    for (const char *at = whole ? whole : path; *at; at++)
        fprintf(stream, isalnum((unsigned char)*at) || strchr("/._-~", *at) ? "%c" : "%%%02X", (unsigned char)*at);
    free(whole);
}

/* One file as it was named; several at once as if they were dragged here. */
static void look_at_pictures(Viewer *viewer, bool writes) {
    Transcript *transcript = viewer->transcript;
    const FileList *pictures = &viewer->pictures;
    const size_t more = pictures->count > transcript->pictures ? pictures->count - transcript->pictures : 0;
    if (!viewer_picture(viewer))
        return;
    size_t shown = more > 0 ? transcript->pictures : transcript->current;
    if (writes && more == 1) {
        fprintf(begin_line(viewer), "open %s\n", pictures->paths[shown]);
    } else if (writes && more > 1) {
        fputs("drop", begin_line(viewer));
        for (size_t i = transcript->pictures; i < pictures->count; i++)
            write_url(transcript->stream, pictures->paths[i]);
        fputc('\n', transcript->stream);
    }
    if (writes && pictures->current != shown)
        fprintf(begin_line(viewer), "picture %zu\n", pictures->current + 1);
    transcript->pictures = pictures->count;
    transcript->current = pictures->current;
}

static void look(Viewer *viewer, bool writes) {
    Transcript *transcript = viewer->transcript;
    if (transcript->held && !viewer->held) {
        transcript->held = false;
        fputs("release-button\n", begin_line(viewer));
    }
    look_at_pictures(viewer, writes);
    for (size_t i = 0; i < state_count; i++)
        look_at(viewer, i, writes);
}

void transcript_look(Viewer *viewer) {
    if (viewer->transcript)
        look(viewer, true);
}

/* ---- actions ---- */

static void before(Viewer *viewer) {
    transcript_look(viewer);
    viewer->transcript->was_menu = viewer->menu;
    viewer->transcript->was_best = strcmp(viewer->request->level, "best") == 0;
}

/* Writes the action's line, and takes its effects as written. "by-hand" marks actions that give way to the best level
 * where a script would fail. */
static void after(Viewer *viewer, const Action *action, const Call *call) {
    const Transcript *transcript = viewer->transcript;
    const bool closed_menu = (action->flags & ACTION_CLOSES) && transcript->was_menu;
    const char *hand = call->strict || transcript->was_best || !action->argument ? "" : "by-hand ";
    const char *keys = action_keys(viewer, action);
    if (!(action->flags & ACTION_UNWRITTEN) && !closed_menu) {
        if ((action->flags & ACTION_HELD) && !call->pressed)
            fprintf(begin_line(viewer), "release %.*s\n", (int)strcspn(keys, " "), keys);
        else if (call->text && call->text[0])
            fprintf(begin_line(viewer), "%s%s %s\n", hand, action->name, call->text);
        else
            fprintf(begin_line(viewer), "%s%s\n", hand, action->name);
    }
    look(viewer, false);
}

/* ---- birth and death ---- */

void transcript_drop(Viewer *viewer) {
    if (!viewer->transcript)
        return;
    for (size_t i = 0; i < STATES_MAX; i++)
        free(viewer->transcript->known[i]);
    output_destroy(&viewer->transcript->output);
    free(viewer->transcript);
    viewer->transcript = NULL;
    viewer->observer = NULL;
}

Status transcript_begin(Viewer *viewer, const char *path) {
    Transcript *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the session's script");
    const OutputRules rules = {
        .writer = "the session", .opening = OPENING, .overwrite = viewer->overwrite, .by_hand = !viewer->scripted};
    Status status = output_claim(path, rules, &made->output);
    if (status == STATUS_OK)
        status = output_begin(made->output); /* it fails now rather than in the end */
    if (status == STATUS_OK)
        status = output_stream(made->output, &made->stream);
    static const ActionObserver observer = {before, after};
    viewer->transcript = made;
    viewer->observer = &observer;
    if (status != STATUS_OK) {
        transcript_drop(viewer);
        return status;
    }
    for (size_t i = 0; i < state_count; i++)
        made->known[i] = states[i].initial ? strdup(states[i].initial) : NULL;
    made->shown = viewer->shown;
    brush_keep_strokes(viewer);
    fputs(OPENING ": `glint view --script FILE` replays it\n", made->stream);
    transcript_look(viewer);
    return STATUS_OK;
}

Status transcript_end(Viewer *viewer) {
    Transcript *transcript = viewer->transcript;
    if (!transcript)
        return STATUS_OK;
    transcript_look(viewer);
    if (viewer->shown != transcript->shown)
        fputs("# the end\n", begin_line(viewer));
    const Status status = output_finish(transcript->output, NULL);
    transcript_drop(viewer);
    return status;
}
