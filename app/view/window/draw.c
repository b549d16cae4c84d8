/* draw.c: a draw of the window, which a recording may take. */
#include "app/view/window/draw.h"

#include "app/view/window/background.h"
#include "app/view/window/filming.h"
#include "app/view/window/swap.h"

#include <stdio.h>
#include <string.h>

static void set_title(Glut *glut) {
    char title[sizeof glut->title], path[SCENE_TEXT_MAX] = "", sign[32] = "";
    const Viewer *viewer = glut->viewer;
    const Subject *subject = viewer->session->subject;
    if (subject)
        (void)subject_file(subject, path, sizeof path);
    const char *slash = strrchr(path, '/');
    if (viewer->recording)
        snprintf(sign, sizeof sign, "REC %u:%02u - ", viewer->recorded / 60, viewer->recorded % 60);
    snprintf(title, sizeof title, "%s%.200s%sglint", sign, slash ? slash + 1 : path, path[0] ? " - " : "");
    if (strcmp(title, glut->title) == 0)
        return;
    memcpy(glut->title, title, sizeof title);
    glut->system->kind->set_title(glut->system, title);
}

static Status reduce_task(Viewer *viewer, void *screen) {
    (void)viewer;
    return screen_reduce(screen);
}

Status draw_frame(Glut *glut) {
    glut->system->kind->begin_draw(glut->system);
    recording_tell(glut->recording);
    set_title(glut);
    screen_begin(&glut->screen);
    if (screen_reduces(&glut->screen))
        TRY(background_request(glut, reduce_task, &glut->screen));
    if (!glut->id)
        return STATUS_OK;
    glut->system->kind->begin_draw(glut->system);
    const bool recorded = recording_due(glut->recording) && filming_keep(glut, recording_draws(glut->recording));
    TRY(screen_end(&glut->screen));
    if (recorded)
        filming_keep(glut, recording_drawn(glut->recording));
    screen_draw_sign(&glut->screen);
    swap_draw(glut, true);
    return STATUS_OK;
}
