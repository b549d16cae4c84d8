/* placement.h: where a picture lies in the window: zoom and pan.
 * Owns the arithmetic between window pixels (origin at the top left) and picture pixels. */
#ifndef GLINT_APP_VIEW_PLACEMENT_H
#define GLINT_APP_VIEW_PLACEMENT_H

#include <stdbool.h>
#include <stddef.h>

#define PLACEMENT_MIN 0.01 /* window pixels a picture pixel */
#define PLACEMENT_MAX 256.0

/* A part of the window, in pixels. */
typedef struct Area {
    double x, y, width, height;
} Area;

typedef struct Placement {
    double scale; /* window pixels a picture pixel */
    double x, y;  /* the picture's top left corner in the window */
    bool fitted;  /* follows the window's size */
} Placement;

/* The whole picture in the middle of `area`, as large as it goes. */
Placement placement_fit(Area area, size_t width, size_t height);
/* One window pixel a picture pixel, in the middle of `area`, on whole pixels. */
Placement placement_actual(Area area, size_t width, size_t height);
/* Scales by `factor`; the point of the picture under (x, y) stays there. */
Placement placement_zoom(Placement from, double factor, double x, double y);
Placement placement_pan(Placement from, double dx, double dy);
/* The picture's pixel under (x, y); false if there is none. */
bool placement_pixel(Placement from, double x, double y, size_t width, size_t height, size_t *px, size_t *py);

#endif
