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
    const char *example; /* parameters that show its effect where the defaults alone do not; else NULL */
    /* Parameters that a window begins with; NULL: the defaults. A filter that is set by eye begins without effect, and
     * one whose defaults are too strong for photographs begins weaker. */
    const char *begin;
    bool reads_shot; /* it follows the picture's camera and lens (PlanOptions.shot) */
    /* Whether it looks at the picture while it is planned (PlanOptions.picture); NULL: never. */
    bool (*reads_picture)(const void *values);
    /* The name that it had before another filter got it: chains that set `parameter` behind that name mean this one. */
    struct {
        const char *name, *parameter;
    } once;
} Filter;

extern const Filter *const filters[];
extern const size_t filter_count;
/* The link of a chain that shows what it does: "gaussian", "convolve=0 -1 0 -1 5 -1 0 -1 0"; the length as snprintf. */
size_t filter_format_example(const Filter *filter, char *buffer, size_t size);
/* The link that a window adds, to be set from there on: "rotate=0:inside", "nlmeans=0.02"; the example of a filter that
 * stands for an effect. The length as snprintf. */
size_t filter_format_begin(const Filter *filter, char *buffer, size_t size);
const Filter *filter_by_name(const char *name, size_t length); /* NULL if there is none */

#endif
