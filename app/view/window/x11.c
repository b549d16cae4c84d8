/* x11.c: the probe, and sleeping. */
#include "app/view/window/x11.h"

#include <X11/XKBlib.h>
#include <X11/Xlib.h>
#include <X11/Xlibint.h>
#include <epoxy/glx.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <math.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

enum { AWAY_MAX = 10000 /* ms: an event farther back is by another clock */ };

/* Context creation reports failure as an X error, which ends the program unless a handler is set. */
static int ignore_error(Display *display, XErrorEvent *event) {
    (void)display, (void)event;
    return 0;
}

static bool can_make_context(Display *display) {
    const int pixels[] = {GLX_X_RENDERABLE,
                          True,
                          GLX_DRAWABLE_TYPE,
                          GLX_WINDOW_BIT,
                          GLX_RENDER_TYPE,
                          GLX_RGBA_BIT,
                          GLX_DOUBLEBUFFER,
                          True,
                          None};
    const int context[] = {
        GLX_CONTEXT_MAJOR_VERSION_ARB,    3,   GLX_CONTEXT_MINOR_VERSION_ARB, 3, GLX_CONTEXT_PROFILE_MASK_ARB,
        GLX_CONTEXT_CORE_PROFILE_BIT_ARB, None};
    const int screen = DefaultScreen(display);
    int count = 0;
    if (!epoxy_has_glx_extension(display, screen, "GLX_ARB_create_context_profile"))
        return false;
    GLXFBConfig *configs = glXChooseFBConfig(display, screen, pixels, &count);
    if (!configs)
        return false;
    int (*old)(Display *, XErrorEvent *) = XSetErrorHandler(ignore_error);
    GLXContext made = count > 0 ? glXCreateContextAttribsARB(display, configs[0], NULL, True, context) : NULL;
    XSync(display, False);
    if (made)
        glXDestroyContext(display, made);
    XSync(display, False);
    XSetErrorHandler(old);
    XFree(configs);
    return made != NULL;
}

Status x11_probe(double *dpi, X11Hold **hold) {
    const char *name = getenv("DISPLAY");
    int error_base, event_base;
    *dpi = 0;
    *hold = NULL;
    if (!name || !name[0])
        return fail(STATUS_DEVICE,
                    "view: there is no display (DISPLAY is not set); --serve shows the window in a browser, "
                    "and batch and trace need none");
    Display *display = XOpenDisplay(NULL);
    if (!display)
        return fail(STATUS_DEVICE, "view: the display %s cannot be opened; batch and trace work without one", name);
    Status status = STATUS_OK;
    if (!glXQueryExtension(display, &error_base, &event_base) || !can_make_context(display))
        status =
            fail(STATUS_DEVICE, "view: the display %s has no OpenGL 3.3 core; batch and trace work without it", name);
    const char *wanted = XGetDefault(display, "Xft", "dpi");
    *dpi = wanted ? strtod(wanted, NULL) : 0;
    *hold = (X11Hold *)display;
    return status;
}

void x11_release(X11Hold **hold) {
    if (*hold)
        XCloseDisplay((Display *)*hold);
    *hold = NULL;
}

void x11_hold_keys(void) {
    Display *display = glXGetCurrentDisplay();
    if (display)
        XkbSetDetectableAutoRepeat(display, True, NULL);
}

bool x11_holds_a_key(void) {
    Display *display = glXGetCurrentDisplay();
    char keys[32]; /* a bit each, by code */
    bool any = false;
    if (!display)
        return false;
    XQueryKeymap(display, keys);
    for (size_t i = 0; i < sizeof keys; i++)
        any |= keys[i] != 0;
    return any;
}

static XErrorHandler unforgiving;

static int forgive(Display *display, XErrorEvent *event) {
    return event->error_code == BadWindow ? 0 : unforgiving(display, event);
}

void x11_forgive_lost_windows(void) {
    XErrorHandler before = XSetErrorHandler(forgive);
    unforgiving = before == forgive ? unforgiving : before;
}

typedef Bool FromWire(Display *display, XEvent *event, xEvent *wire);

/* Xlib's hooks have no argument of ours; there is one window. */
static struct {
    FromWire *before;
    Atom protocols, close;
    bool asked;
} closing;

/* Xlib holds the display meanwhile. */
static Bool keep_close(Display *display, XEvent *event, xEvent *wire) {
    if (!closing.before(display, event, wire))
        return False;
    const XClientMessageEvent *message = &event->xclient;
    if (message->message_type != closing.protocols || (Atom)message->data.l[0] != closing.close)
        return True;
    closing.asked = true;
    return False;
}

void x11_hear_close(void) {
    Display *display = glXGetCurrentDisplay();
    if (!display)
        return;
    closing.protocols = XInternAtom(display, "WM_PROTOCOLS", False);
    closing.close = XInternAtom(display, "WM_DELETE_WINDOW", False);
    closing.asked = false;
    closing.before = XESetWireToEvent(display, ClientMessage, keep_close);
}

bool x11_take_close(void) {
    const bool asked = closing.asked;
    closing.asked = false;
    return asked;
}

bool x11_has_events(void) {
    Display *display = glXGetCurrentDisplay();
    return display && XPending(display) > 0;
}

void x11_wait(int first, int second, int ms) {
    Display *display = glXGetCurrentDisplay();
    if (!display)
        return;
    struct pollfd waits[] = {{ConnectionNumber(display), POLLIN, 0}, {first, POLLIN, 0}, {second, POLLIN, 0}};
    (void)poll(waits, sizeof waits / sizeof waits[0], ms);
}

/* Servers count milliseconds of the monotonic clock, in 32 bits. */
double x11_time_ms(unsigned long time, double now) {
    const uint32_t ago = (uint32_t)(uint64_t)now - (uint32_t)time;
    return ago < AWAY_MAX ? fmin(floor(now) - ago + 0.5, now) : now;
}

double x11_input_ms(double now) {
    Display *display = glXGetCurrentDisplay();
    XEvent event;
    if (!display || XPending(display) == 0)
        return now;
    XPeekEvent(display, &event);
    const int type = event.type;
    return type == KeyPress || type == KeyRelease         ? x11_time_ms(event.xkey.time, now)
           : type == ButtonPress || type == ButtonRelease ? x11_time_ms(event.xbutton.time, now)
           : type == MotionNotify                         ? x11_time_ms(event.xmotion.time, now)
                                                          : now;
}
