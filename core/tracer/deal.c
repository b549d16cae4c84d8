/* deal.c: equal shares of the time that a picture's rows took. */
#include "core/tracer/deal.h"

#include <math.h>

/* The row before which a share of all work lies, 0 to 1. */
static size_t row_at(const double *ms, const size_t *blocks, size_t count, double share) {
    double sum = 0, before = 0;
    for (size_t i = 0; i < count; i++)
        sum += ms[i];
    for (size_t i = 0; i < count; i++) {
        const double within = (share * sum - before) / ms[i];
        if (within < 1)
            return blocks[i] + (size_t)(fmax(within, 0) * (double)(blocks[i + 1] - blocks[i]));
        before += ms[i];
    }
    return blocks[count];
}

void deal_rows(const double *ms, const size_t *blocks, size_t count, size_t devices, size_t *begin) {
    begin[0] = 0;
    for (size_t i = 1; i < devices; i++) {
        const size_t row = row_at(ms, blocks, count, (double)i / (double)devices);
        begin[i] = row > 1 ? row : 1; /* the first has a row */
    }
    begin[devices] = blocks[count];
}
