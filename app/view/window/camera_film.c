/* camera_film.c: picture by picture: the camera, its light, a draw. */
#include "app/view/window/camera_film.h"

#include "app/view/tools/kept_cameras.h"
#include "app/view/window/background.h"
#include "app/view/window/draw.h"
#include "app/view/window/filming.h"

#include <math.h>
#include <strings.h>

typedef struct Step {
    double share;
} Step;

static Status step_task(Viewer *viewer, void *argument) {
    const Step *step = argument;
    Request next = viewer_request(viewer);
    next.orbit_camera = cameras_along(viewer, step->share);
    TRY(viewer_ask(viewer, next, FALLBACK_BEST));
    return session_gather_enough(viewer_session(viewer));
}

static Status undo_task(Viewer *viewer, void *unused) {
    (void)unused;
    return viewer_undo(viewer);
}

/* Whether a person wants it to end. Other keys and moves do nothing meanwhile. */
static bool is_stopped(Glut *glut, size_t asked) {
    bool stopped = glut->viewer->ui->asked_count > asked || glut->viewer->requests->quit;
    for (Event event; glut->id && events_take(&glut->events, &event);) {
        if (event.kind == EVENT_SIZE)
            viewer_resize(glut->viewer, event.x, event.y);
        else if (event.kind == EVENT_BUTTON && !event.pressed)
            event_move_mouse(&event, &glut->mouse);
        else
            stopped |= event.kind == EVENT_KEY && event.pressed && strcasecmp(event.key, "Esc") == 0;
    }
    return stopped;
}

/* A hand that moves the mouse interrupts work: then it goes on. */
static Status make_picture(Glut *glut, Step step, size_t asked, bool *stopped) {
    Status status;
    do {
        status = background_request(glut, step_task, &step);
        background_rest(glut, 0);
        background_take_events(glut);
        *stopped |= is_stopped(glut, asked);
    } while (status == STATUS_INTERRUPTED && !*stopped && glut->id);
    if (!glut->id)
        return fail(STATUS_INTERRUPTED, "the window was closed");
    if (*stopped)
        return STATUS_OK;
    TRY(status);
    return draw_frame(glut);
}

static Status go_along(Glut *glut, size_t pictures) {
    const size_t asked = glut->viewer->ui->asked_count;
    bool stopped = false;
    Status status = STATUS_OK;
    for (size_t i = 0; i < pictures && status == STATUS_OK && !stopped && glut->recording; i++)
        status = make_picture(glut, (Step){(double)i / (double)(pictures - 1)}, asked, &stopped);
    return status;
}

Status camera_film(Glut *glut, const char *path, double seconds, bool overwrite) {
    Viewer *viewer = glut->viewer;
    const OverlayMode overlay = viewer->overlay;
    const size_t pictures = (size_t)fmax(round(seconds * viewer->rate), 2);
    TRY(cameras_check_path(viewer));
    background_settle(glut);
    const Area all = {0, 0, viewer->width, viewer->height};
    TRY(filming_begin(glut, path, all, overwrite));
    const size_t before = viewer->edits.at;
    viewer->overlay = OVERLAY_OFF;
    viewer->bare = true;
    viewer->toast.text[0] = '\0';
    for (int i = 0; i < SETTLING_BUILDS; i++)
        screen_build(&glut->screen);
    viewer->movement++;
    viewer->held = true; /* all steps are one edit, which is undone */
    const Status status = go_along(glut, pictures);
    viewer->held = false;
    if (glut->id && viewer->edits.at > before)
        viewer_answer(viewer, TOAST_REQUEST, background_request(glut, undo_task, NULL));
    viewer->overlay = overlay;
    viewer->bare = false;
    screen_touch(&glut->screen);
    const Status ended = glut->recording ? filming_end(glut, false) : STATUS_OK;
    return status == STATUS_OK ? ended : status;
}
