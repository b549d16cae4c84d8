/* letters.c: the input method, and events that stand for its letters. */
#include "app/view/window/letters.h"

#include <epoxy/glx.h> /* before other headers of OpenGL */

#include <GL/freeglut.h>
#include <X11/Xlib.h>
#include <X11/Xlibint.h>
#include <X11/keysym.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENTS_MAX = 256, TEXTS_MAX = 64 };

typedef Bool WireToEvent(Display *display, XEvent *event, xEvent *wire);

/* Events that freeglut reads from the server while it takes events are new to us: we hold them back until next time. */
typedef struct HeldBack {
    bool holds;
    XEvent events[EVENTS_MAX];
    size_t count;
    WireToEvent *before[LASTEvent]; /* makes events of the server's messages */
} HeldBack;

/* A key on its way to freeglut. */
typedef struct Press {
    unsigned char character;
    Time time;
} Press;

struct Letters {
    Display *display;
    Window window;
    XIM method;
    XIC context;
    KeyCode stand_in;
    XEvent *events[EVENTS_MAX]; /* on their way, in Xlib's queue */
    size_t pending;
    Letter typed[TEXTS_MAX];
    size_t first, count; /* of these, a ring */
    Press presses[EVENTS_MAX];
    size_t next_press, press_count;
};

/* ---- late events ---- */

static HeldBack held; /* Xlib's hooks have no argument of ours; there is one window */

/* Xlib holds the display meanwhile. */
static Bool hold_back(Display *display, XEvent *event, xEvent *wire) {
    if (!held.before[wire->u.u.type & 0x7f](display, event, wire))
        return False;
    if (!held.holds || held.count == EVENTS_MAX)
        return True;
    held.events[held.count++] = *event;
    return False;
}

/* Events of keys and the mouse, and of their meaning, so that these stay in order. */
static void hook(Display *display) {
    static const int types[] = {KeyPress,     KeyRelease,  ButtonPress, ButtonRelease,
                                MotionNotify, EnterNotify, LeaveNotify, MappingNotify};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        held.before[types[i]] = XESetWireToEvent(display, types[i], hold_back);
}

void letters_hold(bool holds) {
    held.holds = holds;
    if (holds)
        return;
    while (held.count > 0)
        XPutBackEvent(glXGetCurrentDisplay(), &held.events[--held.count]);
}

/* ---- the input method ---- */

/* The user's own, so that accents are put together as elsewhere, if it is UTF-8. */
static void set_locale(void) {
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        setlocale(LC_CTYPE, "C.UTF-8");
}

/* Xlib's own: servers answer later, out of the order of keys. */
static XIM open_method(Display *display) {
    return XSetLocaleModifiers("@im=none") ? XOpenIM(display, NULL, NULL, NULL) : NULL;
}

Letters *letters_create(void) {
    Letters *made = calloc(1, sizeof *made);
    if (!made)
        return NULL;
    set_locale();
    made->display = glXGetCurrentDisplay();
    made->window = glXGetCurrentDrawable();
    made->method = made->display ? open_method(made->display) : NULL;
    if (made->method)
        made->context = XCreateIC(made->method, XNInputStyle, XIMPreeditNothing | XIMStatusNothing, XNClientWindow,
                                  made->window, XNFocusWindow, made->window, NULL);
    made->stand_in = made->display ? XKeysymToKeycode(made->display, XK_Insert) : 0;
    if (!made->context || !made->stand_in)
        letters_destroy(&made);
    else {
        XSetICFocus(made->context);
        hook(made->display);
    }
    return made;
}

void letters_destroy(Letters **letters) {
    Letters *old = *letters;
    if (!old)
        return;
    if (old->context)
        XDestroyIC(old->context);
    if (old->method)
        XCloseIM(old->method);
    free(old);
    *letters = NULL;
}

/* A sign of the keyboard that is pressed with Ctrl. Xlib makes the same control characters of several: of Ctrl+[,
 * Ctrl+3 and Ctrl+Esc. */
static bool has_sign(const XKeyEvent *event, KeySym symbol) {
    return event->keycode != 0 && (event->state & ControlMask) && !(event->state & Mod1Mask) && symbol >= XK_space &&
           symbol <= XK_asciitilde;
}

/* Other keys of ASCII stay as they are, unless the method made them. */
static void stand_in(Letters *letters, XKeyEvent *event) {
    Letter *letter = &letters->typed[(letters->first + letters->count) % TEXTS_MAX];
    char *text = letter->text;
    int outcome = 0;
    KeySym symbol = NoSymbol;
    const int length = Xutf8LookupString(letters->context, event, text, LETTERS_MAX - 1, &symbol, &outcome);
    const bool made = event->keycode == 0, typed = length > 0 && outcome != XBufferOverflow;
    const bool text_alone = typed && (made || (text[0] & 0x80)) && !(event->state & (ControlMask | Mod1Mask));
    letter->sign = has_sign(event, symbol);
    if (letters->count == TEXTS_MAX || !(letter->sign || text_alone))
        return;
    text[length] = '\0';
    if (letter->sign)
        snprintf(text, LETTERS_MAX, "%c", (char)symbol);
    letter->shift = event->state & ShiftMask;
    letter->time = event->time;
    letters->count++;
    event->keycode = letters->stand_in;
    event->state = ControlMask | ShiftMask | Mod1Mask;
}

static void note_press(Letters *letters, XKeyEvent event) {
    char character;
    if (XLookupString(&event, &character, 1, NULL, NULL) == 1)
        letters->presses[letters->press_count++] = (Press){(unsigned char)character, event.time};
}

/* Xlib holds the display meanwhile: nothing may be asked of it here. The event stays in its queue. */
static Bool look(Display *display, XEvent *event, XPointer user) {
    Letters *letters = (Letters *)(void *)user;
    (void)display;
    if ((event->type == KeyPress && event->xkey.window == letters->window) || event->type == MappingNotify)
        if (letters->pending < EVENTS_MAX)
            letters->events[letters->pending++] = event;
    return False;
}

void letters_find(Letters *letters) {
    XEvent none;
    if (!letters)
        return;
    letters->pending = letters->next_press = letters->press_count = 0;
    (void)XCheckIfEvent(letters->display, &none, look, (XPointer)letters);
    for (size_t i = 0; i < letters->pending; i++) {
        XEvent *event = letters->events[i];
        XEvent copy = *event;
        if (event->type == MappingNotify)
            XRefreshKeyboardMapping(&copy.xmapping);
        else if (event->xkey.keycode != letters->stand_in && XFilterEvent(&copy, None))
            event->type = NoExpose; /* a part of an accent: nobody's */
        else {
            note_press(letters, event->xkey);
            stand_in(letters, &event->xkey);
        }
    }
}

bool letters_take(Letters *letters, int code, int modifiers, Letter *letter) {
    const int all = GLUT_ACTIVE_CTRL | GLUT_ACTIVE_SHIFT | GLUT_ACTIVE_ALT;
    if (!letters || letters->count == 0 || code != GLUT_KEY_INSERT || (modifiers & all) != all)
        return false;
    *letter = letters->typed[letters->first];
    letters->first = (letters->first + 1) % TEXTS_MAX;
    letters->count--;
    return true;
}

unsigned long letters_time(Letters *letters, unsigned char character) {
    for (size_t i = letters ? letters->next_press : 0; letters && i < letters->press_count; i++)
        if (letters->presses[i].character == character) {
            letters->next_press = i + 1;
            return letters->presses[i].time;
        }
    return 0;
}
