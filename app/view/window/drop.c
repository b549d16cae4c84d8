/* drop.c: XDND (freedesktop.org, "Drag-and-Drop Protocol for the X Window System", version 5), as a target. */
#include "app/view/window/drop.h"

#include <X11/Xatom.h>
#include <X11/Xlibint.h>
#include <epoxy/glx.h>
#undef Status /* Xlib's macro, which would hide ours */
#include <stdlib.h>
#include <string.h>

enum { VERSION = 5, ARRIVED_MAX = 64, LIST_MAX = 1 << 22 /* bytes */, TYPES_MAX = 256 };

typedef enum Name {
    AWARE,
    ENTER,
    POSITION,
    STATUS,
    LEAVE,
    DROPPED,
    FINISHED,
    SELECTION,
    TYPES,
    COPY,
    LIST,
    IN,
    NAMES
} Name;
static const char *const names[NAMES] = {
    [AWARE] = "XdndAware",    [ENTER] = "XdndEnter",     [POSITION] = "XdndPosition", [STATUS] = "XdndStatus",
    [LEAVE] = "XdndLeave",    [DROPPED] = "XdndDrop",    [FINISHED] = "XdndFinished", [SELECTION] = "XdndSelection",
    [TYPES] = "XdndTypeList", [COPY] = "XdndActionCopy", [LIST] = "text/uri-list",    [IN] = "GLINT_DROP"};

typedef Bool FromWire(Display *display, XEvent *event, xEvent *wire);

struct Drop {
    Display *display;
    Window window, source; /* ours, and the other program's while it drags something over ours */
    Atom atoms[NAMES];
    bool wanted; /* the source has a list of files */
    XEvent arrived[ARRIVED_MAX];
    size_t count;
    FromWire *client, *selection; /* as Xlib reads these events */
    char *taken;
};

/* Xlib's hooks know no more than the display. */
static Drop *hooked;

/* ---- events before freeglut ---- */

static bool is_ours(const Drop *drop, const XEvent *event) {
    if (event->type == SelectionNotify)
        return event->xselection.selection == drop->atoms[SELECTION];
    for (int name = ENTER; name <= DROPPED; name++)
        if (event->xclient.message_type == drop->atoms[name])
            return true;
    return false;
}

/* Xlib holds the display meanwhile: nothing may be asked of it here. Events that are kept are not queued. */
static Bool keep(Drop *drop, FromWire *read, Display *display, XEvent *event, xEvent *wire) {
    const Bool queued = read(display, event, wire);
    if (!queued || !is_ours(drop, event))
        return queued;
    if (drop->count < ARRIVED_MAX)
        drop->arrived[drop->count++] = *event;
    return False;
}

static Bool keep_client(Display *display, XEvent *event, xEvent *wire) {
    return keep(hooked, hooked->client, display, event, wire);
}

static Bool keep_selection(Display *display, XEvent *event, xEvent *wire) {
    return keep(hooked, hooked->selection, display, event, wire);
}

/* ---- answers ---- */

static void tell(const Drop *drop, Name name, long flags, Atom action) {
    XEvent event = {.xclient = {.type = ClientMessage,
                                .window = drop->source,
                                .message_type = drop->atoms[name],
                                .format = 32,
                                .data.l = {(long)drop->window, flags, 0, 0, 0}}};
    event.xclient.data.l[name == STATUS ? 4 : 2] = (long)action;
    XSendEvent(drop->display, drop->source, False, NoEventMask, &event);
}

static bool among(const Drop *drop, const unsigned long *types, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (types[i] == drop->atoms[LIST])
            return true;
    return false;
}

/* Whether the source lists a type that we take. A source of more than three types has a property. */
static bool among_listed(const Drop *drop) {
    Atom type;
    int format;
    unsigned long count = 0, left;
    unsigned char *types = NULL;
    bool there = false;
    if (XGetWindowProperty(drop->display, drop->source, drop->atoms[TYPES], 0, TYPES_MAX, False, XA_ATOM, &type,
                           &format, &count, &left, &types) == Success &&
        types && format == 32)
        there = among(drop, (const unsigned long *)(const void *)types, count);
    if (types)
        XFree(types);
    return there;
}

