/* monitor.c: properties of the root window, the place of the window among the monitors, and hearing of their changes.
 * Monitors are counted as Xinerama has them, which servers with RandR answer, too. The request is spelled here: it is
 * all that a library would be for. */
#include "app/view/window/monitor.h"

#include "app/view/data/viewport.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xlibint.h>
#include <X11/extensions/panoramiXproto.h>
#include <epoxy/glx.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <stdio.h>

enum { WORDS_MAX = 1 << 23 /* of four bytes */, BYTE_BITS = 8, MONITORS_MAX = 16, NAME_LENGTH = 32 };

typedef Bool FromWire(Display *display, XEvent *event, xEvent *wire);

/* Xlib's hooks have no argument of ours; there is one window. */
static struct {
    FromWire *before, *before_move;
    Window root, window;
    Atom names[MONITORS_MAX]; /* of the properties */
    size_t monitor;           /* on which most of the window lies */
    bool moved, changed;
} heard;

/* ---- events ---- */

/* Xlib holds the display meanwhile. freeglut knows no events of the root window. */
static Bool keep_change(Display *display, XEvent *event, xEvent *wire) {
    if (!heard.before(display, event, wire))
        return False;
    if (event->xproperty.window != heard.root)
        return True;
    heard.changed |= event->xproperty.atom == heard.names[heard.monitor];
    return False;
}

/* The root window is configured when monitors come, go or move. */
static Bool note_move(Display *display, XEvent *event, xEvent *wire) {
    if (!heard.before_move(display, event, wire))
        return False;
    heard.moved = true;
    return event->xconfigure.event != heard.root;
}

/* ---- monitors ---- */

static const char *property_name(size_t monitor, char name[NAME_LENGTH]) {
    snprintf(name, NAME_LENGTH, monitor > 0 ? "_ICC_PROFILE_%zu" : "_ICC_PROFILE", monitor);
    return name;
}

/* The monitors in their order; none where the server has no Xinerama. */
static size_t list_monitors(Display *display, Area areas[MONITORS_MAX]) {
    int opcode, event, error;
    xXineramaQueryScreensReply reply;
    xXineramaScreenInfo info;
    size_t count = 0;
    if (!XQueryExtension(display, PANORAMIX_PROTOCOL_NAME, &opcode, &event, &error))
        return 0;
    LockDisplay(display);
    xXineramaQueryScreensReq *request = _XGetRequest(display, X_XineramaQueryScreens, sz_xXineramaQueryScreensReq);
    request->reqType = (CARD8)opcode;
    request->panoramiXReqType = X_XineramaQueryScreens;
    if (!_XReply(display, (xReply *)(void *)&reply, 0, xFalse))
        reply.number = 0;
    for (CARD32 i = 0; i < reply.number; i++) {
        _XRead(display, (char *)&info, sz_XineramaScreenInfo);
        if (count < MONITORS_MAX)
            areas[count++] = (Area){info.x_org, info.y_org, info.width, info.height};
    }
    UnlockDisplay(display);
    return count;
}

static void find_monitor(Display *display) {
    Area areas[MONITORS_MAX];
    XWindowAttributes window;
    Window child;
    int x, y;
    heard.moved = false;
    const size_t count = list_monitors(display, areas);
    if (!XGetWindowAttributes(display, heard.window, &window) ||
        !XTranslateCoordinates(display, heard.window, heard.root, 0, 0, &x, &y, &child))
        return;
    const size_t monitor = area_with_most(areas, count, (Area){x, y, window.width, window.height});
    heard.changed |= monitor != heard.monitor;
    heard.monitor = monitor;
}

/* ---- the profile ---- */

void monitor_listen(void) {
    Display *display = glXGetCurrentDisplay();
    XWindowAttributes attributes;
    char name[NAME_LENGTH];
    if (!display)
        return;
    heard.root = DefaultRootWindow(display);
    heard.window = glXGetCurrentDrawable();
    for (size_t i = 0; i < MONITORS_MAX; i++)
        heard.names[i] = XInternAtom(display, property_name(i, name), False);
    heard.changed = heard.moved = true;
    heard.before = XESetWireToEvent(display, PropertyNotify, keep_change);
    heard.before_move = XESetWireToEvent(display, ConfigureNotify, note_move);
    if (XGetWindowAttributes(display, heard.root, &attributes))
        XSelectInput(display, heard.root, attributes.your_event_mask | PropertyChangeMask | StructureNotifyMask);
}

bool monitor_changed(void) {
    Display *display = glXGetCurrentDisplay();
    if (heard.before && display)
        XPending(display); /* reads what has come */
    if (heard.moved && display)
        find_monitor(display);
    return heard.changed;
}

Status monitor_read(ColourSpace **space) {
    Display *display = glXGetCurrentDisplay();
    Atom type = None;
    int bits = 0;
    unsigned long count = 0, left = 0;
    unsigned char *data = NULL;
    char name[NAME_LENGTH];
    *space = NULL;
    heard.changed = false;
    if (!display || XGetWindowProperty(display, heard.root, heard.names[heard.monitor], 0, WORDS_MAX, False,
                                       AnyPropertyType, &type, &bits, &count, &left, &data) != Success)
        return STATUS_OK;
    Status status = STATUS_OK;
    if (type != None && count > 0)
        status = bits == BYTE_BITS ? colour_space_of_monitor((Bytes){data, count}, space)
                                   : fail(STATUS_INPUT, "this is no ICC profile: it is no list of bytes");
    if (data)
        XFree(data);
    return status == STATUS_INPUT
               ? fail_within(status, "the property %s of the screen: ", property_name(heard.monitor, name))
               : status;
}
