/* window.c: freeglut, the draw, and the loop. */
#include "app/view/window.h"

#include "app/say.h"
#include "app/view/actions.h"
#include "app/view/clipboard.h"
#include "app/view/display.h"
#include "app/view/overlay.h"
#include "app/view/script.h"
#include "app/view/shell.h"
#include "core/output.h"
#include "render/canvas.h"
#include "render/capture.h"

#include <epoxy/gl.h>

#include <GL/freeglut.h>
#include <math.h>
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WHEEL_STEP   1.2
#define DOLLY_STEP   1.005  /* a pixel of dragging */
#define USUAL_HEIGHT 1080.0 /* pixels: a window of this height has texts at scale 1 */
#define USUAL_DPI    96.0
#define SCALE_LEAST  (15.0 / TEXT_PIXELS)
#define SCALE_MOST   4.0
#define CHECKER      8.0    /* pixels a square at scale 1 */
#define RESIZE_MS    3000.0 /* how long a window manager may take */
#define LONG_RUN_MS  700.0
#define DRAW_PAUSE   30.0 /* ms between draws while measurements go on */

enum { BUTTONS = 3, SETTLING_DRAWS = 3 /* panels find their size in the draws after a change */ };

typedef enum Drag { DRAG_NONE, DRAG_PAN, DRAG_SPLIT, DRAG_ORBIT, DRAG_DOLLY } Drag;

typedef struct Glut {
    Viewer *viewer;
    int id; /* of freeglut's window; 0: none */
    Canvas *canvas;
    Overlay *overlay;
    Clipboard *clipboard;
    OverlayInput input;
    Drag drag;
    double drag_x, drag_y;
    unsigned picture_serial, result_serial; /* what the textures hold */
    int draws_due;
    double drawn_at, dpi;
    jmp_buf refused; /* where freeglut's fatal errors lead instead of exit() */
    char refusal[256], title[256];
} Glut;

/* ---- drawing ---- */

/* In whole pixels of the text, so that fonts are not made anew at every step of a resize. */
static double text_scale(const Glut *glut) {
    const double height = glut->viewer->height / USUAL_HEIGHT, dpi = glut->dpi / USUAL_DPI;
    const double scale = fmin(fmax(fmax(height, dpi), SCALE_LEAST), SCALE_MOST);
    return round(scale * TEXT_PIXELS) / TEXT_PIXELS;
}

/* Through the host. The download is in the result's cost, but was done with the run. */
static Status upload_result(Glut *glut, double *cost) {
    Viewer *viewer = glut->viewer;
    TRY(viewer_fetch(viewer));
    viewer_release(viewer); /* its texture may be made anew */
    const double start = clock_ms();
    TRY(canvas_upload(glut->canvas, CANVAS_RESULT, viewer->result->view));
    glFinish();
    const SpanHistory *download = viewer_span(viewer, "download");
    viewer_record(viewer, "present", clock_ms() - start);
    *cost = clock_ms() - start + (download ? history_latest(&download->history) : 0);
    return STATUS_OK;
}

static Status send_result(Glut *glut, const Route *route, double *cost) {
    Viewer *viewer = glut->viewer;
    const Shape shape = pipeline_result_shape(viewer->pipeline);
    unsigned texture, object;
    if (!shape_equal(viewer->present.port_shape, shape))
        viewer_release(viewer);
    TRY(canvas_reserve(glut->canvas, CANVAS_RESULT, shape, &texture));
    object = texture;
    if (route->target == ROUTE_BUFFER)
        TRY(canvas_reserve_buffer(glut->canvas, shape, &object));
    const double start = clock_ms();
    TRY(viewer_send(viewer, object));
    const double sent = clock_ms();
    if (route->target == ROUTE_BUFFER)
        TRY(canvas_update(glut->canvas, CANVAS_RESULT));
    glFinish();
    if (route->target == ROUTE_BUFFER)
        viewer_record(viewer, "update", clock_ms() - sent);
    *cost = clock_ms() - start;
    return STATUS_OK;
}

/* By the best route that is left: each that fails is refused, down to the copy through the host. */
static Status present_result(Glut *glut) {
    Viewer *viewer = glut->viewer;
    const Backend *backend = viewer->device->backend;
    const Route *route;
    double cost = 0;
    while ((route = present_route(&viewer->present, backend)) != &route_copy) {
        if (send_result(glut, route, &cost) == STATUS_OK)
            break;
        if (present_route(&viewer->present, backend) == route) /* what failed is not the route */
            return fail_within(STATUS_DEVICE, "route %s: ", route->name);
        viewer_say(viewer, true, "route %s is not to be had here: %s", route->name, status_message());
    }
    if (route == &route_copy)
        TRY(upload_result(glut, &cost));
    present_took(&viewer->present, backend, cost);
    return STATUS_OK;
}

