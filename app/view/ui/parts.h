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

/* The middle of the result's part in the window, in the result's pixels. */
void parts_middle(const Viewer *viewer, double *x, double *y);
/* Copies tiles that are done to the canvas, as many as a draw has time for, and draws those that it has. `partial` is
 * open. Fails as canvas_begin_parts. */
Status parts_draw(Parts *parts, Canvas *canvas, Partial *partial, CanvasLook look);

#endif
