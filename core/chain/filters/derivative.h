/* derivative.h: the parts that the filters by pairs of small masks share: parameters and their plan. */
#ifndef GLINT_CORE_CHAIN_FILTERS_DERIVATIVE_H
#define GLINT_CORE_CHAIN_FILTERS_DERIVATIVE_H

#include "core/chain/filters/filters.h"
#include "core/math/derivative.h"

typedef struct DerivativeValues {
    double output, scale;
} DerivativeValues;

extern const Param derivative_params[2];
#define DERIVATIVE_TABLE PARAM_TABLE(derivative_params, DerivativeValues)

/* Appends the masks of a form with these weights (core/math/derivative.h). */
Status derivative_plan(const DerivativeValues *values, DerivativeForm form, int side, int middle, Plan *to, int in,
                       int *out);

#endif
