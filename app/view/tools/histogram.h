/* histogram.h: how the values of what is shown, or of a part of it, are spread.
 * Owns what is counted (which picture, which rectangle), and the figures and curves that panels draw. */
#ifndef GLINT_APP_VIEW_TOOLS_HISTOGRAM_H
#define GLINT_APP_VIEW_TOOLS_HISTOGRAM_H

#include "app/view/data/value_counts.h"

typedef struct Viewer Viewer;

typedef enum HistogramForm { FORM_HISTOGRAM, FORM_WAVEFORM } HistogramForm;
typedef enum HistogramScale { SCALE_LINEAR, SCALE_LOG, SCALE_CUMULATIVE, SCALES } HistogramScale;

enum { WAVEFORM_COLUMNS = 320 };

/* A rectangle of the result's pixels; width 0: all. */
typedef struct Marked {
    size_t x, y, width, height;
} Marked;

/* What was counted; equal ones have equal counts. */
typedef struct HistogramOf {
    unsigned serial; /* of the pixels */
    bool before;     /* of the picture, not the result */
    Marked part;
    HistogramForm form;
} HistogramOf;

/* The counts that there are; the session's, so that a worker may make them. */
typedef struct Counted {
    bool known;
    HistogramOf of;
    double ms;         /* that it took to make them */
    char trouble[256]; /* why there are none, or "" */
    int rows;          /* 1, or red, green, blue and luma */
    Shape shape;       /* of what was counted */
    double low, high;  /* that the curves run between */
    ValueStats stats[COUNT_ROWS];
    double shares[COUNT_ROWS][COUNT_COLUMNS];
    Image *waveform;      /* u8 RGB, WAVEFORM_COLUMNS wide at most, the largest value on top; or NULL. Not to be read
                             while the session is lent */
    unsigned wave_serial; /* changes with it */
} Counted;
void counted_free(Counted *counted); /* accepts a zeroed one */

/* What is asked for. */
typedef struct Histogram {
    bool open;
    bool before; /* the picture, not the result */
    HistogramForm form;
    HistogramScale scale;
    Marked part;
} Histogram;

/* Opens it in this form, changes to it, or closes what has it. */
void histogram_toggle(Viewer *viewer, HistogramForm form);
/* The part from one point of the window to another; none if it is empty. */
void histogram_mark(Viewer *viewer, double from_x, double from_y, double x, double y);
bool histogram_marked(const Viewer *viewer); /* whether the part lies in what is shown now; else all is counted */
bool histogram_due(const Viewer *viewer);
/* The same, if it takes so little time that it need not wait for a pause. */
bool histogram_due_soon(const Viewer *viewer);
/* STATUS_INTERRUPTED if it was stopped; other failures are the panel's to say. */
Status histogram_measure(Viewer *viewer);
/* Of a share of the values, as high as this scale draws it, 0 to 1; `most` is the largest share. */
double histogram_height(HistogramScale scale, double share, double most);

#endif
