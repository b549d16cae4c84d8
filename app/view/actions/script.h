/* script.h: the viewer driven by a file, one command a line: an action (actions.h) with its argument, or one of these.
 * Owns the table of commands that no hand needs. Commands that need a window ask the host, so that scripts also run in
 * tests without one. */
#ifndef GLINT_APP_VIEW_ACTIONS_SCRIPT_H
#define GLINT_APP_VIEW_ACTIONS_SCRIPT_H

#include "app/view/session/viewer.h"

/* From a point of the window to another one, with the left button down in between, or without; and Ctrl. */
typedef struct MouseWay {
    double from_x, from_y, x, y;
    bool presses, control;
    bool right; /* with that button */
} MouseWay;

/* The window, or a test, as scripts ask it for draws. */
typedef struct ScriptHost {
    void *self;
    Status (*draw)(void *self);                          /* one frame of the viewer's state */
    Status (*screenshot)(void *self, const char *path);  /* the whole window */
    Status (*resize)(void *self, int width, int height); /* returns once the window has this size */
    Status (*serve)(void *self);                         /* grants the viewer's wishes */
    /* Drags a parameter's slider by the mouse, from one share of its width to another, in as many passes of the loop.
     */
    Status (*drag)(void *self, const char *param, double from, double to, int steps);
    Status (*work)(void *self, ViewerTask *task, void *argument); /* does it, and meanwhile the window goes on */
    Status (*mouse)(void *self, MouseWay way);                    /* moves the pointer, with a button down or without */
    Status (*rest)(void *self, double ms);                        /* lets the window go on */
} ScriptHost;

typedef struct ScriptCommand {
    const char *name, *arguments, *help;
    Status (*run)(Viewer *viewer, const ScriptHost *host, const char *argument);
} ScriptCommand;

extern const ScriptCommand script_commands[];
extern const size_t script_command_count;

/* Runs the file ("-": standard input) until its end, `quit` or the first failure, whose message begins with "FILE:LINE:
 * ". The reader passes over blank lines and lines that begin with '#'. */
Status script_run(Viewer *viewer, const ScriptHost *host, const char *path);

#endif
