/* filter.h: a named operation on images, as a user picks it.
 * Owns the list of filters; a filter's plan lowers it to stages and never meets a level. */
#ifndef GLINT_CORE_CHAIN_FILTER_H
#define GLINT_CORE_CHAIN_FILTER_H

#include "core/param/param.h"
#include "core/plan/lower.h"

typedef enum FilterCategory {
    FILTER_LINEAR,
    FILTER_RANK,
    FILTER_EDGE_PRESERVING,
    FILTER_EDGES,
    FILTER_POINT,
    FILTER_TWO_PICTURES,
    FILTER_STATISTICS,
    FILTER_GEOMETRY,
    FILTER_CATEGORIES
} FilterCategory;

extern const char *const filter_categories[FILTER_CATEGORIES]; /* "linear", "rank and morphology", ... */

typedef struct Filter {
    const char *name;
    FilterCategory category;
    const char *help;       /* one sentence */
    const char *definition; /* where it comes from: a paper, a book, a standard, the function that it agrees with */
    ParamTable table;
    /* Appends stages that take `in` to the filter's result, whose value number it stores in `*out`.
     * STATUS_USAGE for parameters that the table's limits let through and that still make no sense. STATUS_INPUT for
     * parameters that make none for a picture of this shape. */
    Status (*plan)(const void *values, Plan *plan, int in, int *out);
    const char *example; /* parameters to begin with where the defaults alone do not suffice; else NULL */
} Filter;

extern const Filter *const filters[];
extern const size_t filter_count;
/* The link of a chain that menus begin with: "gaussian", "convolve=0 -1 0 -1 5 -1 0 -1 0"; the length as snprintf. */
size_t filter_format_example(const Filter *filter, char *buffer, size_t size);
const Filter *filter_by_name(const char *name, size_t length); /* NULL if there is none */

#endif
