/* totals.h: shared by the operations that add up whole pictures, reduce and dot: which pictures they take, and how far
 * their totals may be apart. */
#ifndef GLINT_CORE_OPS_TOTALS_H
#define GLINT_CORE_OPS_TOTALS_H

#include "core/stage/op.h"

/* Whether `op` can add up these: pictures of one shape, if it is a pair (STATUS_INPUT), of no more pixels than sums
 * hold (STATUS_USAGE). */
Status totals_check(const char *op, const Shape in[STAGE_INPUTS], bool pair);
/* Op.compare: totals of whole numbers are the same, those of f32 within 1e-9, the largest relative error of sums in
 * double, in whatever order. */
Verdict totals_compare(const Stage *stage, double max_in, ImageView want, ImageView got);

#endif
