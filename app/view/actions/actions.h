/* actions.h: everything that a person can have the window do.
 * Owns the one table that keys, menus, the list of all actions, the help page, files of keys and scripts come from. */
#ifndef GLINT_APP_VIEW_ACTIONS_ACTIONS_H
#define GLINT_APP_VIEW_ACTIONS_ACTIONS_H

#include "app/view/actions/arguments.h"
#include "app/view/session/viewer.h"

typedef enum ActionPlace { IN_PICTURES = SUBJECT_PICTURE, IN_SCENES = SUBJECT_SCENE, ANYWHERE } ActionPlace;

/* How an action is asked for. */
typedef struct Call {
    int step;         /* the row's: which way, how far */
    const char *text; /* its argument, or NULL: none was given, and a box asks for one that is needed */
    bool pressed;     /* false: a key that was held is let go */
    bool held;        /* by a key, which will be let go */
    bool strict;      /* by a script: what the chosen level cannot do fails; else the best level takes over */
} Call;

enum {
    ACTION_HELD = 1,       /* also called when its key is let go */
    ACTION_RULE = 2,       /* menus have a line above it */
    ACTION_CONTEXT = 4,    /* in the menu of the picture */
    ACTION_TYPING = 8,     /* its keys count while a line is typed, too */
    ACTION_UNWRITTEN = 16, /* transcripts leave it out: what it leads to has lines of its own, or none */
};

typedef struct Action {
    const char *group; /* its menu, and the help page's heading */
    const char *name;  /* "next-level": of scripts and files of keys; menus show it with blanks */
    const char *keys;  /* separated by blanks, unless a file says others: "Left", "Ctrl+K", "[" (case matters for
                          single letters) */
    const char *help;  /* one sentence */
    ActionPlace place; /* where keys and menus have it */
    Status (*run)(Viewer *viewer, Call call);
    int step;
    const Argument *argument; /* or NULL: it takes none */
    const char *texts;        /* what each of its keys, in their order, gives as the argument; or NULL */
    unsigned flags;
    bool (*on)(const Viewer *viewer); /* whether menus have a tick; NULL: never */
} Action;

extern const Action actions[];
extern const size_t action_count;

const Action *action_by_name(const char *name); /* NULL if there is none */
/* "next level": the name as people read it; returns `buffer`. */
const char *action_label(const Action *action, char *buffer, size_t size);
bool action_is_here(const Viewer *viewer, const Action *action);
/* Its keys now, separated by blanks; "" for none. */
const char *action_keys(const Viewer *viewer, const Action *action);
/* Of these the ones that do it in what is shown now; returns `buffer`. */
enum { ACTION_KEYS = 48 };
const char *action_keys_here(const Viewer *viewer, const Action *action, char buffer[ACTION_KEYS]);
/* The action of a key in what is shown now, or NULL. An action of anywhere leaves its key to one that is of what is
 * shown alone, as walking is. */
const Action *action_for_key(const Viewer *viewer, const char *key);
/* All that is carried out, is by this. */
Status action_run(Viewer *viewer, const Action *action, Call call);
/* Whether the key may do anything in what is shown now. */
bool action_knows_key(const Viewer *viewer, const char *key);
/* Whether letting go of it ends something. */
bool action_lets_go(const Viewer *viewer, const char *key);
/* Gives the key to what has the keys: the box that is typed in, an open menu, the help page, the slider under the
 * pointer, else the action. A key
 * that is let go ends what it did while held. STATUS_USAGE for a key that does nothing here. */
Status action_press(Viewer *viewer, const char *key, bool pressed);
/* Does what a line of a script says: the name and, behind blanks, the argument. STATUS_USAGE if there is no such
 * action, or `strict` and it wants an argument that is not there. */
Status action_command(Viewer *viewer, const char *line, bool strict);
/* Closes what lies on top, then the program. */
Status action_close(Viewer *viewer, Call call);
/* The column of facts at the right: as was asked for, or where the window is wide enough for it. */
bool action_shows_facts(const Viewer *viewer);
/* Opens paths and files' URLs, separated by characters of `between`; the first picture of them that can be used is
 * shown. */
Status action_open_list(Viewer *viewer, const char *list, const char *between);
/* Opens what was copied elsewhere, paths or files' URLs, a line each, or puts the first line into the one that is
 * typed. */
Status action_paste(Viewer *viewer, const char *text);
/* Has the window do that soon, after all that was asked for before, without holding up who asks; `text` may be NULL. */
void action_ask(Viewer *viewer, const Action *action, const char *text);
void action_ask_line(Viewer *viewer, const char *line); /* as scripts have it */
/* Does the first of what was asked for. */
Status action_do_asked(Viewer *viewer);

#endif
