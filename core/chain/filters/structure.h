/* structure.h: the part that filters of local contrast share. */
#ifndef GLINT_CORE_CHAIN_FILTERS_STRUCTURE_H
#define GLINT_CORE_CHAIN_FILTERS_STRUCTURE_H

#include "core/chain/filters/filters.h"

/* The contrasts of the luma that change, and by how much. */
typedef struct Structure {
    double amount; /* the factor on contrasts in the midtones: 0 leaves them, -1 takes them away */
    double fine;   /* sigma of a Gaussian: contrasts within less stay; 0: all change */
    double radius; /* 1 to GUIDED_RADIUS_MAX: contrasts over more stay */
    double edge;   /* the standard deviation, of white, from which on contrasts are edges, which stay */
} Structure;

/* Appends out = in + 4 amount q (1 - q) (y - q), white being 1. The luma is y, blurred by `fine`, and q the guided
 * filter of y. Colours of one pixel change alike, and alpha stays. */
Status structure_plan(Plan *to, int in, Structure structure, int *out);

#endif