/* A result that the pipeline no longer holds, since there is a new one, stays on the screen until that has run. */
static Status fill_result(Glut *glut) {
    const Viewer *viewer = glut->viewer;
    if (!viewer->has_result) {
        viewer_release(glut->viewer);
        canvas_clear(glut->canvas, CANVAS_RESULT);
        glut->result_serial = 0;
    } else if (viewer->on_device && viewer->result_serial != glut->result_serial) {
        TRY(present_result(glut));
        glut->result_serial = viewer->result_serial;
    }
    return STATUS_OK;
}

static Status fill_source(Glut *glut) {
    const Viewer *viewer = glut->viewer;
    const Image *source = viewer->in_scene ? NULL : viewer->picture;
    if (!source)
        canvas_clear(glut->canvas, CANVAS_SOURCE);
    else if (viewer->picture_serial != glut->picture_serial)
        TRY(canvas_upload(glut->canvas, CANVAS_SOURCE, source->view));
    glut->picture_serial = source ? viewer->picture_serial : 0;
    return STATUS_OK;
}

static Status fill_textures(Glut *glut) {
    TRY(fill_result(glut));
    return fill_source(glut);
}

static CanvasLook current_look(const Glut *glut) {
    const Viewer *viewer = glut->viewer;
    const Placement placement = viewer_placement(viewer);
    const bool split = viewer->compare == COMPARE_SPLIT && !viewer->in_scene;
    CanvasShow show = viewer->compare == COMPARE_DIFFERENCE ? CANVAS_SHOW_DIFFERENCE : CANVAS_SHOW_RESULT;
    show = viewer->unfiltered ? CANVAS_SHOW_SOURCE : show;
    return (CanvasLook){.width = viewer->width,
                        .height = viewer->height,
                        .x = placement.x,
                        .y = placement.y,
                        .scale = placement.scale,
                        .split = split ? round(viewer->split * viewer->width) : -1,
                        .show = show,
                        .exposure = viewer_gathers(viewer) ? 0 : viewer->exposure, /* else it is in the result */
                        .checker = round(CHECKER * viewer->scale)};
}

/* Draws on the bound framebuffer. */
static Status draw(Glut *glut) {
    Viewer *viewer = glut->viewer;
    const double now = clock_ms();
    glut->input.seconds = (now - glut->drawn_at) / 1e3;
    glut->drawn_at = now;
    viewer->scale = text_scale(glut);
    overlay_build(glut->overlay, viewer, &glut->input);
    glut->input.wheel = 0;
    memset(glut->input.clicked, 0, sizeof glut->input.clicked);
    TRY(fill_textures(glut));
    const double start = clock_ms();
    TRY(canvas_draw(glut->canvas, current_look(glut)));
    glFinish(); /* timer queries would not hold the program up, but software renderers answer them wrongly */
    if (viewer->totals.count > 0)
        viewer_record(viewer, "draw", clock_ms() - start);
    overlay_draw(glut->overlay);
    return STATUS_OK;
}

static void set_title(Glut *glut) {
    char title[sizeof glut->title];
    const char *path = viewer_title(glut->viewer), *slash = strrchr(path, '/');
    snprintf(title, sizeof title, "%s%sglint", slash ? slash + 1 : path, path[0] ? " - " : "");
    if (strcmp(title, glut->title) == 0)
        return;
    memcpy(glut->title, title, sizeof title);
    glutSetWindowTitle(title);
}

static Status show(Glut *glut) {
    glutSetWindow(glut->id);
    set_title(glut);
    TRY(draw(glut));
    glutSwapBuffers();
    glut->draws_due -= glut->draws_due > 0;
    return STATUS_OK;
}

/* Drawn several times, since panels find their size in the second draw and free the area for the picture in it. */
static Status capture(Glut *glut, const char *path, bool overwrite) {
    Capture taken;
    Image *image = NULL;
    glutSetWindow(glut->id);
    TRY(capture_begin(&taken, glut->viewer->width, glut->viewer->height));
    Status status = STATUS_OK;
    for (int i = 0; i < SETTLING_DRAWS && status == STATUS_OK; i++) {
        status = draw(glut);
        if (status == STATUS_OK)
            status = viewer_finish(glut->viewer);
    }
    if (status == STATUS_OK)
        status = capture_read(&taken, &image);
    capture_end(&taken);
    if (status == STATUS_OK)
        status = output_save_picture(path, (OutputRules){.writer = "screenshot", .overwrite = overwrite}, image,
                                     (SaveOptions){0});
    image_destroy(&image);
    return status;
}

