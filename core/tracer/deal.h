/* deal.h: deals a picture's rows out to several devices, by the times that blocks of rows took. */
#ifndef GLINT_CORE_TRACER_DEAL_H
#define GLINT_CORE_TRACER_DEAL_H

#include <stddef.h>

/* Gives each of `devices` (1 or more) one block of rows, from the top: device i has the rows begin[i] to begin[i + 1]
 * - 1. begin[] has devices + 1 entries, never falls, and ends with the height. The first device has a row at least,
 * since it has the picture; another may have none. The rows blocks[i] to blocks[i + 1] - 1 took ms[i] > 0. There are
 * `count` blocks (1 or more); the last ends at the height (1 or more). */
void deal_rows(const double *ms, const size_t *blocks, size_t count, size_t devices, size_t *begin);

#endif
