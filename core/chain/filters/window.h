/* window.h: the parts that the filters over windows and structuring elements share. */
#ifndef GLINT_CORE_CHAIN_FILTERS_WINDOW_H
#define GLINT_CORE_CHAIN_FILTERS_WINDOW_H

#include "core/chain/filters/filters.h"
#include "core/param/element.h"

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

/* Values of a filter that has no other parameters, and their rows. */
typedef struct WindowAlone {
    WindowValues window;
} WindowAlone;
extern const Param window_params[3];

/* Such a filter; plan_##filter stands before it. */
/* NOLINTBEGIN(bugprone-macro-parentheses): names and members of tables must not stand in any */
#define WINDOW_FILTER(filter, about, source)                                                                           \
    const Filter filter_##filter = {                                                                                   \
        .name = #filter,                                                                                               \
        .category = FILTER_RANK,                                                                                       \
        .help = about,                                                                                                 \
        .definition = source,                                                                                          \
        .table = PARAM_TABLE(window_params, WindowAlone),                                                              \
        .plan = plan_##filter,                                                                                         \
    };
/* NOLINTEND(bugprone-macro-parentheses) */

/* The cells that they ask for. Fails as element_parse does. */
Status window_element(const WindowValues *values, Mask **element);
/* Appends the value of a rank, counted from 0, among the window's, which is taken over, also on failure. */
Status plan_rank(Plan *plan, int in, Mask *window, int rank, int *out);
typedef enum MorphologyKind {
    MORPHOLOGY_ERODE,  /* the minimum under the element */
    MORPHOLOGY_DILATE, /* the maximum under the element reflected */
    MORPHOLOGY_OPEN,   /* an erosion, then a dilation */
    MORPHOLOGY_CLOSE,
    MORPHOLOGY_WHITE,   /* the picture less its opening; alpha stays */
    MORPHOLOGY_BLACK,   /* its closing less the picture */
    MORPHOLOGY_GRADIENT /* a dilation less an erosion; alpha is the dilation's */
} MorphologyKind;

/* Appends the filter of this kind under the element that the values ask for. Fails as window_element does. */
Status plan_morphology(Plan *plan, int in, const WindowValues *values, MorphologyKind kind, int *out);

#endif
