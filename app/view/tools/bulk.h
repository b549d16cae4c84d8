/* bulk.h: a change of many pictures, by their sidecars, while the window goes on.
 * Owns the list of pictures and how far it is. Each pass of the window's loop changes some, which wait for the disk
 * together. Esc stops behind those. */
#ifndef GLINT_APP_VIEW_TOOLS_BULK_H
#define GLINT_APP_VIEW_TOOLS_BULK_H

#include "app/view/session/tool.h"

typedef struct SidecarGroup SidecarGroup; /* app/view/session/sidecar_file.h */

/* A kind of change. `what` is the change itself. */
typedef struct BulkKind {
    const char *doing;  /* "Rating", of the bar */
    const char *failed; /* "the rating is not kept", before the reason */
    /* Begins to change a picture; *waits: its outcome is the group's, else it has the change. */
    Status (*change)(Viewer *viewer, void *what, const char *path, SidecarGroup *group, size_t number, bool *waits);
    void (*changed)(Viewer *viewer, void *what, const char *path); /* it has the change; or NULL */
    /* Says that so many of all pictures have the change; fewer, if it was stopped. */
    void (*say)(Viewer *viewer, const void *what, size_t done, size_t count);
    void (*destroy)(void *what); /* or NULL */
} BulkKind;

/* Changes the pictures that actions are for (strip.h); takes `what` over. Few are done at once. STATUS_USAGE if
 * another change goes on; else with why the first of some pictures has not got it: then the others have. */
Status bulk_begin(Viewer *viewer, const BulkKind *kind, void *what);
/* Goes on to the end, before the window closes. Fails as bulk_begin does. */
Status bulk_await(Viewer *viewer);
/* A change that goes on: its name, the pictures that are done, and all; false if none does. */
bool bulk_goes_on(const Viewer *viewer, const char **doing, size_t *done, size_t *count);
extern const ToolKind bulk_tool;

#endif
