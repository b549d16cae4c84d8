/* filter.h: a named operation on images, as a user picks it.
 * Owns the list of filters; a filter's plan lowers it to stages and never meets a level. */
#ifndef GLINT_CORE_FILTER_H
#define GLINT_CORE_FILTER_H

#include "core/param.h"
#include "core/plan.h"

typedef struct Filter {
    const char *name;
    const char *help; /* one sentence */
    ParamTable table;
    /* Appends stages that take `in` to the filter's result, whose value number it stores in `*out`.
     * Fails with STATUS_USAGE for parameters that the table's limits let through and that still make no sense. */
    Status (*plan)(const void *values, Plan *plan, int in, int *out);
} Filter;

extern const Filter *const filters[];
extern const size_t filter_count;
const Filter *filter_by_name(const char *name, size_t length); /* NULL if there is none */

#endif
