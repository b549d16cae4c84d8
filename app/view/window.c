/* window.c: freeglut and the loop. */
#include "app/view/window.h"

#include "app/say.h"
#include "app/view/actions.h"
#include "app/view/clipboard.h"
#include "app/view/command_line.h"
#include "app/view/mouse.h"
#include "app/view/script.h"
#include "app/view/x11.h"

#include <GL/freeglut.h>
#include <poll.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RESIZE_MS   3000.0 /* how long a window manager may take */
#define LONG_RUN_MS 700.0
#define HOLD_PAUSE  50.0 /* ms between looks at a key that is held */
#define DRAW_PAUSE  30.0 /* ms between draws that show new figures only */

typedef struct Glut {
    Viewer *viewer;
    int id; /* of freeglut's window; 0: none */
    Screen screen;
    Mouse mouse;
    Clipboard *clipboard;
    bool holds;      /* a hand holds Space */
    jmp_buf refused; /* where freeglut's fatal errors lead instead of exit() */
    char refusal[256], title[256];
} Glut;

/* ---- drawing ---- */

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
    TRY(screen_draw(&glut->screen));
    glutSwapBuffers();
    return STATUS_OK;
}

/* ---- wishes ---- */

static Status copy_command_line(Glut *glut) {
    char line[2 * PATH_CAPACITY];
    if (chain_format(glut->viewer->chain, NULL, 0) >= PATH_CAPACITY) /* a part of a mask is another mask */
        return fail(STATUS_USAGE, "the chain is too long for a command line; a mask may be in a file: file=PATH");
    command_line_format(glut->viewer, line, sizeof line);
    say(stdout, "%s", line);
    fflush(stdout);
    TRY(clipboard_offer(glut->clipboard, line));
    viewer_say(glut->viewer, false, "copied: %s", line);
    return STATUS_OK;
}

static Status serve(Glut *glut) {
    WindowRequests requests = glut->viewer->requests;
    glut->viewer->requests = (WindowRequests){.quit = requests.quit};
    if (requests.toggle_fullscreen)
        glutFullScreenToggle();
    if (requests.copy_command)
        TRY(copy_command_line(glut));
    if (requests.screenshot[0]) {
        glutSetWindow(glut->id);
        TRY(screen_capture(&glut->screen, requests.screenshot, false));
        viewer_say(glut->viewer, false, "the window is in %s", requests.screenshot);
    }
    return STATUS_OK;
}

/* A key that is let go over another window is never reported. */
static void let_go_of_lost_key(Glut *glut) {
    if (glut->holds && !x11_holds_key(' ')) {
        glut->holds = false;
        screen_touch(&glut->screen);
        viewer_answer(glut->viewer, TOAST_REQUEST, action_press(glut->viewer, "Space", false));
    }
}

static void press(Glut *glut, const char *key, bool pressed) {
    screen_take_clicks(&glut->screen);
    let_go_of_lost_key(glut);
    const Action *action = action_for_key(glut->viewer, key);
    screen_touch(&glut->screen);
    if (!action && !glut->viewer->typing)
        return; /* modifiers and keys that mean nothing here */
    Status status = action_press(glut->viewer, key, pressed);
    if (status == STATUS_OK)
        status = serve(glut);
    glut->holds = glut->viewer->unfiltered;
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
} named_keys[] = {{' ', "Space"}, {27, "Esc"}, {'\t', "Tab"}, {'\r', "Return"}, {8, "Backspace"}, {127, "Delete"}};

