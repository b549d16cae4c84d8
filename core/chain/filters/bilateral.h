/* bilateral.h: the parts that the filters bilateral and joint share. */
#ifndef GLINT_CORE_CHAIN_FILTERS_BILATERAL_H
#define GLINT_CORE_CHAIN_FILTERS_BILATERAL_H

#include "core/chain/filters/filters.h"

typedef struct BilateralValues {
    double diameter, range, space;
    char *guide;
} BilateralValues;

#define BILATERAL_PARAMS                                                                                               \
    {"diameter",                                                                                                       \
     "how wide the neighbourhood is, a disk; an even width counts as the odd one above it, as in OpenCV",              \
     "pixels",                                                                                                         \
     PARAM_WHOLE,                                                                                                      \
     offsetof(BilateralValues, diameter),                                                                              \
     3,                                                                                                                \
     9,                                                                                                                \
     129,                                                                                                              \
     2},                                                                                                               \
        {"range",                                                                                                      \
         "standard deviation of colours that count as alike, the channels' differences added",                         \
         "of white",                                                                                                   \
         PARAM_NUMBER,                                                                                                 \
         offsetof(BilateralValues, range),                                                                             \
         0.001,                                                                                                        \
         0.1,                                                                                                          \
         4,                                                                                                            \
         0.02},                                                                                                        \
    {                                                                                                                  \
        "space", "standard deviation of the distance", "pixels; 0: a third of the diameter", PARAM_NUMBER,             \
            offsetof(BilateralValues, space), 0, 0, 200, 0.5                                                           \
    }

/* Appends the filter; `guide` is a value, or PLAN_NONE. */
Status bilateral_plan(const BilateralValues *values, Plan *to, int in, int guide, int *out);

#endif
