/* parts.h: a result that is seen while it is made: the parts that are on the screen.
 * Owns the list of tiles that the canvas has taken. */
#ifndef GLINT_APP_VIEW_UI_PARTS_H
#define GLINT_APP_VIEW_UI_PARTS_H

#include "app/view/session/viewer.h"
#include "core/device/partial.h"
#include "render/canvas.h"

enum { PARTS_RUNS = 1024 };

typedef struct Parts {
    bool taken[PARTIAL_TILES];
    ImagePart runs[PARTS_RUNS]; /* tiles side by side that were taken, as one part each */
    size_t run_count;
} Parts;

/* How the window shows the result: of a result out of sight, its nearest pixels. */
Sight parts_sight(const Viewer *viewer);
/* Copies tiles that are done to the canvas, as many as a draw has time for. The canvas draws its tiles over the visible
 * part that was made first. `partial` is open, or NULL; so may `near` be. Fails as canvas_begin_parts. */
Status parts_draw(Parts *parts, Canvas *canvas, Partial *partial, const Near *near, CanvasLook look);

#endif
