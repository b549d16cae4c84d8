/* placing.h: the places of a picture in a window that another picture's viewport and a map lead to.
 * Owns the arithmetic, without OpenGL. Places in the picture are counted from its edges: its first pixel reaches from 0
 * to 1. */
#ifndef GLINT_RENDER_PLACING_H
#define GLINT_RENDER_PLACING_H

#include "render/canvas_look.h"

/* A rectangle whose ends need not be whole pixels. */
typedef struct Limits {
    double left, top, right, bottom;
} Limits;

/* The map from the window to the source of a look; third coordinates are positive as those of `look.map` are. */
Homography placing_from_window(CanvasLook look);
/* The part of the window where that source may be seen. */
Limits placing_limits(CanvasLook look);
/* These limits, as far as pictures go in the window. */
Limits placing_within_part(CanvasLook look, Limits limits);
/* Another unit for the picture: `scale` of them a pixel, counted from (x, y). */
Homography placing_in_texels(const Homography *from_window, double scale, double x, double y);
/* How many window pixels a unit of the picture is long in the middle of a part of the window; 0 where none is seen. */
double placing_size(const Homography *from_window, Limits window);
/* The size where it is largest on a part of the window, but up to four times that in the middle. */
double placing_finest(const Homography *from_window, Limits window);
/* The part of a picture of width x height pixels that is seen on a part of the window, or more. */
Limits placing_sight(const Homography *from_window, Limits window, double width, double height);
/* A rectangle of the framebuffer; the origin is at its top left, the ends are behind it. */
typedef struct Rectangle {
    int left, top, right, bottom;
} Rectangle;

/* The window's pixels whose centres lie within the limits. */
Rectangle placing_pixels(CanvasLook look, Limits limits);

#endif
