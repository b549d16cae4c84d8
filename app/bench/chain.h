/* chain.h: a whole chain, timed with fused stages and without.
 * Stages run together where that is predicted to pay; the check also has them together wherever they can be. */
#ifndef GLINT_APP_BENCH_CHAIN_H
#define GLINT_APP_BENCH_CHAIN_H

#include "core/plan/pipeline.h"

#include <jansson.h>
#include <stdio.h>

enum { CHAIN_FUSED, CHAIN_APART, CHAIN_TOGETHER, CHAIN_WAYS };

/* Times of a chain's run on the device. */
typedef struct ChainTimes {
    Shape in, out;
    size_t stages[CHAIN_WAYS];
    double ms[CHAIN_WAYS];          /* medians; 0: not run */
    double cpu_ms[CHAIN_WAYS];      /* medians of the time that all threads computed */
    double least[CHAIN_WAYS];       /* of all runs: verdicts rest on these */
    double overhead_us[CHAIN_WAYS]; /* that a caller waits for a run besides its kernels; 0: unknown */
    double copy_ms;                 /* of as many bytes as the picture and the result have */
    size_t runs;
} ChainTimes;

/* Whether the chain's plan has fewer stages with these options than with `unfused`. Fails as chain_open and chain_plan.
 */
Status chain_fuses(const char *text, Shape shape, PlanOptions options, bool *fuses);
/* Runs the chain on noise of this shape, `runs` times with fused stages and without, in turns. It runs one plan alone
 * if `options` say so, if `top` asks for that of batch, or if both have the same stages. Fails as pipelines do. */
Status chain_time(Device *device, const char *text, Shape shape, PlanOptions options, const char *level, bool top,
                  int runs, ChainTimes *times);

/* The least time of the chain as batch runs it, and the cost of all its stages. Short chains run more often than `runs`
 * says, long ones less often. Fails as chain_time. */
Status chain_least(Device *device, const char *text, Shape shape, PlanOptions options, int runs, double *ms,
                   Cost *cost);

/* Times the chain as its stages are fused, as none is, and as all are that can be. Says a line. STATUS_PARTIAL if the
 * first way takes more than 5 % longer than the fastest; otherwise fails as chain_time. */
Status chain_check_best(Device *device, const char *text, Shape shape, PlanOptions options, int runs, FILE *to,
                        json_t *list);

/* The line below a ladder: the time that fusing saves. Nothing where there is nothing to fuse. */
void chain_print_saved(FILE *to, const ChainTimes *times);
/* The table of bench chain, and its entries in Google Benchmark's schema: "chain/cpu/fused". */
void chain_print(FILE *to, const Device *device, const char *chain, const ChainTimes *times);
void chain_add_json(json_t *list, const Device *device, const char *chain, const ChainTimes *times);

#endif
