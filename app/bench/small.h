/* small.h: a job in small, on which the reference checks levels within a second or so. */
#ifndef GLINT_APP_BENCH_SMALL_H
#define GLINT_APP_BENCH_SMALL_H

#include "app/bench/bench_job.h"
#include "core/stage/op.h"

/* The job in small, on which levels are checked; with a quarter of its pixels, unless it is the job itself. */
typedef struct Small {
    Plan *plan, *smaller_plan;
    const Stage *stage, *smaller;
} Small;

/* Lowers the job, of this cost, to pictures of the same proportions. Fails as bench_job_lower does; small_free follows
 * in any case. */
Status small_lower(const BenchJob *job, Cost cost, Small *small);
void small_free(Small *small); /* accepts a zeroed one */

#endif