/* ---- wishes ---- */

static Status copy_command_line(Glut *glut) {
    char line[2 * PATH_MOST];
    shell_command_line(glut->viewer, line, sizeof line);
    say(stdout, "%s", line);
    fflush(stdout);
    TRY(clipboard_offer(glut->clipboard, line));
    viewer_say(glut->viewer, false, "copied: %s", line);
    return STATUS_OK;
}

static Status serve(Glut *glut) {
    Wishes wishes = glut->viewer->wishes;
    glut->viewer->wishes = (Wishes){.quit = wishes.quit};
    if (wishes.toggle_fullscreen)
        glutFullScreenToggle();
    if (wishes.copy_command)
        TRY(copy_command_line(glut));
    if (wishes.screenshot[0]) {
        TRY(capture(glut, wishes.screenshot, false));
        viewer_say(glut->viewer, false, "the window is in %s", wishes.screenshot);
    }
    return STATUS_OK;
}

static void press(Glut *glut, const char *key, bool pressed) {
    const Action *action = action_for_key(glut->viewer, key);
    glut->draws_due = SETTLING_DRAWS;
    if (!action)
        return; /* modifiers and keys that mean nothing here */
    Status status = action_press(glut->viewer, key, pressed);
    if (status == STATUS_OK)
        status = serve(glut);
    viewer_answer(glut->viewer, TOAST_REQUEST, status);
}

/* ---- freeglut's events ---- */

static const struct {
    int code;
    const char *key;
} special_keys[] = {
    {GLUT_KEY_F1, "F1"},     {GLUT_KEY_F5, "F5"},          {GLUT_KEY_F11, "F11"},
    {GLUT_KEY_LEFT, "Left"}, {GLUT_KEY_RIGHT, "Right"},    {GLUT_KEY_UP, "Up"},
    {GLUT_KEY_DOWN, "Down"}, {GLUT_KEY_PAGE_UP, "PageUp"}, {GLUT_KEY_PAGE_DOWN, "PageDown"},
    {GLUT_KEY_HOME, "Home"}, {GLUT_KEY_END, "End"},
};
static const struct {
    unsigned char code;
    const char *key;
} named_keys[] = {{' ', "Space"}, {27, "Esc"}, {'\t', "Tab"}, {'\r', "Return"}};

static void type(Glut *glut, unsigned char code) {
    glut->draws_due = SETTLING_DRAWS;
    viewer_answer(glut->viewer, TOAST_REQUEST, viewer_type(glut->viewer, (char)code));
}

static void on_character(Glut *glut, unsigned char code, bool pressed) {
    if (glut->viewer->typing) {
        if (pressed)
            type(glut, code);
        return;
    }
    for (size_t i = 0; i < sizeof named_keys / sizeof named_keys[0]; i++)
        if (named_keys[i].code == code) {
            press(glut, named_keys[i].key, pressed);
            return;
        }
    if (code > ' ' && code < 127)
        press(glut, (const char[]){(char)code, '\0'}, pressed);
}

static void on_key(unsigned char code, int x, int y, void *glut) {
    (void)x, (void)y;
    on_character(glut, code, true);
}

static void on_key_up(unsigned char code, int x, int y, void *glut) {
    (void)x, (void)y;
    on_character(glut, code, false);
}

static void on_special(int code, int x, int y, void *glut) {
    (void)x, (void)y;
    for (size_t i = 0; i < sizeof special_keys / sizeof special_keys[0]; i++)
        if (special_keys[i].code == code)
            press(glut, special_keys[i].key, true);
}

static void point_at(Glut *glut, int x, int y) {
    glut->input.x = glut->viewer->pointer_x = x;
    glut->input.y = glut->viewer->pointer_y = y;
    glut->draws_due = SETTLING_DRAWS;
}

static void on_motion(int x, int y, void *user) {
    Glut *glut = user;
    Viewer *viewer = glut->viewer;
    if (glut->drag == DRAG_PAN)
        viewer_pan(viewer, x - glut->drag_x, y - glut->drag_y);
    else if (glut->drag == DRAG_ORBIT)
        viewer_orbit(viewer, x - glut->drag_x, y - glut->drag_y);
    else if (glut->drag == DRAG_DOLLY)
        viewer_zoom(viewer, pow(DOLLY_STEP, glut->drag_y - y), viewer->width / 2.0, viewer->height / 2.0);
    else if (glut->drag == DRAG_SPLIT)
        viewer->split = fmin(fmax((double)x / viewer->width, 0), 1);
    glut->drag_x = x;
    glut->drag_y = y;
    point_at(glut, x, y);
}

