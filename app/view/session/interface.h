/* interface.h: the state of the window itself, for any picture in it: the line that is typed, and the commands that
 * panels have asked for. */
#ifndef GLINT_APP_VIEW_SESSION_INTERFACE_H
#define GLINT_APP_VIEW_SESSION_INTERFACE_H

#include "app/view/data/choices.h"
#include "app/view/data/grounds.h"
#include "core/base/status.h"
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
    bool on;
    bool was_done, done; /* the step's task: when the step began; since then */
    size_t step, rung;   /* the level's, when the step began */
    const char *actions; /* that the step asks for, by their names: their keys do nothing else */
    char chain[256];     /* then */
} Tour;

typedef struct Viewer Viewer;

enum { QUESTION_WORDS = 320 };

typedef struct Answer {
    const char *words;              /* of its button; a key of its first letter gives it */
    Status (*give)(Viewer *viewer); /* NULL: all stays as it is */
} Answer;

/* A question over the window, which keys and clicks answer (app/view/actions/question.h). */
typedef struct Question {
    char words[QUESTION_WORDS]; /* "": none is asked */
    const Answer *answers;      /* static; the last one is Esc's */
    size_t count, chosen;       /* chosen: Return's */
} Question;

/* The slider that arrow keys move: the last click was on it. A drag leaves them to the picture. */
typedef struct FocusedSlider {
    size_t link;
    const Param *param; /* the filter's own; NULL: there is none */
} FocusedSlider;

/* The value that a click on a slider asks for, until it is clear that no second click follows. */
typedef struct ClickedSlider {
    size_t link;
    const Param *param; /* the filter's own; NULL: there is none */
    double number;
    double at; /* clock_ms when it counts */
} ClickedSlider;

/* A number that was typed in the place of a table row's figure, until the row takes it. */
typedef struct TypedRow {
    unsigned row; /* the panels' own number of the row; 0: none */
    double number;
    bool ready; /* it is typed, and waits for the row */
} TypedRow;

typedef struct Interface {
    const Action *entry_for;        /* which action gets the line as its argument */
    bool previews;                  /* its choices have thumbnails */
    Choices choices;                /* the lines that this one may become */
    char no_match[ENTRY_MAX + 128]; /* the sentence, where a list has no choice for the typed words */
    size_t chosen;                  /* of them; count or more: none */
    bool chosen_moved;              /* it is to be seen */
    size_t columns;                 /* that choices stand in; 0: as 1 */
    Asked asked[ASKED_MAX];         /* in this order: action_ask, action_do_asked */
    size_t asked_count;
    bool no_bar;          /* the menu bar is hidden */
    bool crowded;         /* there was no room for the second column when panels were built last */
    bool facts_asked;     /* whether facts are shown was said; else the window's width says it */
    bool context;         /* the menu of the picture is to open at the pointer */
    Keymap *keymap;       /* or NULL: the table's; borrowed */
    char help_wanted[64]; /* words that the page of keys is searched for */
    bool welcome;         /* the welcome page is open */
    Tour tour;
    Question question;
    bool missed; /* the last click hit nothing of a panel, on which the pointer still is: letters that follow are a word
                  */
    const Action *doubtful_for;  /* that a question about a file is about; NULL: none was asked */
    char doubtful[ENTRY_MAX];    /* that file, as it was typed */
    char may_replace[ENTRY_MAX]; /* a file that may be replaced, as it was typed; or "" */
    bool told_quit;              /* Esc has said, since it last closed something, how the program ends */
    FocusedSlider focused;
    ClickedSlider clicked;
    ThemeName theme;
    GroundName ground;
    const Param *image_param; /* of the selected filter, that a path is typed for; NULL: its first of an image */
    const Param
        *typed_param; /* of the selected filter, or the row's, whose value is typed where it stands; NULL: none */
    TypedRow typed_row;
    size_t entry_kept;    /* so many characters at the line's begin stay: "sigma=" */
    bool entry_proposed;  /* the line is a path that was proposed, and no key has changed it or moved the caret */
    unsigned looks_since; /* the result, by its serial, when a line was begun or an editor opened */
    const char *fold;     /* the section that is to be folded, or shown again; NULL: none */
    double scale;         /* of texts and panels; 0: as the window and the display's dots suggest */
} Interface;

#endif
