/* interface.h: the state of the window itself, for any picture in it: the line that is typed, and the commands that
 * panels have asked for. */
#ifndef GLINT_APP_VIEW_SESSION_INTERFACE_H
#define GLINT_APP_VIEW_SESSION_INTERFACE_H

#include "app/view/data/choices.h"
#include "app/view/data/themes.h"
#include "core/param/param.h"

typedef struct Action Action; /* these three: app/view/actions/action.h */
typedef struct ActionObserver ActionObserver;
typedef struct Argument Argument;
typedef struct Keymap Keymap; /* app/view/actions/keymap.h */

#define SCALE_MIN 0.5 /* of texts */
#define SCALE_MAX 4.0

enum { ENTRY_MAX = 1024, ASKED_LENGTH = ENTRY_MAX + 64, ASKED_MAX = 16 };

/* A command that panels have asked for. */
typedef struct Asked {
    char line[ASKED_LENGTH];
    unsigned movement; /* that it is a step of, or 0 */
} Asked;

/* Where one is on the tour (app/view/actions/tour.h). */
typedef struct Tour {
    bool on, was_done; /* the step's task was done when it began */
    bool provided;     /* the state that it begins from was asked for */
    size_t step, rung; /* the level's, when the step began */
    char chain[256];   /* then */
} Tour;

/* The slider that the pointer is on: keys move it. */
typedef struct HoveredSlider {
    size_t link;
    const Param *param; /* the filter's own; NULL: there is none */
} HoveredSlider;

typedef struct Interface {
    const Action *entry_for; /* which action gets the line as its argument */
    bool previews;           /* its choices have thumbnails */
    Choices choices;         /* the lines that this one may become */
    size_t chosen;           /* of them; count or more: none */
    bool chosen_moved;       /* it is to be seen */
    size_t columns;          /* that choices stand in; 0: as 1 */
    Asked asked[ASKED_MAX];  /* in this order: action_ask, action_do_asked */
    size_t asked_count;
    bool no_bar;      /* the menu bar is hidden */
    bool crowded;     /* there was no room for the second column when panels were built last */
    bool facts_asked; /* whether facts are shown was said; else the window's width says it */
    bool context;     /* the menu of the picture is to open at the pointer */
    Keymap *keymap;   /* or NULL: the table's; borrowed */
    bool welcome;     /* the welcome page is open */
    Tour tour;
    HoveredSlider hovered;
    ThemeName theme;
    const Param *image_param; /* of the selected filter, that a path is typed for; NULL: its first of an image */
    unsigned looks_since;     /* the result, by its serial, when a line was begun or an editor opened */
    const char *fold;         /* the section that is to be folded, or shown again; NULL: none */
    double scale;             /* of texts and panels; 0: as the window and the display's dots suggest */
} Interface;

#endif
