/* states.h: the states that the mouse and panels set without an action: where the picture lies, a scene's camera, ...
 * Owns the table of these states, as text: how each is written, and the commands that set them, for scripts. */
#ifndef GLINT_APP_VIEW_ACTIONS_STATES_H
#define GLINT_APP_VIEW_ACTIONS_STATES_H

#include "app/view/session/viewer.h"

#define STATE_NONE SIZE_MAX /* there is no such state now */

typedef struct State {
    const char *name;    /* of the command that sets it: one of these, or an action's, or another one of scripts */
    const char *initial; /* a window's at first; NULL: its first value */
    size_t (*format)(const Viewer *viewer, char *buffer, size_t size); /* the length as snprintf does, or STATE_NONE */
    /* STATUS_USAGE if the text makes no sense here. NULL: that other command does it. */
    Status (*set)(Viewer *viewer, const char *text);
    const char *arguments, *help; /* of `set` */
} State;

/* In the order in which they have to be set. */
extern const State states[];
extern const size_t state_count;

#endif
