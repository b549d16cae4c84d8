/* totals.h: the totals of values so far, channel by channel, and the runs of values that add to them.
 * Whole numbers are added as such, so that their order does not matter; f32 values as double. */
#ifndef GLINT_CPU_COURSE_REDUCE_TOTALS_H
#define GLINT_CPU_COURSE_REDUCE_TOTALS_H

#include "core/device/backend.h"
#include "core/ops/reduce.h"

typedef struct Totals {
    uint64_t sum[REDUCE_CHANNELS], squares[REDUCE_CHANNELS], count[REDUCE_CHANNELS];
    double real_sum[REDUCE_CHANNELS], real_squares[REDUCE_CHANNELS]; /* of f32 */
    double minimum[REDUCE_CHANNELS], maximum[REDUCE_CHANNELS];
} Totals;

extern const Totals totals_none;

/* Adds `more`, of values that follow. */
void totals_add(Totals *to, const Totals *more);
/* Stores the figures that the stage's job asks for as its result. */
void totals_store(const Stage *stage, const Totals *totals);

/* Adds `count` values, of whole pixels. */
typedef void TotalsRun(const void *values, size_t count, Totals *to);
/* The products of `count` values and their neighbours in the other picture, to the sums. */
typedef void TotalsProducts(const void *a, const void *b, size_t count, Totals *to);
/* The absolute differences of `count` values. */
typedef void TotalsDifferences(const void *a, const void *b, size_t count, void *to);

enum { TOTALS_PASSES = 4 }; /* as enum ReduceWhat numbers its bits */

/* By instruction set; tables by type, then by channels, less 1. */
typedef struct TotalsTable {
    TotalsRun *passes[TOTALS_PASSES][PIXEL_TYPES + 1][REDUCE_CHANNELS]; /* of counts, too */
    TotalsProducts *products[PIXEL_TYPES][REDUCE_CHANNELS];
    TotalsDifferences *differences[PIXEL_TYPES + 1];
} TotalsTable;
extern const TotalsTable totals_portable, totals_avx2, totals_avx512;
const TotalsTable *totals_table(void); /* the widest set's */

#endif
