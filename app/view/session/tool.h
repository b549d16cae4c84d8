/* tool.h: a tool of the window, such as the brush, as the session sees it: a row of functions.
 * Owns nothing; the table is in app/view/tools/table.c. Functions that a tool lacks are NULL. */
#ifndef GLINT_APP_VIEW_SESSION_TOOL_H
#define GLINT_APP_VIEW_SESSION_TOOL_H

#include "app/view/session/session.h"

typedef struct Viewer Viewer;
typedef struct Tools Tools; /* app/view/tools/table.c */

typedef enum MouseButton { MOUSE_LEFT, MOUSE_RIGHT, MOUSE_MIDDLE, MOUSE_BUTTONS } MouseButton;

/* The events of the mouse that tools see. The tool that takes a press gets the moves until the next button event. */
typedef enum ToolEventKind {
    TOOL_DOWN,    /* a button goes down, on the picture or elsewhere; for all tools, none takes it */
    TOOL_PRESS,   /* a button goes down on the picture */
    TOOL_MOVE,    /* of a drag */
    TOOL_RELEASE, /* a button was let go; for all tools, none takes it */
    TOOL_CLICK,   /* of the left button on the picture, without a drag */
    TOOL_TURN,    /* a drag turns the camera by dx, dy */
    TOOL_FLING,   /* the camera is let go at dx, dy pixels a second */
    TOOL_WHEEL    /* on the picture */
} ToolEventKind;

/* Pixels of the window, from the top left. */
typedef struct ToolEvent {
    ToolEventKind kind;
    MouseButton button;
    bool shift, ctrl;
    double x, y;
    double result_x; /* where the sides lie next to each other: of that place on the result */
    double dx, dy;
    int direction; /* of the wheel: up (1) or down (-1) */
} ToolEvent;

typedef struct ToolKind {
    const char *name;
    size_t size;               /* of its struct, which its own file alone knows */
    void (*begin)(void *tool); /* sets members that do not begin with zero */
    void (*end)(void *tool);   /* frees the members, not the struct */
    /* Adds to the window's wishes of the session. */
    void (*wish)(const Viewer *viewer, Wishes *wishes);
    /* Work for the tool's sake: whether some is due, whether it is so short that it need not wait until hands rest, and
     * doing it. STATUS_INTERRUPTED if it was stopped. */
    bool (*due)(const Session *session);
    bool (*soon)(const Session *session);
    Status (*measure)(Session *session);
    bool late; /* behind all measurements, not before them */
    /* Changes that wait for viewer_settle, as requests do: whether there are some, and making them. */
    bool (*asks)(const Viewer *viewer);
    Status (*settle)(Viewer *viewer);
    void (*follow)(Viewer *viewer);                        /* another request was carried out */
    Status (*leave)(Viewer *viewer);                       /* the result is about to be saved */
    Status (*await)(Viewer *viewer);                       /* the same, or all work is to be done: ends its own */
    bool (*moves)(const Viewer *viewer);                   /* it goes on by itself: its requests are one movement */
    void (*go_on)(Viewer *viewer, double now);             /* makes the requests due by then, clock_ms */
    bool (*event)(Viewer *viewer, const ToolEvent *event); /* true if it takes it */
    bool (*close)(Viewer *viewer);                         /* Esc ends it; false if it was not open */
    /* The action that a key has while the tool is open, in place of the key's own; NULL: none. */
    const char *(*action)(const Viewer *viewer, const char *key);
    /* Pixels of the window that a fitted picture leaves around itself while the tool is open. */
    double (*margin)(const Viewer *viewer);
    bool page;  /* it lies over the window, panels included */
    bool drags; /* while it is open, it takes drags of the picture; one of these is open at a time, */
    const struct ToolKind *within; /* but for the one that goes on when this one ends */
} ToolKind;

extern const ToolKind *const tool_kinds[];
extern const size_t tool_count;

/* The viewer's tool of this kind: its own file alone calls this. */
void *tool_of(const Viewer *viewer, const ToolKind *kind);
/* Makes all tools, as they are to begin with; STATUS_DEVICE if memory is short. */
Status tools_create(Tools **tools);
void tools_destroy(Tools **tools);     /* accepts NULL */
bool tools_move(const Viewer *viewer); /* a tool goes on by itself */
/* Waits for what tools do on threads of their own. Fails as the first of them that fails. */
Status tools_await(Viewer *viewer);
/* Has tools go on until `now`, clock_ms. */
void tools_go_on(Viewer *viewer, double now);
/* Offers an event to the tools in the table's order; returns the one that took it, or NULL. */
const ToolKind *tools_take(Viewer *viewer, const ToolEvent *event);
/* The action of a key by the tools that are open, the uppermost first; NULL: it has its own. */
const char *tools_action(const Viewer *viewer, const char *key);
/* The largest margin that an open tool wants. */
double tools_margin(const Viewer *viewer);
/* Closes the uppermost open tool, the last one in the table, among pages or among the others; false if none is open. */
bool tools_close(Viewer *viewer, bool pages);
/* For a tool of drags that is about to open: closes the others of these. */
void tools_close_others(Viewer *viewer, const ToolKind *kind);

#endif
