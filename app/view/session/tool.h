/* tool.h: a tool of the window, such as the brush, as the session sees it: a row of functions.
 * Owns nothing; the table is in app/view/tools/table.c. Functions that a tool lacks are NULL. */
#ifndef GLINT_APP_VIEW_SESSION_TOOL_H
#define GLINT_APP_VIEW_SESSION_TOOL_H

#include "app/view/session/session.h"

typedef struct Viewer Viewer;
typedef struct Tools Tools; /* app/view/tools/tools.h */

typedef struct ToolKind {
    const char *name;
    size_t place, size;        /* of its pointer in Tools; of the struct */
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
    void (*follow)(Viewer *viewer);      /* another request was carried out */
    Status (*leave)(Viewer *viewer);     /* the result is about to be saved */
    bool (*moves)(const Viewer *viewer); /* it goes on by itself: its requests are one movement */
} ToolKind;

extern const ToolKind *const tool_kinds[];
extern const size_t tool_count;

/* Makes all tools, as they are to begin with; STATUS_DEVICE if memory is short. */
Status tools_create(Tools **tools);
void tools_destroy(Tools **tools); /* accepts NULL */

#endif
