/* glut_system.c: freeglut's window, its events, and what X11 has besides. */
#include "app/view/window/glut_system.h"

#include "app/view/actions/dispatch.h"
#include "app/view/window/clipboard.h"
#include "app/view/window/drop.h"
#include "app/view/window/monitor.h"
#include "app/view/window/window.h"
#include "app/view/window/x11.h"

#include <GL/freeglut.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct GlutSystem {
    System of;
    Glut *glut;
    X11Hold *hold; /* until freeglut has the display; or NULL */
    Clipboard *clipboard;
    Drop *drop;
    jmp_buf refused; /* where freeglut's fatal errors lead instead of exit() */
    char refusal[256];
} GlutSystem;

static GlutSystem *as_glut(System *system) {
    return (GlutSystem *)(void *)system;
}

/* ---- opening and closing ---- */

static void on_display(void *user) {
    screen_touch(&((Glut *)user)->screen);
}

/* The window goes, however it came to that; its context is still current. */
static void on_close(void *user) {
    window_closes(user);
}

static void on_refusal(const char *format, va_list arguments, void *user) {
    GlutSystem *system = user;
    vsnprintf(system->refusal, sizeof system->refusal, format, arguments);
    longjmp(system->refused, 1);
}

/* freeglut answers fatal errors with exit(); here they come back as a status. */
static Status open_window(GlutSystem *system, int width, int height) {
    Glut *glut = system->glut;
    int argc = 1;
    char name[] = "glint", *argv[] = {name, NULL};
    if (setjmp(system->refused))
        return fail(STATUS_DEVICE, "view: no window: %s", system->refusal);
    glutInitErrorFuncUcall(on_refusal, system);
    glutInit(&argc, argv);
    glutInitContextVersion(3, 3);
    glutInitContextProfile(GLUT_CORE_PROFILE);
    glutInitDisplayMode(GLUT_DOUBLE | GLUT_RGBA);
    glutInitWindowSize(width, height);
    glutSetOption(GLUT_ACTION_ON_WINDOW_CLOSE, GLUT_ACTION_CONTINUE_EXECUTION);
    glut->id = glutCreateWindow("glint");
    glutDisplayFuncUcall(on_display, glut);
    glutCloseFuncUcall(on_close, glut);
    events_listen(&glut->events);
    x11_hold_keys();
    x11_forgive_lost_windows();
    x11_hear_close();
    glut->events.letters = letters_create();
    glutInitErrorFuncUcall(NULL, NULL); /* the frame that `refused` leads to is gone */
    return STATUS_OK;
}

static Status open_on_display(System *of, Glut *glut, int width, int height) {
    GlutSystem *system = as_glut(of);
    system->glut = glut;
    const Status status = open_window(system, width, height);
    x11_release(&system->hold);
    TRY(status);
    TRY(clipboard_create(&system->clipboard));
    return drop_create(&system->drop);
}

static void close_window(System *of) {
    GlutSystem *system = as_glut(of);
    clipboard_destroy(&system->clipboard);
    drop_destroy(&system->drop);
    if (system->glut && system->glut->id) {
        glutDestroyWindow(system->glut->id);
        glutMainLoopEvent(); /* freeglut destroys windows in its loop */
    }
}

static void destroy(System *of) {
    x11_release(&as_glut(of)->hold);
    free(of);
}

/* ---- draws ---- */

static void begin_draw(System *of) {
    glutSetWindow(as_glut(of)->glut->id);
}

static void swap(System *of) {
    (void)of;
    glutSwapBuffers();
}

/* ---- events ---- */

/* In this order: reading events may find dropped files. */
static bool has_events(System *of) {
    return x11_has_events() || drop_due(as_glut(of)->drop) || monitor_changed();
}

static void wait_on_display(System *of, int descriptor, int ms) {
    x11_wait(clipboard_descriptor(as_glut(of)->clipboard), descriptor, ms);
}

static void take_events(System *of) {
    const GlutSystem *system = as_glut(of);
    Glut *glut = system->glut;
    const double now = clock_ms();
    glut->events.heard = (Heard){x11_input_ms(now), now};
    letters_find(glut->events.letters);
    letters_hold(true);
    glutMainLoopEvent();
    if (glut->id)
        letters_hold(false);
    if (x11_take_close())
        action_ask(glut->viewer, action_by_name("quit"), NULL);
    clipboard_serve(system->clipboard);
    glut->screen.draw_due |= monitor_changed();
    if (glut->id)
        drop_serve(system->drop);
}

static bool holds_a_key(System *of) {
    (void)of;
    return x11_holds_a_key();
}

/* ---- the window's frame ---- */

static void set_title(System *of, const char *title) {
    (void)of;
    glutSetWindowTitle(title);
}

static void resize(System *of, int width, int height) {
    (void)of;
    glutReshapeWindow(width, height);
}

static bool full_screen(System *of, bool toggle) {
    (void)of;
    if (toggle)
        glutFullScreenToggle();
    return glutGet(GLUT_FULL_SCREEN);
}

/* ---- other programs ---- */

static Status offer_text(System *of, const char *text) {
    return clipboard_offer(as_glut(of)->clipboard, text);
}

static void offer_image(System *of, Bytes png) {
    clipboard_offer_image(as_glut(of)->clipboard, png);
}

static void ask_text(System *of) {
    clipboard_ask(as_glut(of)->clipboard);
}

static char *take_text(System *of) {
    return clipboard_take(as_glut(of)->clipboard);
}

static char *take_files(System *of) {
    return drop_take(as_glut(of)->drop);
}

Status glut_system_create(System **system) {
    static const SystemKind kind = {
        .open = open_on_display,
        .close = close_window,
        .destroy = destroy,
        .begin_draw = begin_draw,
        .swap = swap,
        .has_events = has_events,
        .wait = wait_on_display,
        .take_events = take_events,
        .holds_a_key = holds_a_key,
        .set_title = set_title,
        .resize = resize,
        .full_screen = full_screen,
        .offer_text = offer_text,
        .offer_image = offer_image,
        .ask_text = ask_text,
        .take_text = take_text,
        .take_files = take_files,
    };
    GlutSystem *made = calloc(1, sizeof *made);
    *system = NULL;
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the window");
    made->of.kind = &kind;
    const Status status = x11_probe(&made->of.dpi, &made->hold);
    if (status == STATUS_OK)
        *system = &made->of;
    else
        destroy(&made->of);
    return status;
}