static void enter(Drop *drop, const XClientMessageEvent *message) {
    unsigned long types[3];
    const bool more = message->data.l[1] & 1;
    drop->source = (Window)message->data.l[0];
    for (int i = 0; i < 3; i++)
        types[i] = (unsigned long)message->data.l[2 + i];
    drop->wanted = more ? among_listed(drop) : among(drop, types, 3);
}

static void leave(Drop *drop, const XClientMessageEvent *message) {
    (void)message;
    drop->source = None;
}

/* Files may be dropped anywhere; the window copies them, whatever action was asked for. */
static void answer_position(Drop *drop, const XClientMessageEvent *message) {
    (void)message;
    tell(drop, STATUS, drop->wanted ? 3 : 2, drop->wanted ? drop->atoms[COPY] : None);
}

static void finish(Drop *drop, bool done) {
    tell(drop, FINISHED, done, done ? drop->atoms[COPY] : None);
    drop->source = None;
}

static void ask_for_list(Drop *drop, const XClientMessageEvent *message) {
    if (!drop->wanted)
        finish(drop, false);
    else
        XConvertSelection(drop->display, drop->atoms[SELECTION], drop->atoms[LIST], drop->atoms[IN], drop->window,
                          (Time)message->data.l[2]);
}

static void receive(Drop *drop, const XSelectionEvent *come) {
    Atom type = None;
    int format = 0;
    unsigned long count = 0, left = 0;
    unsigned char *bytes = NULL;
    if (come->property != None)
        XGetWindowProperty(drop->display, drop->window, come->property, 0, LIST_MAX / 4, True, drop->atoms[LIST], &type,
                           &format, &count, &left, &bytes);
    const bool whole = bytes && type == drop->atoms[LIST] && format == 8 && left == 0;
    if (whole) {
        free(drop->taken);
        drop->taken = strdup((const char *)bytes);
    }
    if (bytes)
        XFree(bytes);
    if (drop->source != None)
        finish(drop, whole);
}

/* Answers a message; messages of a source that has not entered get no answer. */
static void answer(Drop *drop, const XEvent *event) {
    static const struct {
        Name name;
        void (*run)(Drop *drop, const XClientMessageEvent *message);
    } answers[] = {{ENTER, enter}, {POSITION, answer_position}, {LEAVE, leave}, {DROPPED, ask_for_list}};
    const XClientMessageEvent *message = &event->xclient;
    if (event->type == SelectionNotify) {
        receive(drop, &event->xselection);
        return;
    }
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++)
        if (message->message_type == drop->atoms[answers[i].name] && message->format == 32 &&
            (answers[i].name == ENTER || (Window)message->data.l[0] == drop->source))
            answers[i].run(drop, message);
}

void drop_serve(Drop *drop) {
    while (drop->count > 0) { /* more may arrive with each answer */
        const XEvent event = drop->arrived[0];
        memmove(drop->arrived, drop->arrived + 1, --drop->count * sizeof drop->arrived[0]);
        answer(drop, &event);
        XFlush(drop->display);
    }
}

bool drop_due(const Drop *drop) {
    return drop->count > 0;
}

char *drop_take(Drop *drop) {
    char *list = drop->taken;
    drop->taken = NULL;
    return list;
}

/* ---- birth and death ---- */

Status drop_create(Drop **drop) {
    Drop *made = *drop = calloc(1, sizeof *made);
    const unsigned long version = VERSION; /* Xlib takes 32 bits as a long */
    if (!made)
        return fail(STATUS_DEVICE, "no memory for the dropped files");
    made->display = glXGetCurrentDisplay();
    made->window = glXGetCurrentDrawable();
    XInternAtoms(made->display, (char **)(size_t)names, NAMES, False, made->atoms);
    hooked = made;
    made->client = XESetWireToEvent(made->display, ClientMessage, keep_client);
    made->selection = XESetWireToEvent(made->display, SelectionNotify, keep_selection);
    XChangeProperty(made->display, made->window, made->atoms[AWARE], XA_ATOM, 32, PropModeReplace,
                    (const unsigned char *)&version, 1);
    XFlush(made->display);
    return STATUS_OK;
}

void drop_destroy(Drop **drop) {
    if (!*drop)
        return;
    XESetWireToEvent((*drop)->display, ClientMessage, (*drop)->client);
    XESetWireToEvent((*drop)->display, SelectionNotify, (*drop)->selection);
    hooked = NULL;
    free((*drop)->taken);
    free(*drop);
    *drop = NULL;
}
