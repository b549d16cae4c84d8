/* brush.h: painting, on the picture, the mask that the selected filter is confined by.
 * Owns the mask and its files: one a stroke in a folder of the session, so that undo finds them again, and one in the
 * working folder once painting ends. */
#ifndef GLINT_APP_VIEW_TOOLS_BRUSH_H
#define GLINT_APP_VIEW_TOOLS_BRUSH_H

#include "app/view/tools/tools.h"
#include "core/image/image.h"

enum { BRUSH_POINTS = 1024, BRUSH_PATH = 256 };

typedef struct BrushPoint {
    double x, y; /* of the picture, in pixels */
} BrushPoint;

typedef struct Brush {
    bool on;
    bool down, erases;               /* a stroke is under way; it takes away */
    bool due;                        /* one has ended */
    double radius;                   /* of the picture's pixels */
    BrushPoint points[BRUSH_POINTS]; /* the stroke's last, to be seen until it counts */
    size_t point_count;
    Image *mask;             /* one channel of bytes, as large as the picture; NULL until the first stroke */
    char path[BRUSH_PATH];   /* that it was last written to */
    char folder[BRUSH_PATH]; /* of the strokes' files; "" until there is one */
    unsigned strokes;        /* files in it */
    bool kept;               /* it stays: a transcript names them */
} Brush;

/* Begins to paint, or ends it and saves the mask next to where the program was started. STATUS_USAGE where there is no
 * filter, or no picture as large as the result; STATUS_DEVICE if the mask cannot be written. */
Status brush_toggle(Viewer *viewer);
/* Saves every mask of the chain that is a stroke's file, and names it there. Fails as brush_toggle. */
Status brush_keep(Viewer *viewer);
/* A stroke from (x, y) in the window, which paints or erases; false if there is nothing to paint on. */
bool brush_press(Viewer *viewer, double x, double y, bool erases);
void brush_move(Viewer *viewer, double x, double y);
void brush_release(Viewer *viewer);
extern const ToolKind brush_tool;

/* A larger (1) or smaller (-1) brush. */
void brush_resize(Viewer *viewer, int direction);

/* A straight stroke of a round brush with a soft rim, the outer third of its radius: white, or black if it erases.
 * Parts beyond the mask do not count. */
void brush_line(ImageView mask, BrushPoint from, BrushPoint to, double radius, bool erases);

#endif
