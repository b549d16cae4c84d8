/* histogram.h: how the values of the picture, or of a part of it, are spread.
 * Owns the choice of pixels: which picture, which rectangle. The session has their counts (Session.counted). */
#ifndef GLINT_APP_VIEW_TOOLS_HISTOGRAM_H
#define GLINT_APP_VIEW_TOOLS_HISTOGRAM_H

#include "app/view/session/tool.h"

typedef enum HistogramScale { SCALE_LINEAR, SCALE_LOG, SCALE_CUMULATIVE, SCALES } HistogramScale;

typedef struct HistogramChoices {
    bool open;
    bool before; /* the picture, not the result */
    HistogramForm form;
    HistogramScale scale;
    Marked part; /* of the result, in pixels; of no width: all */
} HistogramChoices;

const HistogramChoices *histogram_choices(const Viewer *viewer);
void histogram_choose(Viewer *viewer, HistogramChoices choices);

/* Opens it in this form, changes to this form, or closes it if it has the form. */
void histogram_toggle(Viewer *viewer, HistogramForm form);
/* The part from one point of the window to another; none if it is empty. */
void histogram_mark(Viewer *viewer, double from_x, double from_y, double x, double y);
bool histogram_marked(const Viewer *viewer); /* whether the part lies in the shown picture; else all is counted */
extern const ToolKind histogram_tool;
/* The height, 0 to 1, at which this scale draws a share of the values; `most` is the largest share. */
double histogram_height(HistogramScale scale, double share, double most);

#endif
