/* x_client.c: another program on the display, for tests of what programs give each other:
 *   x_client drop WINDOW TYPE FILE   drags what is in FILE, as TYPE, onto the window (XDND 5) and drops it there
 *   x_client paste TYPE              prints what the clipboard has as TYPE, in parts (INCR) if need be
 *   x_client close WINDOW            asks the window to close, as its frame's button does
 *   x_client keys KEYSYM...          gives each a key that had none, for good
 *   x_client property NAME FILE      has the root window's property NAME be the bytes of FILE, or goes if it has none
 *   x_client monitors X...           parts the screen into monitors that begin there, as in 0 640
 * Exit status 1 if it is not taken, or not to be had; 2 if nothing answers for 20 seconds. */
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xlibint.h>
#include <X11/extensions/randr.h>
#include <X11/extensions/randrproto.h>
#undef Status
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_SECONDS = 20, LIST_MAX = 1 << 20 };

static Display *display;
static Window window;

static Atom atom(const char *name) {
    return XInternAtom(display, name, False);
}

static void send(Window to, const char *name, const long data[5]) {
    XEvent event = {.xclient = {.type = ClientMessage, .window = to, .message_type = atom(name), .format = 32}};
    memcpy(event.xclient.data.l, data, 5 * sizeof *data);
    XSendEvent(display, to, False, NoEventMask, &event);
    XFlush(display);
}

/* Gives the list to any program that asks for it, and says so. */
static void give(const XSelectionRequestEvent *asked, Atom type, const char *list, size_t size) {
    XEvent reply = {.xselection = {.type = SelectionNotify,
                                   .requestor = asked->requestor,
                                   .selection = asked->selection,
                                   .target = asked->target,
                                   .property = asked->target == type ? asked->property : None,
                                   .time = asked->time}};
    if (asked->target == type)
        XChangeProperty(display, asked->requestor, asked->property, type, 8, PropModeReplace,
                        (const unsigned char *)list, (int)size);
    XSendEvent(display, asked->requestor, False, NoEventMask, &reply);
    XFlush(display);
}

/* Until the target says so: its message of this name, whose second number has the answer in bit 0. */
static bool accepted(const char *name, Atom type, const char *list, size_t size) {
    XEvent event;
    for (;;) {
        XNextEvent(display, &event);
        if (event.type == SelectionRequest)
            give(&event.xselectionrequest, type, list, size);
        else if (event.type == ClientMessage && event.xclient.message_type == atom(name))
            return event.xclient.data.l[1] & 1;
    }
}

static int drop(Window target, const char *type_name, const char *path) {
    static char list[LIST_MAX];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(list, 1, sizeof list, file) : 0;
    const Atom type = atom(type_name), copy = atom("XdndActionCopy");
    const Atom types[] = {atom("TARGETS"), XA_STRING, atom("text/html"), type};
    Atom kind;
    int format;
    unsigned long count, left;
    unsigned char *version = NULL;
    if (file)
        fclose(file);
    XGetWindowProperty(display, target, atom("XdndAware"), 0, 1, False, XA_ATOM, &kind, &format, &count, &left,
                       &version);
    if (!version || count != 1 || *(unsigned long *)(void *)version < 5) {
        fputs("not aware of XDND 5\n", stderr);
        return 1;
    }
    XSetSelectionOwner(display, atom("XdndSelection"), window, CurrentTime);
    XChangeProperty(display, window, atom("XdndTypeList"), XA_ATOM, 32, PropModeReplace, (const unsigned char *)types,
                    4);
    send(target, "XdndEnter", (long[]){(long)window, 5L << 24 | 1, (long)types[0], (long)types[1], (long)types[2]});
    for (int i = 0; i < 3; i++) {
        send(target, "XdndPosition", (long[]){(long)window, 0, (100L + i) << 16 | 100, CurrentTime, (long)copy});
        if (!accepted("XdndStatus", type, list, size)) {
            send(target, "XdndLeave", (long[]){(long)window, 0, 0, 0, 0});
            fputs("refused\n", stderr);
            return 1;
        }
    }
    send(target, "XdndDrop", (long[]){(long)window, 0, CurrentTime, 0, 0});
    return accepted("XdndFinished", type, list, size) ? 0 : 1;
}

/* Reads our property and deletes it, which asks for the next part. */
static size_t take(Atom property, Atom *type, bool print) {
    int format;
    unsigned long count = 0, left;
    unsigned char *bytes = NULL;
    XGetWindowProperty(display, window, property, 0, 1 << 26, True, AnyPropertyType, type, &format, &count, &left,
                       &bytes);
    if (bytes && print && *type != atom("INCR"))
        fwrite(bytes, format == 32 ? sizeof(long) : (size_t)format / 8, count, stdout);
    if (bytes)
        XFree(bytes);
    return count;
}

static int paste(const char *type_name) {
    const Atom property = atom("GLINT_TEST");
    Atom type;
    XEvent event;
    XSelectInput(display, window, PropertyChangeMask);
    XConvertSelection(display, atom("CLIPBOARD"), atom(type_name), property, window, CurrentTime);
    do
        XNextEvent(display, &event);
    while (event.type != SelectionNotify);
    if (event.xselection.property == None)
        return 1;
    take(property, &type, true);
    for (size_t more = type == atom("INCR"); more > 0;) {
        do
            XNextEvent(display, &event);
        while (event.type != PropertyNotify || event.xproperty.state != PropertyNewValue ||
               event.xproperty.atom != property);
        more = take(property, &type, true);
    }
    return 0;
}

