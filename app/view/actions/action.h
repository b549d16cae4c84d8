/* action.h: everything that a person can have the window do, as rows of a table.
 * Keys, menus, the list of all actions, the help page, files of keys and scripts come from that table (actions.c). */
#ifndef GLINT_APP_VIEW_ACTIONS_ACTION_H
#define GLINT_APP_VIEW_ACTIONS_ACTION_H

#include "app/view/session/viewer.h"

#include <stddef.h>

/* The argument that an action wants: a chain, a level, a file (arguments.h). */
struct Argument {
    const char *name;  /* of help texts: "PATH"; "[CHAIN]" may be left out */
    const char *words; /* the box says that Return takes this */
    /* The line's text at first, the length as snprintf does; NULL: none. */
    size_t (*format)(const Viewer *viewer, char *buffer, size_t size);
    Status (*check)(const char *text); /* whether it makes sense so far; NULL: anything may */
    /* Adds the lines that this one may become. choices->wanted is the part of it whose words are looked for; or
     * NULL. */
    Status (*choose)(const Viewer *viewer, const char *text, Choices *choices);
    bool listed; /* it is one of the choices: Return takes the best match, menus and the list of actions have them */
    /* The chain that a choice makes, for a thumbnail of its effect, the length as snprintf does; NULL: there is none.
     */
    size_t (*preview)(const Viewer *viewer, const char *choice, char *buffer, size_t size);
};

static inline bool argument_is_optional(const Argument *argument) {
    return argument->name[0] == '[';
}

typedef enum ActionPlace { IN_PICTURES = SUBJECT_PICTURE, IN_SCENES = SUBJECT_SCENE, ANYWHERE } ActionPlace;

/* How an action is asked for. */
typedef struct Call {
    int step;         /* the row's: which way, how far */
    const char *text; /* its argument, or NULL: none was given, and a box asks for one that is needed */
    bool pressed;     /* false: a key that was held is let go */
    bool held;        /* by a key, which will be let go */
    bool strict;      /* by a script: a job that the chosen level cannot do fails; else the best level takes over */
} Call;

enum {
    ACTION_HELD = 1,       /* also called when its key is let go */
    ACTION_RULE = 2,       /* menus have a line above it */
    ACTION_CONTEXT = 4,    /* in the menu of the picture */
    ACTION_TYPING = 8,     /* its keys count while a line is typed, too */
    ACTION_UNWRITTEN = 16, /* transcripts leave it out: its effects have lines of their own, or none */
    ACTION_CLOSES = 32,    /* an open menu, besides its own effect */
};

struct Action {
    const char *group; /* its menu, and the help page's heading */
    const char *name;  /* "next-level": of scripts and files of keys; menus show it with blanks */
    const char *keys;  /* separated by blanks, unless a file says others: "Left", "Ctrl+K", "[" (case matters for
                          single letters) */
    const char *help;  /* one sentence */
    ActionPlace place; /* where keys and menus have it */
    Status (*run)(Viewer *viewer, Call call);
    int step;
    const Argument *argument; /* or NULL: it takes none */
    const char *texts;        /* the argument that each of its keys gives, in the keys' order; or NULL */
    unsigned flags;
    bool (*on)(const Viewer *viewer); /* whether menus have a tick; NULL: never */
};

/* Told of each action that is carried out: before, and after it has succeeded. */
struct ActionObserver {
    void (*before)(Viewer *viewer);
    void (*after)(Viewer *viewer, const Action *action, const Call *call);
};

extern const Action actions[];
extern const size_t action_count;
const Action *action_by_name(const char *name); /* NULL if there is none */
/* The column of facts at the right: as was asked for, or where the window is wide enough for it. */
bool action_shows_facts(const Viewer *viewer);

#endif
