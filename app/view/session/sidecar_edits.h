/* sidecar_edits.h: a list of edits as the texts of a sidecar (core/chain/sidecar.h), and back.
 * Pictures have chain and border; scenes also have their changes, camera, look and light. */
#ifndef GLINT_APP_VIEW_SESSION_SIDECAR_EDITS_H
#define GLINT_APP_VIEW_SESSION_SIDECAR_EDITS_H

#include "app/view/session/edits.h"
#include "app/view/session/sidecar_file.h"

enum { EDITS_KEPT = 256 }; /* the last ones */

/* The scene that edits are of, and the window that it is fitted into; without a scene they are a picture's. */
typedef struct EditsOf {
    const Scene *scene; /* NULL: a picture */
    const char *opened; /* its text, as it was opened */
    Area area;
    int width, height;
} EditsOf;

/* The sidecar's edits, of requests that are like `as` in all else. STATUS_USAGE if one makes no sense; STATUS_DEVICE.
 */
Status sidecar_edits_take(EditsOf of, Request as, const Sidecar *sidecar, Edits *edits);
/* The request of the edit that a picture's sidecar shows; as `as` in all else. *request gets an owner more, the caller.
 */
Status sidecar_edits_take_shown(Request as, const Sidecar *sidecar, const Request **request);
/* The text of the scene as the sidecar of `opened` shows it. STATUS_INPUT if it is too long, or of another scene. */
Status sidecar_edits_scene(const char *opened, const Sidecar *sidecar, char text[SCENE_TEXT_MAX]);

/* The sidecar's text; NULL where there are neither edits nor a rating, or without memory. *edited: it has edits. */
char *sidecar_edits_format(const SidecarFile *held, const Edits *edits, bool *edited);
bool sidecar_border_same(Border a, Border b);

#endif
