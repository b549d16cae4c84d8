/* filter.c: filters looked up by name, and their categories. */
#include "core/chain/filter.h"

#include <stdio.h>
#include <string.h>

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

static size_t format(const Filter *filter, const char *values, char *buffer, size_t size) {
    return (size_t)snprintf(buffer, size, "%s%s%s", filter->name, values ? "=" : "", values ? values : "");
}

size_t filter_format_example(const Filter *filter, char *buffer, size_t size) {
    return format(filter, filter->example, buffer, size);
}

size_t filter_format_begin(const Filter *filter, char *buffer, size_t size) {
    return format(filter, filter->begin ? filter->begin : filter->example, buffer, size);
}

const Filter *filter_by_name(const char *name, size_t length) {
    for (size_t i = 0; i < filter_count; i++)
        if (strlen(filters[i]->name) == length && strncmp(filters[i]->name, name, length) == 0)
            return filters[i];
    return NULL;
}
