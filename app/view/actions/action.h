/* action.h: everything that a person can have the window do, as rows of a table.
 * A menu is a file of `menus/`: its functions, and its rows. Keys, menus, the list of all actions, the help page, files
 * of keys and scripts come from these rows. */
#ifndef GLINT_APP_VIEW_ACTIONS_ACTION_H
#define GLINT_APP_VIEW_ACTIONS_ACTION_H

#include "app/view/session/viewer.h"

#include <stddef.h>

/* The argument that an action wants: a chain, a level, a file. */
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
    bool scenes;   /* the choices are scenes, which have pictures */
    bool proposes; /* a path: the name in the line that `format` begins with is marked, for a typed one replaces it */
};

static inline bool argument_is_optional(const Argument *argument) {
    return argument->name[0] == '[';
}

typedef enum ActionPlace { ANYWHERE, IN_PICTURES, IN_SCENES } ActionPlace;

/* How an action is asked for. */
typedef struct Call {
    int step;         /* the row's: which way, how far */
    const char *text; /* its argument, or NULL: none was given, and a box asks for one that is needed */
    bool pressed;     /* false: a key that was held is let go */
    bool held;        /* by a key, which will be let go */
    bool strict;      /* by a script: a job that the chosen level cannot do fails; else the best level takes over */
} Call;

enum {
    ACTION_HELD = 1,        /* also called when its key is let go */
    ACTION_RULE = 2,        /* menus have a line above it */
    ACTION_CONTEXT = 4,     /* in the menu of the picture */
    ACTION_TYPING = 8,      /* its keys count while a line is typed, too */
    ACTION_UNWRITTEN = 16,  /* transcripts leave it out: its effects have lines of their own, or none */
    ACTION_CLOSES = 32,     /* an open menu, besides its own effect */
    ACTION_RARE = 64,       /* menus leave it out; the list of actions and the page of keys have it */
    ACTION_THUMBNAIL = 256, /* in the menu of a thumbnail of the strip, for selected pictures or the shown one */
    ACTION_OF_SPEED = 128,  /* about levels and times: its key works, and menus have it, where panels about them are
                               shown; elsewhere the list of actions has it, and it shows them */
};

/* A member of the viewer, of its Interface, or of its requests to the window: the bytes before it there. */
typedef struct Member {
    enum { MEMBER_NONE, MEMBER_OF_VIEWER, MEMBER_OF_INTERFACE, MEMBER_OF_REQUESTS } of;
    size_t at;
} Member;

struct Action {
    const char *name;  /* "next-level": of scripts and files of keys; menus show a label */
    const char *keys;  /* separated by blanks, unless a file says others: "Left", "Ctrl+K", "[" (case matters for
                          single letters) */
    const char *help;  /* one sentence */
    ActionPlace place; /* where keys and menus have it */
    /* One of these three does the work; a row that has a toggle or asks needs none. */
    Status (*act)(Viewer *viewer);
    Status (*take)(Viewer *viewer, const char *text); /* its argument */
    Status (*run)(Viewer *viewer, Call call);
    /* The bool that the action flips once its function has succeeded, or that is true while its key is held. With a
     * step: the Compare that becomes the step, or none if it is the step already. Menus have a tick while it is so. */
    Member toggle;
    /* Hands alone: whether it has asked a question (question.h) in place of the action, with its argument; or NULL. */
    bool (*doubts)(Viewer *viewer, const Action *action, const char *text);
    Member asks; /* the bool that the action sets; whoever serves the request clears it */
    int step;
    const Argument *argument; /* or NULL: it takes none */
    const char *texts;        /* the argument that each of its keys gives, in the keys' order; or NULL */
    unsigned flags;
    const char *menu;                  /* that has it (menu_names); NULL: its table's */
    bool (*can)(const Viewer *viewer); /* false: menus show it gray, since it would do nothing now; NULL: it can */
    bool (*on)(const Viewer *viewer);  /* whether menus have a tick, if the row has no toggle; NULL: never */
    const char *says[2];               /* the message once it is on, or the request is made; once it is off */
    const char *label;                 /* that menus and lists show; NULL: the name, with blanks */
    OverlayMode reveals;               /* the overlay grows to this one where it is on: smaller ones do not show it */
};

/* A file of actions. */
typedef struct Menu {
    const char *name; /* the menu that has those that name no other */
    const Action *actions;
    size_t count;
} Menu;

/* Actions by menus, in the order in which menus, the help page and lists have them. */
typedef struct ActionTable {
    const Menu *const *menus;
    size_t count; /* of menus */
} ActionTable;

/* Told of each action that is carried out: before, and after it has succeeded. */
struct ActionObserver {
    void (*before)(Viewer *viewer);
    void (*after)(Viewer *viewer, const Action *action, const Call *call);
};

extern const ActionTable action_table; /* the window's */

/* The menus of the bar, and the headings of the page of keys. */
enum { MENUS = 8 };
extern const char *const menu_names[MENUS];
/* The menu that has an action of this table. */
static inline const char *action_menu(const Menu *table, const Action *action) {
    return action->menu ? action->menu : table->name;
}

/* The action at this place, counted through all menus; NULL behind the last. */
const Action *action_at(ActionTable table, size_t place);
/* The place of one of the table's actions. */
size_t action_place(ActionTable table, const Action *action);
size_t action_count(ActionTable table);
/* NULL if there is none of this name. */
const Action *action_named(ActionTable table, const char *name);
const Action *action_by_name(const char *name); /* of the window's */
extern const Argument argument_command;         /* of the list of all actions: one of them, and its argument */
/* The action whose name is closest to this one of `length` characters and closer than *best (text_closer), which
 * becomes its distance; NULL: none is. */
const Action *action_closest(ActionTable table, const char *name, size_t length, size_t *best);
/* The column of facts at the right: as was asked for, or where the window is wide enough for it. */
bool action_shows_facts(const Viewer *viewer);

#endif
