/* tool.h: what hands work with on a picture, as the session sees it: a row of functions.
 * Owns nothing; the table is in app/view/tools/tools.c. Functions that a tool lacks are NULL. */
#ifndef GLINT_APP_VIEW_SESSION_TOOL_H
#define GLINT_APP_VIEW_SESSION_TOOL_H

#include "app/view/session/session.h"

typedef struct Viewer Viewer;

typedef struct ToolKind {
    const char *name;
    /* Adds to what the window wants of the session. */
    void (*wish)(const Viewer *viewer, Wishes *wishes);
    /* Work for the tool's sake: whether some is due, whether it is so short that it need not wait until hands rest, and
     * doing it. STATUS_INTERRUPTED if it was stopped. */
    bool (*due)(const Session *session);
    bool (*soon)(const Session *session);
    Status (*measure)(Session *session);
    bool late; /* behind all measurements, not before them */
} ToolKind;

extern const ToolKind *const tool_kinds[];
extern const size_t tool_count;

#endif
