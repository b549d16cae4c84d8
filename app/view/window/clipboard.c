/* clipboard.c: selections of the X Window System (Inter-Client Communication Conventions Manual 2.0, section 2). */
#include "app/view/window/clipboard.h"

#include <X11/Xatom.h>
#include <X11/Xlib.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 65536, PART_MAX = 1 << 18 /* bytes: larger ones go in parts */, TRANSFERS_MAX = 8 };

/* A picture on its way in parts (section 2.7.2): the next one is written once the last one was deleted. */
typedef struct Transfer {
    Window to; /* None: none */
    Atom property;
    size_t sent;
} Transfer;

struct Clipboard {
    Display *display;
    Window window;
    Atom clipboard, targets, utf8, incoming, png, parts;
    char *text, *taken;
    Bytes image; /* one of the two is offered */
    Transfer transfers[TRANSFERS_MAX];
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
    made->png = XInternAtom(made->display, "image/png", False);
    made->parts = XInternAtom(made->display, "INCR", False);
    made->utf8 = XInternAtom(made->display, "UTF8_STRING", False);
    return STATUS_OK;
}

void clipboard_destroy(Clipboard **clipboard) {
    if (!*clipboard)
        return;
    if ((*clipboard)->display)
        XCloseDisplay((*clipboard)->display);
    bytes_free(&(*clipboard)->image);
    free((*clipboard)->text);
    free((*clipboard)->taken);
    free(*clipboard);
    *clipboard = NULL;
}

/* Pictures that are on their way end where they are: the next offer is not their rest. */
static void drop_offers(Clipboard *clipboard) {
    for (int i = 0; i < TRANSFERS_MAX; i++)
        clipboard->transfers[i].sent = SIZE_MAX;
    free(clipboard->text);
    clipboard->text = NULL;
    bytes_free(&clipboard->image);
}

Status clipboard_offer(Clipboard *clipboard, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return fail(STATUS_DEVICE, "no memory for the clipboard");
    drop_offers(clipboard);
    clipboard->text = copy;
    XSetSelectionOwner(clipboard->display, clipboard->clipboard, clipboard->window, CurrentTime);
    XSetSelectionOwner(clipboard->display, XA_PRIMARY, clipboard->window, CurrentTime);
    XFlush(clipboard->display);
    return STATUS_OK;
}

void clipboard_offer_image(Clipboard *clipboard, Bytes png) {
    drop_offers(clipboard);
    clipboard->image = png;
    XSetSelectionOwner(clipboard->display, clipboard->clipboard, clipboard->window, CurrentTime);
    XFlush(clipboard->display);
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

/* Takes the text that has come in our property. A text that comes in parts is too long for a path anyway. */
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

static void write_property(const Clipboard *clipboard, Window to, Atom property, Atom type, const void *data,
                           size_t size) {
    XChangeProperty(clipboard->display, to, property, type, 8, PropModeReplace, data, (int)size);
}

/* False if too many are under way. */
static bool begin_parts(Clipboard *clipboard, Window to, Atom property) {
    const long size = (long)clipboard->image.size;
    for (int i = 0; i < TRANSFERS_MAX; i++)
        if (clipboard->transfers[i].to == None) {
            clipboard->transfers[i] = (Transfer){to, property, 0};
            XSelectInput(clipboard->display, to, PropertyChangeMask);
            XChangeProperty(clipboard->display, to, property, clipboard->parts, 32, PropModeReplace,
                            (const unsigned char *)&size, 1);
            return true;
        }
    return false;
}

/* The last part is empty. */
static void go_on(Clipboard *clipboard, const XPropertyEvent *deleted) {
    for (int i = 0; i < TRANSFERS_MAX; i++) {
        Transfer *transfer = &clipboard->transfers[i];
        if (transfer->to != deleted->window || transfer->property != deleted->atom)
            continue;
        const size_t size = clipboard->image.size, left = size > transfer->sent ? size - transfer->sent : 0;
        const size_t part = left < PART_MAX ? left : PART_MAX;
        write_property(clipboard, transfer->to, transfer->property, clipboard->png,
                       part > 0 ? clipboard->image.data + transfer->sent : NULL, part);
        transfer->sent += part;
        if (part == 0)
            *transfer = (Transfer){.to = None};
    }
}

static bool give_image(Clipboard *clipboard, Window to, Atom property) {
    if (clipboard->image.size > PART_MAX)
        return begin_parts(clipboard, to, property);
    write_property(clipboard, to, property, clipboard->png, clipboard->image.data, clipboard->image.size);
    return true;
}

static void answer(Clipboard *clipboard, const XSelectionRequestEvent *asked) {
    XSelectionEvent reply = {.type = SelectionNotify,
                             .display = asked->display,
                             .requestor = asked->requestor,
                             .selection = asked->selection,
                             .target = asked->target,
                             .property = asked->property != None ? asked->property : asked->target,
                             .time = asked->time};
    const Atom text[] = {clipboard->targets, clipboard->utf8, XA_STRING},
               image[] = {clipboard->targets, clipboard->png};
    const bool picture = clipboard->image.size > 0;
    if (asked->target == clipboard->targets)
        XChangeProperty(asked->display, asked->requestor, reply.property, XA_ATOM, 32, PropModeReplace,
                        (const unsigned char *)(picture ? image : text), picture ? 2 : 3);
    else if (picture && asked->target == clipboard->png && asked->selection == clipboard->clipboard)
        reply.property = give_image(clipboard, asked->requestor, reply.property) ? reply.property : None;
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
        else if (event.type == PropertyNotify && event.xproperty.state == PropertyDelete)
            go_on(clipboard, &event.xproperty);
    }
    XFlush(clipboard->display);
}
