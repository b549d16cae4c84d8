/* window.c: the window, from its opening to its end. */
#include "app/view/window/window.h"

#include "app/view/window/background.h"
#include "app/view/window/draw.h"
#include "app/view/window/filming.h"
#include "app/view/window/host.h"
#include "app/view/window/loop.h"
#include "app/view/window/monitor.h"
#include "app/view/window/warm.h"
#include "core/base/stop.h"
#include "core/image/icc.h"

#include <stdio.h>
#include <stdlib.h>

/* The window from its opening on. */
typedef struct Opened {
    Glut glut;
    Warm *warm; /* or NULL */
} Opened;

/* ---- opening ---- */

static Status open_parts(Opened *opened, const WindowStart *start) {
    Glut *glut = &opened->glut;
    Viewer *viewer = glut->viewer;
    System *system = glut->system;
    const double asked = viewer->ui->scale; /* in place of the scale that suits the window */
    Fonts *fonts = overlay_begin_fonts(asked > 0 ? asked : screen_text_scale(start->height, system->dpi));
    const Status status = system->kind->open(system, glut, start->width, start->height);
    if (status != STATUS_OK) {
        overlay_drop_fonts(fonts);
        return status;
    }
    TRY(screen_create(viewer, system->dpi, fonts, &glut->screen));
    colours_set_monitor(&glut->screen.colours, colour_space_retain(start->monitor));
    if (!start->monitor && icc_available())
        monitor_listen();
    TRY(worker_create(&glut->worker));
    TRY(background_begin(glut));
    opened->warm = warm_begin();
    return STATUS_OK;
}

/* ---- between opening and end ---- */

static Status open_inputs(Glut *glut, const WindowStart *start) {
    const FileList *pictures = &glut->viewer->pictures;
    Toast *toast = &glut->viewer->toast;
    if (pictures->count > 0)
        viewer_say(glut->viewer, false, "Opening %s", pictures->paths[0]);
    TRY(draw_frame(glut));
    if (!toast->error) /* as of the monitor's profile */
        toast->text[0] = '\0';
    TRY(background_request(glut, start->open, start->inputs));
    return glut->id ? draw_frame(glut) : STATUS_OK;
}

static Status live(Glut *glut, const WindowStart *start) {
    Viewer *viewer = glut->viewer;
    TRY(open_inputs(glut, start));
    if (start->record && glut->id) {
        glut->scripted = start->script != NULL;
        TRY(filming_begin(glut, start->record, (Area){0}, false));
    }
    if (start->script && glut->id)
        TRY(host_run(glut, start->script));
    if (!start->script && !viewer->toast.text[0] && !viewer->ui->welcome) /* that page says so itself */
        viewer_say(viewer, false, "Press h for all keys");
    loop_run(glut);
    return STATUS_OK;
}

/* ---- the end ---- */

/* Ends a recording with the window. */
static Status end_recording(Glut *glut, Status status) {
    char why[TOAST_MAX];
    if (!glut->recording)
        return status;
    snprintf(why, sizeof why, "%s", status_message());
    const Status ended = filming_end(glut, true);
    return status == STATUS_OK ? ended : fail(status, "%s", why);
}

void window_closes(Glut *glut) {
    if (glut->viewer->lent)
        atomic_store(&glut->viewer->session->stop->asked, true);
    worker_await(glut->worker);
    screen_destroy(&glut->screen);
    letters_destroy(&glut->events.letters);
    glut->id = 0;
    glut->viewer->requests->quit = true;
}

static void close_parts(Opened *opened) {
    Glut *glut = &opened->glut;
    glut->system->kind->close(glut->system);
    background_end(glut);
    worker_destroy(&glut->worker);
    warm_end(&opened->warm);
}

Status window_run(Viewer *viewer, System *system, const WindowStart *start) {
    Opened *opened = calloc(1, sizeof *opened);
    if (!opened)
        return fail(STATUS_DEVICE, "no memory for the window");
    Glut *glut = &opened->glut;
    glut->viewer = viewer;
    glut->system = system;
    glut->wakes = -1;
    glut->mouse.screen = &glut->screen;
    Status status = open_parts(opened, start);
    background_wake(glut);
    viewer->postpones = true;
    if (status == STATUS_OK)
        status = live(glut, start);
    status = end_recording(glut, status);
    close_parts(opened);
    viewer->postpones = false;
    free(opened);
    return status;
}
