/* filters.h: what the descriptors in this folder share. */
#ifndef GLINT_CORE_FILTERS_FILTERS_H
#define GLINT_CORE_FILTERS_FILTERS_H

#include "core/filter.h"

/* filters.def expanded to declarations: extern const Filter filter_gaussian, ... */
#define FILTER(name) extern const Filter filter_##name;
#include "core/filters/filters.def"
#undef FILTER

#define PARAM_TABLE(params, Values)                                                                                    \
    { params, sizeof(params) / sizeof((params)[0]), sizeof(Values) }

/* Appends a 3 x 3 convolution, divided by `divisor`; border, alpha and type are the plan's and the value's. */
Status plan_convolve_3x3(Plan *plan, int in, const float weights[9], double divisor, double bias, PixelType type,
                         int *out);

#endif
