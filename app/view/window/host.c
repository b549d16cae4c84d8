/* host.c: the window as scripts drive it. */
#include "app/view/window/host.h"

#include "app/view/actions/script.h"
#include "app/view/window/background.h"
#include "app/view/window/draw.h"
#include "app/view/window/hands.h"
#include "app/view/window/loop.h"
#include "app/view/window/serve.h"

#include <math.h>
#include <poll.h>

#define RESIZE_MS 3000.0 /* how long a window manager may take */

enum { STROKE_STEPS = 4 };

/* So that panels lie where a script expects them. */
static void await_fonts(Glut *glut) {
    const bool waits = overlay_makes_fonts(glut->screen.overlay);
    while (overlay_makes_fonts(glut->screen.overlay)) {
        background_rest(glut, 2);
        screen_build(&glut->screen);
    }
    if (!waits)
        return;
    screen_touch(&glut->screen);
    screen_take_input(&glut->screen); /* panels find their sizes */
    screen_build(&glut->screen);
}

static Status host_draw(void *self) {
    Glut *glut = self;
    hands_serve(glut);
    TRY(recording_state(glut->recording));
    if (glut->id)
        await_fonts(glut);
    return glut->id ? draw_frame(glut) : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status host_work(void *self, ViewerTask *task, void *argument) {
    Glut *glut = self;
    background_settle(glut);
    const Status status = background_request(glut, task, argument);
    return glut->id || status != STATUS_OK ? status : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status host_screenshot(void *self, const char *path) {
    Glut *glut = self;
    return serve_screenshot(glut, path, glut->viewer->overwrite);
}

static Status host_serve(void *self) {
    return serve_requests(self);
}

static Status host_resize(void *self, int width, int height) {
    Glut *glut = self;
    const Viewer *viewer = glut->viewer;
    const double start = clock_ms();
    glut->system->kind->resize(glut->system, width, height);
    while (glut->id && (viewer->width != width || viewer->height != height)) {
        if (clock_ms() - start > RESIZE_MS)
            return fail(STATUS_DEVICE, "size %dx%d: the window manager insists on %dx%d", width, height, viewer->width,
                        viewer->height);
        hands_serve(glut);
        poll(NULL, 0, 2);
    }
    return STATUS_OK;
}

static Status scripted_pass(Glut *glut, bool *goes_on) {
    if (!hands_serve(glut))
        return fail(STATUS_INTERRUPTED, "the window was closed");
    TRY(recording_state(glut->recording));
    *goes_on = loop_pass(glut);
    if (glut->id)
        await_fonts(glut);
    return glut->id ? STATUS_OK : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status drag_pass(Glut *glut) {
    bool goes_on;
    return scripted_pass(glut, &goes_on);
}

/* An event that a script makes up. */
static void happens_now(Glut *glut) {
    const double now = clock_ms();
    pacing_event(glut->viewer->pacing, (Heard){now, now});
}

static Status host_drag(void *self, const char *param, double from, double to, int steps) {
    Glut *glut = self;
    const Area slider = overlay_slider(glut->screen.overlay, param);
    const double y = slider.y + slider.height / 2;
    if (!(slider.width > 0))
        return fail(STATUS_USAGE, "drag %s: no slider of this name is shown", param);
    mouse_move(&glut->mouse, slider.x + from * slider.width, y);
    mouse_button(&glut->mouse, MOUSE_LEFT, true, false, false);
    Status status = drag_pass(glut);
    for (int i = 1; i <= steps && status == STATUS_OK; i++) {
        happens_now(glut);
        mouse_move(&glut->mouse, slider.x + (from + (to - from) * i / steps) * slider.width, y);
        status = drag_pass(glut);
    }
    mouse_button(&glut->mouse, MOUSE_LEFT, false, false, false);
    if (status == STATUS_OK)
        status = drag_pass(glut);
    mouse_leave(&glut->mouse);
    return status;
}

/* As if nobody touched it for so long. */
static Status host_rest(void *self, double ms) {
    Glut *glut = self;
    const double end = clock_ms() + ms;
    recording_go_by(glut->recording, false);
    while (clock_ms() < end) {
        bool goes_on, news;
        TRY(scripted_pass(glut, &goes_on));
        if (!goes_on)
            background_idle(glut, (int)fmin(NEWS_PAUSE, ms));
        (void)overlay_waits(glut->screen.overlay, &news);
        glut->screen.draw_due |= news;
    }
    recording_go_by(glut->recording, glut->scripted);
    return STATUS_OK;
}

static Status host_mouse(void *self, MouseWay way) {
    Glut *glut = self;
    const MouseButton button = way.right ? MOUSE_RIGHT : MOUSE_LEFT;
    const double across = way.x - way.from_x, down = way.y - way.from_y;
    const int steps = across != 0 || down != 0 ? STROKE_STEPS : 0;
    TRY(drag_pass(glut)); /* panels lie where the last build put them */
    happens_now(glut);
    mouse_move(&glut->mouse, way.from_x, way.from_y);
    if (way.presses)
        mouse_button(&glut->mouse, button, true, false, way.control);
    for (int i = 1; i <= steps; i++) {
        TRY(drag_pass(glut)); /* panels see the drag's beginning, and the places between */
        mouse_move(&glut->mouse, way.from_x + across * i / steps, way.from_y + down * i / steps);
    }
    if (steps > 0)
        TRY(drag_pass(glut));
    if (way.presses)
        mouse_button(&glut->mouse, button, false, false, way.control);
    return drag_pass(glut);
}

Status host_run(Glut *glut, const char *script) {
    const ScriptHost host = {glut,      host_draw, host_screenshot, host_resize, host_serve,
                             host_drag, host_work, host_mouse,      host_rest};
    TRY(host_draw(glut));
    glut->scripted = glut->screen.input.scripted = glut->viewer->scripted = true;
    const Status status = script_run(glut->viewer, &host, script);
    glut->scripted = glut->screen.input.scripted = glut->viewer->scripted = false;
    recording_go_by(glut->recording, false);
    return status;
}
