/* viewport.h: where a picture lies in the window: zoom and pan.
 * Owns the arithmetic between window pixels (origin at the top left) and picture pixels. */
#ifndef GLINT_APP_VIEW_DATA_VIEWPORT_H
#define GLINT_APP_VIEW_DATA_VIEWPORT_H

#include "app/cameras/area.h"

#include <stdbool.h>
#include <stddef.h>

#define VIEWPORT_SCALE_MIN 0.01 /* window pixels a picture pixel */
#define VIEWPORT_SCALE_MAX 256.0

typedef struct Viewport {
    double scale;         /* window pixels a picture pixel */
    double x, y;          /* the picture's top left corner in the window */
    bool fitted;          /* follows the window's size */
    size_t width, height; /* of the picture that lies there; 0: not known */
} Viewport;

/* The area without a margin on each side; a quarter of a side at most. */
Area area_within(Area area, double margin);
/* The one of these areas in which most of `part` lies, the first of several; 0 if it lies in none. */
size_t area_with_most(const Area *areas, size_t count, Area part);
/* The whole picture in the middle of `area`, as large as it goes. */
Viewport viewport_fit(Area area, size_t width, size_t height);
/* One window pixel a picture pixel, in the middle of `area`, on whole pixels. */
Viewport viewport_actual(Area area, size_t width, size_t height);
/* Scales by `factor`; the point of the picture under (x, y) stays there. */
Viewport viewport_zoom(Viewport from, double factor, double x, double y);
Viewport viewport_pan(Viewport from, double dx, double dy);
/* For a picture that has become another size: its middle stays where it was, by whole pixels of the window. */
Viewport viewport_resize(Viewport from, size_t width, size_t height);
/* A place along a side of so many pixels, within it. */
size_t viewport_bound(double at, size_t length);
/* The picture's pixel under (x, y); false if there is none. */
bool viewport_pixel(Viewport from, double x, double y, size_t width, size_t height, size_t *px, size_t *py);

#endif
