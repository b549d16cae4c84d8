/* inspect.h: one value of a stage's result, taken apart: the values and the arithmetic that make it.
 * Owns the arithmetic in double precision, as the operations' headers define it; knows no device and no window. */
#ifndef GLINT_APP_VIEW_DATA_INSPECT_H
#define GLINT_APP_VIEW_DATA_INSPECT_H

#include "core/stage/point.h"
#include "core/stage/stage.h"

enum { INSPECT_SIDE = 11, INSPECT_CELLS = INSPECT_SIDE * INSPECT_SIDE };

typedef enum InspectKind {
    INSPECT_OPAQUE, /* an operation that is not taken apart: nothing else is filled in */
    INSPECT_SUM,    /* of weights times values, divided, plus a bias */
    INSPECT_PAIR,   /* two sums, of which the result is one, the length or the direction */
    INSPECT_RANK,   /* one of the window's values, by its number among them when sorted */
    INSPECT_POINT,  /* functions of the pixel alone */
} InspectKind;

/* A pixel under the mask or window. */
typedef struct InspectCell {
    double value, weight, product;
    double weight_y, product_y; /* of a pair the second mask's */
    bool counts;                /* belongs to the window; of a sum, all do */
    bool beyond;                /* the picture's edge: the value is the border's */
} InspectCell;

/* A function of the pixel, all channels; inputs as the formula sees them. */
typedef struct InspectStep {
    const char *name, *help;
    const char *formula; /* in C, of v, v2, v3, p, w, ...: core/stage/point.def */
    int inputs, channels, parameter_count;
    double parameters[POINT_POOL];
    double white;
    double in[STAGE_INPUTS][POINT_CHANNELS];
    double value[POINT_CHANNELS], out[POINT_CHANNELS]; /* before and after it is rounded and clamped */
} InspectStep;

typedef struct Inspection {
    InspectKind kind;
    /* of a sum or rank */
    int width, height;            /* of the mask or window, whose anchor is (width / 2, height / 2) */
    int left, top, columns, rows; /* the part of it around the anchor that is in `cells`: at most INSPECT_SIDE a side */
    InspectCell cells[INSPECT_CELLS]; /* row by row */
    double heaviest;                  /* the largest |weight| among them */
    double sum_of_cells;              /* of their products */
    bool summed;                      /* all products are: false of windows that are too large to follow the pointer */
    double sum, divisor, bias;        /* of all products; result = sum / divisor + bias */
    double sum_y;                     /* of a pair; divisor divides both, and bias is added last */
    double scale;                     /* of a pair: the factor on one of the sums, or their length */
    const char *output;               /* of a pair: which that is */
    int count, rank;                  /* of the window's values; the number of the one that is taken, from 0 */
    int first, listed;                /* `sorted` holds so many of them, from this number on */
    double sorted[INSPECT_CELLS];
    /* of a point */
    int step_count;
    InspectStep steps[POINT_STEPS];
    double result, stored; /* before and after it is rounded and clamped to the stage's type */
} Inspection;

/* Takes the value at (x, y) in `channel` of the stage's result apart. The frames that the stage reads are in host
 * memory; of `out` the shape alone is asked for. STATUS_DEVICE if memory is short. */
bool inspect_knows(const Op *op); /* whether it is taken apart */
Status inspect_stage(const Stage *stage, size_t x, size_t y, int channel, Inspection *inspection);

/* A stored value as people compare them: in 8 bits of sRGB, and as linear light, 0 to 1. Floats are linear light. */
typedef struct InspectValue {
    int eight;
    double linear;
} InspectValue;
InspectValue inspect_value(double stored, PixelType type, bool alpha);

#endif
