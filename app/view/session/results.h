/* results.h: figures and pictures that work makes besides the result.
 * A session owns them. Tools ask for them by wishes (wishes.h), panels draw them. */
#ifndef GLINT_APP_VIEW_SESSION_RESULTS_H
#define GLINT_APP_VIEW_SESSION_RESULTS_H

#include "app/view/data/value_counts.h"
#include "core/device/experiment.h"
#include "core/image/image.h"
#include "core/stage/stage.h"

enum { WAVEFORM_COLUMNS = 320, RESPONSE_SIDE = 96 };

typedef enum HistogramForm { FORM_HISTOGRAM, FORM_WAVEFORM } HistogramForm;

/* A rectangle of the result's pixels; width 0: all. */
typedef struct Marked {
    size_t x, y, width, height;
} Marked;

/* Names pixels that are counted; equal ones have equal counts. */
typedef struct HistogramOf {
    unsigned serial; /* of the pixels */
    bool before;     /* of the picture, not the result */
    Marked part;
    HistogramForm form;
} HistogramOf;

/* How values are spread. */
typedef struct Counted {
    bool known;
    HistogramOf of;
    double ms;         /* that counting took */
    char trouble[256]; /* why there are no counts, or "" */
    int rows;          /* 1, or red, green, blue and luma */
    Shape shape;       /* of the pixels */
    double low, high;  /* that the curves run between */
    ValueStats stats[COUNT_ROWS];
    double shares[COUNT_ROWS][COUNT_COLUMNS];
    Image *waveform;      /* u8 RGB, WAVEFORM_COLUMNS wide at most, the largest value on top; or NULL */
    unsigned wave_serial; /* changes with it */
} Counted;
void counted_free(Counted *counted); /* accepts a zeroed one */

/* The values that a stage within the chain reads and makes; snapshots (snapshot.h) have none. */
typedef struct Ahead {
    unsigned of_job; /* the session's job_serial, and */
    size_t stage;    /* the stage of the unfused plan, that they are of */
    bool known;
    Image *values[STAGE_INPUTS + 1]; /* read, then made; NULL: the picture's, the result's, or none */
    char trouble[256];               /* why some are missing, for good; or "" */
} Ahead;
void ahead_free(Ahead *ahead); /* accepts a zeroed one */

/* The frequency response of the mask that is carried out. */
typedef struct Response {
    bool known;
    unsigned job; /* the job_serial that it is of */
    size_t link;
    Image *picture;  /* u8 RGB, RESPONSE_SIDE a side; dark: waves that go, bright: that stay or grow. NULL: there is
                        none */
    unsigned serial; /* changes with it */
    double largest, at_rest; /* the gain: anywhere, and of no wave at all */
    double half_x, half_y;   /* of the finest stripes across, and of those down */
} Response;
void response_free(Response *response); /* accepts a zeroed one */

/* The measured costs of a device. */
typedef struct MachineCurves {
    unsigned asked; /* the Wishes.curves that they are for; 0: none */
    Curves curves;
} MachineCurves;

/* A small version of a result that takes long, to be seen until the result is there. */
typedef struct Preview {
    unsigned of_job;     /* the session's job_serial that it was last tried for */
    Image *image;        /* NULL: there is none for that, since the chain cannot be reduced */
    unsigned serial;     /* changes with it */
    double scale;        /* of the result, at most a half */
    Shape result;        /* whole, as it will be */
    const char *without; /* the first filter that it leaves out, or NULL */
    Image *small;        /* the picture */
    unsigned small_of;
    double small_scale;
} Preview;
void preview_free(Preview *preview); /* accepts a zeroed one */

#endif