static bool on_split_handle(const Glut *glut, int x) {
    const Viewer *viewer = glut->viewer;
    return viewer->compare == COMPARE_SPLIT && !viewer->in_scene &&
           fabs(x - viewer->split * viewer->width) < 14 * viewer->scale;
}

/* Pictures are panned. Scenes: left orbits, middle or shift pans, right or ctrl goes nearer and farther. */
static Drag scene_drag(const Glut *glut, int button) {
    const int held = glutGetModifiers();
    if (!glut->viewer->in_scene || button == GLUT_MIDDLE_BUTTON || held & GLUT_ACTIVE_SHIFT)
        return DRAG_PAN;
    return button == GLUT_RIGHT_BUTTON || held & GLUT_ACTIVE_CTRL ? DRAG_DOLLY : DRAG_ORBIT;
}

static void on_button(int button, int state, int x, int y, void *user) {
    static const int places[BUTTONS] = {[GLUT_LEFT_BUTTON] = 0, [GLUT_MIDDLE_BUTTON] = 2, [GLUT_RIGHT_BUTTON] = 1};
    Glut *glut = user;
    point_at(glut, x, y);
    if (button < 0 || button >= BUTTONS)
        return;
    glut->input.buttons[places[button]] = state == GLUT_DOWN;
    glut->input.clicked[places[button]] |= state == GLUT_DOWN;
    if (state != GLUT_DOWN)
        glut->drag = DRAG_NONE;
    else if (!overlay_takes(glut->overlay, x, y))
        glut->drag = on_split_handle(glut, x) ? DRAG_SPLIT : scene_drag(glut, button);
    glut->drag_x = x;
    glut->drag_y = y;
}

static void on_wheel(int wheel, int direction, int x, int y, void *user) {
    Glut *glut = user;
    (void)wheel;
    point_at(glut, x, y);
    if (overlay_takes(glut->overlay, x, y))
        glut->input.wheel += direction;
    else
        viewer_zoom(glut->viewer, direction > 0 ? WHEEL_STEP : 1 / WHEEL_STEP, x, y);
}

static void on_entry(int state, void *user) {
    Glut *glut = user;
    if (state == GLUT_LEFT)
        point_at(glut, -1, -1);
}

static void on_reshape(int width, int height, void *user) {
    Glut *glut = user;
    viewer_resize(glut->viewer, width > 0 ? width : 1, height > 0 ? height : 1);
    glut->draws_due = SETTLING_DRAWS;
}

static void on_display(void *user) {
    Glut *glut = user;
    glut->draws_due = SETTLING_DRAWS;
}

/* The window goes, however it came to that; its context is still current. */
static void on_close(void *user) {
    Glut *glut = user;
    viewer_release(glut->viewer);
    overlay_destroy(&glut->overlay);
    canvas_destroy(&glut->canvas);
    glut->id = 0;
    glut->viewer->wishes.quit = true;
}

static void on_refusal(const char *format, va_list arguments, void *user) {
    Glut *glut = user;
    vsnprintf(glut->refusal, sizeof glut->refusal, format, arguments);
    longjmp(glut->refused, 1);
}

/* ---- the loop ---- */

/* Sleeps until there are events, somebody wants to paste, or a toast ends. */
static void wait_for_events(Glut *glut) {
    Toast *toast = &glut->viewer->toast;
    const double left = toast->until - clock_ms(), waits = viewer_waits_ms(glut->viewer);
    if (toast->text[0] && left <= 0) {
        toast->text[0] = '\0';
        glut->draws_due = 1;
    } else {
        const double most = toast->text[0] && (waits < 0 || left < waits) ? left : waits;
        display_wait(clipboard_descriptor(glut->clipboard), most < 0 ? -1 : (int)most + 1);
    }
}

/* A run cannot be interrupted: if it is known to be long, say so before the window stands still. */
static void announce(Glut *glut) {
    const double ms = viewer_expected_ms(glut->viewer);
    if (!glut->viewer->stale || ms < LONG_RUN_MS)
        return;
    viewer_say(glut->viewer, false, "running %s: about %.1f s", viewer_level(glut->viewer)->name, ms / 1e3);
    if (show(glut) == STATUS_OK)
        glut->viewer->toast.until = 0;
}

