/* filter.c: the list of filters, expanded from filters.def. */
#include "core/filters/filters.h"

#include <stdio.h>
#include <string.h>

const Filter *const filters[] = {
#define FILTER(name) &filter_##name,
#include "core/filters/filters.def"
#undef FILTER
};
const char *const filter_categories[FILTER_CATEGORIES] = {
    [FILTER_LINEAR] = "linear",
    [FILTER_RANK] = "rank and morphology",
    [FILTER_EDGE_PRESERVING] = "edge-preserving",
    [FILTER_EDGES] = "edges",
    [FILTER_POINT] = "point",
    [FILTER_TWO_PICTURES] = "two pictures",
    [FILTER_STATISTICS] = "statistics",
    [FILTER_GEOMETRY] = "geometry",
};

const size_t filter_count = sizeof filters / sizeof filters[0];

size_t filter_format_example(const Filter *filter, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s%s%s", filter->name, filter->example ? "=" : "",
                            filter->example ? filter->example : "");
}

const Filter *filter_by_name(const char *name, size_t length) {
    for (size_t i = 0; i < filter_count; i++)
        if (strlen(filters[i]->name) == length && strncmp(filters[i]->name, name, length) == 0)
            return filters[i];
    return NULL;
}

Status plan_convolve_3x3(Plan *plan, int in, const float weights[9], double divisor, double bias, PixelType type,
                         int *out) {
    Mask *mask;
    TRY(mask_create(3, 3, &mask));
    memcpy(mask->weights, weights, 9 * sizeof *weights);
    mask->divisor = (float)divisor;
    return plan_convolve(plan, in, mask, (float)bias, type, out);
}
