/* clipboard.c: selections of the X Window System (Inter-Client Communication Conventions Manual 2.0, section 2). */
#include "app/view/clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 65536 };

struct Clipboard {
    Display *display;
    Window window;
    Atom clipboard, targets, utf8, incoming;
    char *text, *taken;
};

Status clipboard_create(Clipboard **clipboard) {
    Clipboard *made = *clipboard = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the clipboard");
    made->display = XOpenDisplay(NULL);
    if (!made->display) {
        clipboard_destroy(clipboard);
        return fail(STATUS_DEVICE, "view: the display cannot be opened a second time, for the clipboard");
    }
    made->window = XCreateSimpleWindow(made->display, DefaultRootWindow(made->display), 0, 0, 1, 1, 0, 0, 0);
    made->clipboard = XInternAtom(made->display, "CLIPBOARD", False);
    made->targets = XInternAtom(made->display, "TARGETS", False);
    made->incoming = XInternAtom(made->display, "GLINT_PASTE", False);
    made->utf8 = XInternAtom(made->display, "UTF8_STRING", False);
    return STATUS_OK;
}

void clipboard_destroy(Clipboard **clipboard) {
    if (!*clipboard)
        return;
    if ((*clipboard)->display)
        XCloseDisplay((*clipboard)->display);
    free((*clipboard)->text);
    free((*clipboard)->taken);
    free(*clipboard);
    *clipboard = NULL;
}

Status clipboard_offer(Clipboard *clipboard, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for the clipboard");
    free(clipboard->text);
    clipboard->text = copy;
    XSetSelectionOwner(clipboard->display, clipboard->clipboard, clipboard->window, CurrentTime);
    XSetSelectionOwner(clipboard->display, XA_PRIMARY, clipboard->window, CurrentTime);
    XFlush(clipboard->display);
    return STATUS_OK;
}

void clipboard_ask(Clipboard *clipboard) {
    XConvertSelection(clipboard->display, clipboard->clipboard, clipboard->utf8, clipboard->incoming, clipboard->window,
                      CurrentTime);
    XFlush(clipboard->display);
}

char *clipboard_take(Clipboard *clipboard) {
    char *text = clipboard->taken;
    clipboard->taken = NULL;
    return text;
}

/* What has come in our property; a text that comes in parts is too long for a path anyway. */
static void receive(Clipboard *clipboard, const XSelectionEvent *come) {
    Atom type = None;
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char *bytes = NULL;
    if (come->property != None)
        XGetWindowProperty(clipboard->display, clipboard->window, clipboard->incoming, 0, TEXT_MAX / 4, True,
                           AnyPropertyType, &type, &format, &count, &left, &bytes);
    free(clipboard->taken);
    clipboard->taken = strdup(bytes && format == 8 && left == 0 ? (const char *)bytes : "");
    if (bytes)
        XFree(bytes);
}

int clipboard_descriptor(const Clipboard *clipboard) {
    return ConnectionNumber(clipboard->display);
}

static void answer(const Clipboard *clipboard, const XSelectionRequestEvent *asked) {
    XSelectionEvent reply = {.type = SelectionNotify,
                             .display = asked->display,
                             .requestor = asked->requestor,
                             .selection = asked->selection,
                             .target = asked->target,
                             .property = asked->property != None ? asked->property : asked->target,
                             .time = asked->time};
    const Atom offered[] = {clipboard->targets, clipboard->utf8, XA_STRING};
    if (asked->target == clipboard->targets)
        XChangeProperty(asked->display, asked->requestor, reply.property, XA_ATOM, 32, PropModeReplace,
                        (const unsigned char *)offered, sizeof offered / sizeof offered[0]);
    else if (clipboard->text && (asked->target == clipboard->utf8 || asked->target == XA_STRING))
        XChangeProperty(asked->display, asked->requestor, reply.property, asked->target, 8, PropModeReplace,
                        (const unsigned char *)clipboard->text, (int)strlen(clipboard->text));
    else
        reply.property = None;
    XSendEvent(asked->display, asked->requestor, False, 0, (XEvent *)&reply);
}

void clipboard_serve(Clipboard *clipboard) {
    while (XPending(clipboard->display)) {
        XEvent event;
        XNextEvent(clipboard->display, &event);
        if (event.type == SelectionRequest)
            answer(clipboard, &event.xselectionrequest);
        else if (event.type == SelectionNotify)
            receive(clipboard, &event.xselection);
    }
    XFlush(clipboard->display);
}
