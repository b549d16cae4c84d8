/* clipboard.c: selections of the X Window System (Inter-Client Communication Conventions Manual 2.0, section 2). */
#include "app/view/clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <stdlib.h>
#include <string.h>

struct Clipboard {
    Display *display;
    Window window;
    Atom clipboard, targets, utf8;
    char *text;
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
    made->utf8 = XInternAtom(made->display, "UTF8_STRING", False);
    return STATUS_OK;
}

void clipboard_destroy(Clipboard **clipboard) {
    if (!*clipboard)
        return;
    if ((*clipboard)->display)
        XCloseDisplay((*clipboard)->display);
    free((*clipboard)->text);
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
    }
    XFlush(clipboard->display);
}
