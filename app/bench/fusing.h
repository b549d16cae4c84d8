/* fusing.h: what fusing the stages of a chain saves. */
#ifndef GLINT_APP_BENCH_FUSING_H
#define GLINT_APP_BENCH_FUSING_H

#include "core/pipeline.h"

#include <stdio.h>

/* Runs the whole chain with fused stages and without, in turns, on noise of this shape, and writes a line: how long
 * each took on the device, the median of `runs`. Nothing where both plans are the same. Fails as pipelines do. */
Status fusing_print(FILE *to, Device *device, const char *chain, Shape shape, PlanOptions options, int runs);

#endif
