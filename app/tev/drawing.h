/* drawing.h: the drawing commands of tev's protocol, as boxes of pixels and texts for a window.
 * Owns their meaning, that of NanoVG (github.com/memononen/nanovg), with tev's first colours. Areas fill by the nonzero
 * rule; parts of a path are wound as they are solid or holes. Strokes have miter joins and flat ends. Knows no OpenGL.
 */
#ifndef GLINT_APP_TEV_DRAWING_H
#define GLINT_APP_TEV_DRAWING_H

#include "app/tev/fill.h"
#include "app/tev/packet.h"
#include "core/param/homography.h"

enum {
    DRAWING_POINTS = 1 << 20, /* of a path */
    DRAWING_WORK = 1 << 24    /* Fill.work_max */
};

/* Where a drawing lies in a window. */
typedef struct DrawingPlace {
    Homography to_window; /* from the picture's coordinates, whose first pixel reaches from 0 to 1 */
    double scale;         /* window pixels a picture pixel */
    int width, height;    /* of the window */
} DrawingPlace;

/* Boxes of one colour, or a text; the later one lies above. */
typedef struct DrawingMark {
    uint8_t colour[4];   /* red, green, blue, opacity, straight */
    size_t first, count; /* boxes */
    const char *text;    /* NULL: none */
    FillPoint at;        /* of the text, in the window */
    double size;         /* of its letters, window pixels */
    unsigned align;      /* TEV_TEXT_ALIGN */
    bool bold, mono;
} DrawingMark;

typedef struct Drawing {
    Fill fill; /* its boxes */
    DrawingMark *marks;
    size_t count;
    Bytes commands; /* that texts are borrowed from */
} Drawing;

/* Takes the commands over. Commands with numbers that are not finite do nothing. STATUS_DEVICE if memory is short, and
 * STATUS_INPUT with why if there are too many points or steps: *drawing has the marks so far. */
Status drawing_make(Bytes commands, const DrawingPlace *place, Drawing *drawing);
void drawing_free(Drawing *drawing); /* accepts a zeroed one */

#endif
