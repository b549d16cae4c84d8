/* steps.h: whether larger jobs take longer, over the catalogue of filters. */
#ifndef GLINT_APP_BENCH_STEPS_H
#define GLINT_APP_BENCH_STEPS_H

#include "core/chain/filter.h"

#include <jansson.h>
#include <stdio.h>

/* Times each filter along its steps. Lengths are 1 to 30 pixels, types u8x1 to f32x4, sizes 640 x 480 to
 * 3840 x 2160. `names` is an argz vector of the filters' names, NULL for all. Says a line for each sweep.
 *
 * A cliff is a step that takes more than a tenth longer than a later one. Each is said on stderr, *cliffs counts them,
 * and so does the end of the output. Entries in Google Benchmark's schema go to `list`. A step that takes longer than
 * 2 s ends its sweep. Fails as chain_time. */
Status steps_check_all(Device *device, const char *names, size_t bytes, PlanOptions options, int runs, FILE *to,
                       json_t *list, size_t *cliffs);

#endif
