/* tolerance.h: how a result compares with the reference's.
 * Owns the rules for whole numbers and floats (docs/architecture.md, "Results"). */
#ifndef GLINT_CORE_STAGE_TOLERANCE_H
#define GLINT_CORE_STAGE_TOLERANCE_H

#include "core/image/image.h"

typedef struct Verdict {
    bool agrees;
    size_t values, differing; /* all values; those that are not equal */
    double worst;             /* largest absolute difference, in stored values */
    double allowed;           /* the largest that the operation allows */
} Verdict;

/* Counts differences, and judges nothing. NaN agrees with NaN alone. */
Verdict verdict_count(ImageView want, ImageView got);
/* u8, u16: within 1 on at most 0.1 % of the values (one value always may), exactly elsewhere. f32: within `allowed`. */
Verdict verdict_of(ImageView want, ImageView got, double allowed);
/* As verdict_of, for sums: a value that is not finite agrees with any other that is not, since levels add in different
 * orders. */
Verdict verdict_of_sums(ImageView want, ImageView got, double allowed);
/* For rows of doubles in counts (PIXEL_U32, two a double): each within `allowed` times its absolute value. Values that
 * are not finite are the same in both. */
Verdict verdict_of_totals(ImageView want, ImageView got, double allowed);

#endif
