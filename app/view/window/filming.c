/* filming.c: recordings of the window, from their beginning to their end or failure. */
#include "app/view/window/filming.h"

#include "app/view/window/background.h"

#include <stdio.h>

Status filming_begin(Glut *glut, const char *path, Area part, bool overwrite) {
    if (glut->recording)
        return fail(STATUS_USAGE, "a recording goes on already: stop-recording ends it");
    const bool by_draws = part.width > 0 || glut->scripted;
    TRY(recording_begin(&glut->screen, path, part, overwrite, by_draws, &glut->recording));
    glut->viewer->recording = true;
    return STATUS_OK;
}

typedef struct Ending {
    Recording *recording;
    unsigned pictures, left_out;
} Ending;

static Status end_task(Viewer *viewer, void *argument) {
    Ending *ending = argument;
    (void)viewer;
    return recording_end(&ending->recording, &ending->pictures, &ending->left_out);
}

Status filming_end(Glut *glut, bool waits) {
    Ending ending = {.recording = glut->recording};
    char words[64] = "", path[PATH_CAPACITY], rest[160];
    snprintf(path, sizeof path, "%s", recording_path(glut->recording));
    glut->viewer->recording = false;
    glut->recording = NULL;
    TRY(waits || !glut->id ? end_task(glut->viewer, &ending) : background_request(glut, end_task, &ending));
    const unsigned pictures = ending.pictures, left_out = ending.left_out;
    if (left_out > 0)
        snprintf(words, sizeof words, "; %u draws were left out, for encoding takes longer", left_out);
    snprintf(rest, sizeof rest, ": %u pictures, %.1f s%s", pictures, (double)pictures / glut->viewer->rate, words);
    viewer_say_file(glut->viewer, "Recorded", path, rest);
    return STATUS_OK;
}

bool filming_keep(Glut *glut, Status status) {
    char why[TOAST_MAX];
    if (status == STATUS_OK)
        return true;
    snprintf(why, sizeof why, "%s", status_message());
    if (filming_end(glut, true) == STATUS_OK)
        viewer_say(glut->viewer, true, "%s", why);
    else
        viewer_say(glut->viewer, true, "%s", status_message());
    return false;
}

void filming_follow(Glut *glut) {
    glut->screen.draw_due |= recording_ticks(glut->recording);
    if (!glut->id || glut->scripted || recording_state(glut->recording) == STATUS_OK)
        return;
    viewer_answer(glut->viewer, TOAST_REQUEST, filming_end(glut, false));
    screen_touch(&glut->screen);
}