static void on_character(Glut *glut, unsigned char code, bool pressed) {
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

static void on_motion(int x, int y, void *user) {
    Glut *glut = user;
    mouse_move(&glut->mouse, x, y);
}

static void on_button(int button, int state, int x, int y, void *user) {
    static const MouseButton buttons[] = {
        [GLUT_LEFT_BUTTON] = MOUSE_LEFT, [GLUT_MIDDLE_BUTTON] = MOUSE_MIDDLE, [GLUT_RIGHT_BUTTON] = MOUSE_RIGHT};
    Glut *glut = user;
    const int held = glutGetModifiers();
    mouse_move(&glut->mouse, x, y);
    if (button >= 0 && button < MOUSE_BUTTONS)
        mouse_button(&glut->mouse, buttons[button], state == GLUT_DOWN, held & GLUT_ACTIVE_SHIFT,
                     held & GLUT_ACTIVE_CTRL);
}

static void on_wheel(int wheel, int direction, int x, int y, void *user) {
    Glut *glut = user;
    (void)wheel;
    mouse_move(&glut->mouse, x, y);
    mouse_wheel(&glut->mouse, direction);
}

static void on_entry(int state, void *user) {
    Glut *glut = user;
    if (state == GLUT_LEFT)
        mouse_leave(&glut->mouse);
}

static void on_reshape(int width, int height, void *user) {
    Glut *glut = user;
    viewer_resize(glut->viewer, width > 0 ? width : 1, height > 0 ? height : 1);
    screen_touch(&glut->screen);
}

static void on_display(void *user) {
    Glut *glut = user;
    screen_touch(&glut->screen);
}

/* The window goes, however it came to that; its context is still current. */
static void on_close(void *user) {
    Glut *glut = user;
    screen_destroy(&glut->screen);
    glut->id = 0;
    glut->viewer->requests.quit = true;
}

static void on_refusal(const char *format, va_list arguments, void *user) {
    Glut *glut = user;
    vsnprintf(glut->refusal, sizeof glut->refusal, format, arguments);
    longjmp(glut->refused, 1);
}

/* ---- the loop ---- */

/* Sleeps until there are events, somebody wants to paste, a toast ends, or a key that is held may be let go. */
static void wait_for_events(Glut *glut) {
    Toast *toast = &glut->viewer->toast;
    const double left = toast->until - clock_ms(), waits = viewer_waits_ms(glut->viewer);
    if (toast->text[0] && left <= 0) {
        toast->text[0] = '\0';
        glut->screen.draw_due = true;
    } else {
        double max = toast->text[0] && (waits < 0 || left < waits) ? left : waits;
        max = glut->holds && (max < 0 || max > HOLD_PAUSE) ? HOLD_PAUSE : max;
        x11_wait(clipboard_descriptor(glut->clipboard), max < 0 ? -1 : (int)max + 1);
    }
}

/* A run cannot be interrupted: if it is known to be long, say so before the window stands still. */
static void announce(Glut *glut) {
    const double ms = viewer_expected_ms(glut->viewer);
    if (!glut->viewer->stale || ms < LONG_RUN_MS)
        return;
    const double seconds = ms / 1e3, hours = seconds / 3600;
    viewer_say(glut->viewer, false, "running %s: about %.*f %s", viewer_level(glut->viewer)->name,
               seconds < 10 || hours >= 2 ? 1 : 0,
               hours >= 2      ? hours
               : seconds < 120 ? seconds
                               : seconds / 60,
               hours >= 2      ? "hours"
               : seconds < 120 ? "s"
                               : "minutes");
    if (show(glut) == STATUS_OK)
        glut->viewer->toast.until = 0;
}

/* What input changed runs before the draw, so that each draw shows the latest result. False if there is nothing left to
 * do. */
static bool pass(Glut *glut) {
    Viewer *viewer = glut->viewer;
    Screen *screen = &glut->screen;
    const bool input = screen->input_due;
    screen_take_input(screen);
    announce(glut);
    const bool worked = viewer_work(viewer);
    screen->draw_due |= worked;
    const bool urgent = input || !worked || (screen_result_due(screen) && !viewer->measuring);
    if (!screen->draw_due)
        return false;
    if ((urgent || clock_ms() - screen->drawn_at > DRAW_PAUSE) && show(glut) != STATUS_OK) {
        viewer_say(viewer, true, "%s", status_message());
        screen->draw_due = false;
    }
    return true;
}

static bool serve_events(Glut *glut) {
    glutMainLoopEvent();
    clipboard_serve(glut->clipboard);
    if (glut->id)
        let_go_of_lost_key(glut);
    return glut->id && !glut->viewer->requests.quit;
}

static void loop(Glut *glut) {
    while (serve_events(glut))
        if (!pass(glut))
            wait_for_events(glut);
}

/* ---- scripts ---- */

static Status host_draw(void *self) {
    Glut *glut = self;
    glutMainLoopEvent();
    return glut->id ? show(glut) : fail(STATUS_INTERRUPTED, "the window was closed");
}

static Status host_screenshot(void *self, const char *path) {
    Glut *glut = self;
    glutSetWindow(glut->id);
    return screen_capture(&glut->screen, path, glut->viewer->overwrite);
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

static Status drag_pass(Glut *glut) {
    if (!serve_events(glut))
        return fail(STATUS_INTERRUPTED, "the window was closed");
    pass(glut);
    return STATUS_OK;
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
        mouse_move(&glut->mouse, slider.x + (from + (to - from) * i / steps) * slider.width, y);
        status = drag_pass(glut);
    }
    mouse_button(&glut->mouse, MOUSE_LEFT, false, false, false);
    if (status == STATUS_OK)
        status = drag_pass(glut);
    mouse_leave(&glut->mouse);
    return status;
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
    x11_hold_keys();
    return STATUS_OK;
}

Status window_run(Viewer *viewer, int width, int height, const char *script, double dpi, X11Hold **hold) {
    Glut *glut = calloc(1, sizeof *glut);
    if (!glut)
        return fail(STATUS_DEVICE, "no memory for the window");
    *glut = (Glut){.viewer = viewer};
    glut->mouse.screen = &glut->screen;
    Status status = open_window(glut, width, height);
    x11_release(hold);
    if (status == STATUS_OK)
        status = screen_create(viewer, dpi, &glut->screen);
    if (status == STATUS_OK)
        status = clipboard_create(&glut->clipboard);
    if (status == STATUS_OK && script) {
        const ScriptHost host = {glut, host_draw, host_screenshot, host_resize, host_serve, host_drag};
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
