/* actions.h: everything that a key does.
 * Owns the table that key dispatch, scripts and the help page come from. */
#ifndef GLINT_APP_VIEW_ACTIONS_H
#define GLINT_APP_VIEW_ACTIONS_H

#include "app/view/viewer.h"

typedef enum ActionPlace { IN_PICTURES = SUBJECT_PICTURE, IN_SCENES = SUBJECT_SCENE, ANYWHERE } ActionPlace;

typedef struct Action {
    const char *group; /* the help page's heading */
    const char *keys;  /* separated by blanks: "Left", "F5", "[" (case matters for letters) */
    const char *name;  /* two or three words */
    const char *help;  /* one sentence */
    ActionPlace place;
    bool held; /* also called when the key is let go */
    Status (*run)(Viewer *viewer, int argument, const char *key, bool pressed);
    int argument;
} Action;

extern const Action actions[];
extern const size_t action_count;

/* The action of a key in what is shown now, or NULL. */
const Action *action_for_key(const Viewer *viewer, const char *key);
/* Gives the key to what has the keys: the box that is typed in, an open menu, the help page, else the action. A key
 * that is let go ends what it did while held. STATUS_USAGE for a key that does nothing here. */
Status action_press(Viewer *viewer, const char *key, bool pressed);

#endif