static void loop(Glut *glut) {
    Viewer *viewer = glut->viewer;
    while (!viewer->wishes.quit) {
        glutMainLoopEvent();
        clipboard_serve(glut->clipboard);
        if (!glut->id || viewer->wishes.quit)
            break;
        announce(glut);
        const bool worked = viewer_work(viewer);
        if (worked)
            glut->draws_due = SETTLING_DRAWS;
        const bool in_time = !worked || viewer_moves(viewer) || clock_ms() - glut->drawn_at > DRAW_PAUSE;
        if (glut->draws_due > 0 && in_time) {
            if (show(glut) != STATUS_OK)
                viewer_say(viewer, true, "%s", status_message());
        } else if (!worked) {
            wait_for_events(glut);
        }
    }
}

/* ---- scripts ---- */

static Status host_draw(void *self) {
    Glut *glut = self;
    glutMainLoopEvent();
    return glut->id ? show(glut) : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status host_screenshot(void *self, const char *path) {
    Glut *glut = self;
    return capture(glut, path, glut->viewer->overwrite);
}

static Status host_serve(void *self) {
    return serve(self);
}

static Status host_resize(void *self, int width, int height) {
    Glut *glut = self;
    const Viewer *viewer = glut->viewer;
    const double start = clock_ms();
    glutReshapeWindow(width, height);
    while (glut->id && (viewer->width != width || viewer->height != height)) {
        if (clock_ms() - start > RESIZE_MS)
            return fail(STATUS_DEVICE, "size %dx%d: the window manager insists on %dx%d", width, height, viewer->width,
                        viewer->height);
        glutMainLoopEvent();
        poll(NULL, 0, 2);
    }
    return STATUS_OK;
}

/* ---- opening ---- */

static void listen(Glut *glut) {
    glutDisplayFuncUcall(on_display, glut);
    glutReshapeFuncUcall(on_reshape, glut);
    glutKeyboardFuncUcall(on_key, glut);
    glutKeyboardUpFuncUcall(on_key_up, glut);
    glutSpecialFuncUcall(on_special, glut);
    glutMouseFuncUcall(on_button, glut);
    glutMotionFuncUcall(on_motion, glut);
    glutPassiveMotionFuncUcall(on_motion, glut);
    glutMouseWheelFuncUcall(on_wheel, glut);
    glutEntryFuncUcall(on_entry, glut);
    glutCloseFuncUcall(on_close, glut);
}

/* freeglut answers fatal errors with exit(); here they come back as a status. */
static Status open_window(Glut *glut, int width, int height) {
    int argc = 1;
    char name[] = "glint", *argv[] = {name, NULL};
    if (setjmp(glut->refused))
        return fail(STATUS_DEVICE, "view: no window: %s", glut->refusal);
    glutInitErrorFuncUcall(on_refusal, glut);
    glutInit(&argc, argv);
    glutInitContextVersion(3, 3);
    glutInitContextProfile(GLUT_CORE_PROFILE);
    glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
    glutInitWindowSize(width, height);
    glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_CONTINUE_EXECUTION);
    glut->id = glutCreateWindow("glint");
    listen(glut);
    display_hold_keys();
    return STATUS_OK;
}

Status window_run(Viewer *viewer, int width, int height, const char *script, double dpi, DisplayHold **hold) {
    Glut *glut = calloc(1, sizeof *glut);
    if (!glut)
        return fail(STATUS_DEVICE, "no memory for the window");
    *glut = (Glut){.viewer = viewer, .dpi = dpi, .draws_due = SETTLING_DRAWS, .input = {.x = -1, .y = -1}};
    viewer->pointer_x = viewer->pointer_y = -1;
    Status status = open_window(glut, width, height);
    display_release(hold);
    if (status == STATUS_OK) {
        snprintf(viewer->renderer, sizeof viewer->renderer, "%s", (const char *)glGetString(GL_RENDERER));
        status = canvas_create(&glut->canvas);
    }
    if (status == STATUS_OK)
        status = overlay_create(&glut->overlay);
    if (status == STATUS_OK)
        status = clipboard_create(&glut->clipboard);
    if (status == STATUS_OK && script) {
        const ScriptHost host = {glut, host_draw, host_screenshot, host_resize, host_serve};
        status = host_draw(glut);
        if (status == STATUS_OK)
            status = script_run(viewer, &host, script);
    }
    if (status == STATUS_OK && !script && !viewer->toast.text[0])
        viewer_say(viewer, false, "h shows the keys");
    if (status == STATUS_OK)
        loop(glut);
    clipboard_destroy(&glut->clipboard);
    if (glut->id) {
        glutDestroyWindow(glut->id);
        glutMainLoopEvent(); /* freeglut destroys windows in its loop */
    }
    free(glut);
    return status;
}
