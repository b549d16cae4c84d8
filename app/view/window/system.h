/* system.h: the system that the window lives in. It gives the window a context of OpenGL, shows its draws, brings its
 * events, and connects it with other programs. glut_system.c is X11 by freeglut. */
#ifndef GLINT_APP_VIEW_WINDOW_SYSTEM_H
#define GLINT_APP_VIEW_WINDOW_SYSTEM_H

#include "core/base/bytes.h"
#include "core/base/status.h"

#include <stdbool.h>

typedef struct Glut Glut; /* app/view/window/glut.h */
typedef struct System System;

/* All but `destroy` and `open` are called between `open` and the end of the window, by the thread of the window. */
typedef struct SystemKind {
    /* Opens a window of this size, which keeps its events in glut->events; its context of OpenGL 3.3 core is current.
     * Sets glut->id. STATUS_DEVICE in one sentence if that cannot be. */
    Status (*open)(System *system, Glut *glut, int width, int height);
    /* Closes it by window_closes (window.h), if it is open. */
    void (*close)(System *system);
    void (*destroy)(System *system);
    /* The context and the framebuffer of the window are those of the draws that follow. */
    void (*begin_draw)(System *system);
    /* Brings the draw to the eye. */
    void (*swap)(System *system);
    /* Whether something has come that `take_events` would take. */
    bool (*has_events)(System *system);
    /* Sleeps until that is so, the descriptor is readable, or a signal comes; at most `ms` (-1: without end). */
    void (*wait)(System *system, int descriptor, int ms);
    /* Keeps what has come in glut->events, and answers other programs. The window may close. */
    void (*take_events)(System *system);
    /* Whether any key is down, also one that the window was not told of. */
    bool (*holds_a_key)(System *system);
    void (*set_title)(System *system, const char *title);
    /* Asks for another size: an event brings it. */
    void (*resize)(System *system, int width, int height);
    /* Goes to the full screen and back, if asked to; returns whether the window fills it. */
    bool (*full_screen)(System *system, bool toggle);
    /* The clipboard: offers a copy of the text, or a PNG, which it takes over; asks for its text. */
    Status (*offer_text)(System *system, const char *text);
    void (*offer_image)(System *system, Bytes png);
    void (*ask_text)(System *system);
    /* The text that was asked for, and a list of files that were dropped (text/uri-list), once they have come (free
     * with free); else NULL. */
    char *(*take_text)(System *system);
    char *(*take_files)(System *system);
} SystemKind;

/* The first member of each system. */
struct System {
    const SystemKind *kind;
    double dpi; /* of the display; 0: not known */
};

#endif