static int ask_to_close(Window target) {
    XEvent event = {
        .xclient = {.type = ClientMessage, .window = target, .message_type = atom("WM_PROTOCOLS"), .format = 32}};
    event.xclient.data.l[0] = (long)atom("WM_DELETE_WINDOW");
    XSendEvent(display, target, False, NoEventMask, &event);
    return 0;
}

/* From the last key on: servers number those that keyboards have from the first. */
static int add_keys(int count, char *const names[]) {
    int first, last, each;
    XDisplayKeycodes(display, &first, &last);
    KeySym *known = XGetKeyboardMapping(display, (KeyCode)first, last - first + 1, &each);
    int added = 0;
    for (int key = last; known && key >= first && added < count; key--) {
        KeySym symbol = XStringToKeysym(names[added]);
        if (known[(key - first) * each] == NoSymbol) {
            XChangeKeyboardMapping(display, key, 1, &symbol, 1);
            added++;
        }
    }
    XFree(known);
    return added == count ? 0 : 1;
}

static int set_property(const char *name, const char *path) {
    static unsigned char bytes[LIST_MAX];
    FILE *file = fopen(path, "rb");
    const size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file)
        return 2;
    fclose(file);
    if (size > 0)
        XChangeProperty(display, DefaultRootWindow(display), atom(name), XA_CARDINAL, 8, PropModeReplace, bytes,
                        (int)size);
    else
        XDeleteProperty(display, DefaultRootWindow(display), atom(name));
    return 0;
}

/* The screen's output, which the server would else make a monitor of. */
static CARD32 output_of_screen(int opcode) {
    xRRGetScreenResourcesReq *request;
    xRRGetScreenResourcesReply reply;
    CARD32 ids[64] = {0};
    request = _XGetRequest(display, X_RRGetScreenResources, sz_xRRGetScreenResourcesReq);
    request->reqType = (CARD8)opcode;
    request->randrReqType = X_RRGetScreenResources;
    request->window = (CARD32)DefaultRootWindow(display);
    if (!_XReply(display, (xReply *)(void *)&reply, 0, xFalse))
        return 0;
    const size_t count = (size_t)reply.nCrtcs + reply.nOutputs;
    const unsigned long words = reply.length, read = count < 64 ? count : 64;
    _XRead(display, (char *)ids, (long)(4 * read));
    _XEatDataWords(display, words - read);
    return ids[reply.nCrtcs];
}

static void set_monitor(int opcode, Atom name, CARD32 output, int from, int to) {
    xRRSetMonitorReq *request;
    request = _XGetRequest(display, X_RRSetMonitor, sz_xRRSetMonitorReq);
    request->reqType = (CARD8)opcode;
    request->randrReqType = X_RRSetMonitor;
    request->window = (CARD32)DefaultRootWindow(display);
    request->monitor = (xRRMonitorInfo){.name = (CARD32)name,
                                        .primary = output != 0,
                                        .noutput = output != 0,
                                        .x = (INT16)from,
                                        .width = (CARD16)(to - from),
                                        .height = (CARD16)DisplayHeight(display, DefaultScreen(display)),
                                        .widthInMillimeters = 300,
                                        .heightInMillimeters = 200};
    if (output != 0) {
        request->length++;
        _XSend(display, (char *)&output, 4);
    }
}

static int set_monitors(int count, char *const starts[]) {
    int opcode, event, error;
    char name[16];
    if (!XQueryExtension(display, RANDR_NAME, &opcode, &event, &error))
        return 1;
    Atom names[16];
    for (int i = 0; i < count && i < 16; i++) {
        snprintf(name, sizeof name, "part%d", i);
        names[i] = atom(name);
    }
    LockDisplay(display);
    const CARD32 output = output_of_screen(opcode);
    for (int i = 0; i < count && i < 16; i++)
        set_monitor(opcode, names[i], i == 0 ? output : 0, atoi(starts[i]),
                    i + 1 < count ? atoi(starts[i + 1]) : DisplayWidth(display, DefaultScreen(display)));
    UnlockDisplay(display);
    XSync(display, False);
    return 0;
}

int main(int argc, char **argv) {
    display = XOpenDisplay(NULL);
    if (!display || argc < 3)
        return 2;
    alarm(WAIT_SECONDS);
    window = XCreateSimpleWindow(display, DefaultRootWindow(display), 0, 0, 1, 1, 0, 0, 0);
    const Window target = (Window)strtoul(argv[2], NULL, 0);
    const int status = strcmp(argv[1], "drop") == 0 && argc == 5       ? drop(target, argv[3], argv[4])
                       : strcmp(argv[1], "close") == 0                 ? ask_to_close(target)
                       : strcmp(argv[1], "keys") == 0                  ? add_keys(argc - 2, argv + 2)
                       : strcmp(argv[1], "monitors") == 0              ? set_monitors(argc - 2, argv + 2)
                       : strcmp(argv[1], "property") == 0 && argc == 4 ? set_property(argv[2], argv[3])
                                                                       : paste(argv[2]);
    XCloseDisplay(display);
    return status;
}
