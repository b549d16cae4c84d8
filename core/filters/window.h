/* window.h: what the filters over windows and structuring elements share. */
#ifndef GLINT_CORE_FILTERS_WINDOW_H
#define GLINT_CORE_FILTERS_WINDOW_H

#include "core/element.h"
#include "core/filters/filters.h"

/* A filter's values have these as their member `window`. */
typedef struct WindowValues {
    double radius, shape;
    char *element;
} WindowValues;

#define WINDOW_PARAMS(Values)                                                                                          \
    {"radius", "pixels to each side of the middle", "pixels", PARAM_WHOLE, offsetof(Values, window.radius), 1, 1, 127, \
     1},                                                                                                               \
        {"shape", "a square, or a disk", "box|disk", PARAM_CHOICE, offsetof(Values, window.shape), 0, 0, 1, 1}, {      \
        "element", "cells of your own in the place of both: rows of 0 and 1, as in 010 111 010", "", PARAM_TEXT,       \
            offsetof(Values, window.element), 0, 0, 0, 0                                                               \
    }

/* The cells that they ask for. Fails as element_parse does. */
Status window_element(const WindowValues *values, Mask **element);
/* Appends the value of a rank, counted from 0, among the window's, which is taken over, also on failure. */
Status plan_rank(Plan *plan, int in, Mask *window, int rank, int *out);
/* Appends the minimum or maximum under the element as it lies (an erosion's), which is borrowed. */
Status plan_morphology(Plan *plan, int in, const Mask *element, bool maximum, int *out);
/* The same under the element reflected, which a dilation takes the maximum of. */
Status plan_reflected(Plan *plan, int in, const Mask *element, bool maximum, int *out);
/* Appends how far the values of `a` and `b` are apart; alpha is that of `a`. */
Status plan_apart(Plan *plan, int a, int b, int *out);

#endif
