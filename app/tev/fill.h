/* fill.h: areas that closed lines wind around, as boxes of pixels with the share of each that is covered.
 * Owns the scan over rows. The nonzero rule tells what is inside: points around which the lines' turns do not add up to
 * 0 (SVG 1.1, 11.3). */
#ifndef GLINT_APP_TEV_FILL_H
#define GLINT_APP_TEV_FILL_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FILL_STEPS = 16 /* lines of a row at which its area is measured; along the row it is exact */ };

typedef struct FillPoint {
    double x, y; /* pixels; the first one reaches from 0 to 1 */
} FillPoint;

typedef struct FillBox {
    int x, y, width, height; /* pixels */
    uint8_t share;           /* of each that is covered; 255: all */
} FillBox;

/* These two are fill.c's. */
typedef struct FillEdge {
    double top, bottom, x, y, slope; /* a point of it, and by how much x grows with y */
    int turn;                        /* 1 where it leads down, else -1 */
} FillEdge;
typedef struct FillCrossing {
    double x;
    int turn;
} FillCrossing;

/* Zeroed at first, but for width, height and work_max. */
typedef struct Fill {
    int width, height;     /* of the pixels that are looked at: boxes lie within */
    size_t work_max, work; /* steps: points, edges that lines of rows meet, boxes; over all areas, and so far */
    FillBox *boxes;        /* of all areas, one behind the other */
    size_t box_count, box_capacity;
    FillEdge *edges; /* of this area */
    size_t edge_count, edge_capacity;
    const FillEdge **active; /* in a row */
    size_t active_capacity;
    FillCrossing *crossings; /* of a line */
    size_t crossing_capacity;
    float *shares; /* by how much each pixel of a row is covered more than the one before */
} Fill;

/* Adds the line around these points, and from the last to the first, to the area, or its way back. All are finite.
 * STATUS_DEVICE if memory is short. STATUS_INPUT if there were more than work_max steps. */
Status fill_add(Fill *fill, const FillPoint *points, size_t count, bool backwards);
/* Appends the boxes of the area that was added, by rows; the next area is empty. Fails as fill_add does; the boxes of
 * rows that were made stay. */
Status fill_end(Fill *fill);
/* Counts steps of the caller among those of `fill`. STATUS_INPUT if there were more than work_max. */
Status fill_spend(Fill *fill, size_t work);
/* Frees all of it. */
void fill_free(Fill *fill);

#endif
