/* brush.h: painting, on the picture, the mask that the selected filter is confined by.
 * Owns the mask and its files. Each stroke has a file in a folder of the session, so that undo finds it again. Once
 * painting ends, a file in the working folder has the mask. */
#ifndef GLINT_APP_VIEW_TOOLS_BRUSH_H
#define GLINT_APP_VIEW_TOOLS_BRUSH_H

#include "app/view/session/tool.h"
#include "core/image/image.h"

enum { BRUSH_POINTS = 1024 };

typedef struct BrushPoint {
    double x, y; /* of the picture, in pixels */
} BrushPoint;

/* To be drawn over the picture: the stroke that does not count yet, and the brush. */
typedef struct BrushView {
    const BrushPoint *points; /* at most BRUSH_POINTS */
    size_t count;
    double radius; /* of the picture's pixels */
    bool erases;
    const Image *mask; /* as painted so far; NULL before the first stroke */
    const char *path;  /* of the file that it was last written to */
} BrushView;

/* Begins to paint, or ends it and saves the mask next to where the program was started. STATUS_USAGE where there is no
 * filter, or no picture as large as the result; STATUS_DEVICE if the mask cannot be written. */
Status brush_toggle(Viewer *viewer);
/* Saves every mask of the chain that is a stroke's file, and names it there. Fails as brush_toggle. */
Status brush_keep(Viewer *viewer);
BrushView brush_view(const Viewer *viewer);
bool brush_on(const Viewer *viewer); /* a drag paints */
/* The files of strokes stay when the viewer goes: a transcript names them. */
void brush_keep_strokes(Viewer *viewer);
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
