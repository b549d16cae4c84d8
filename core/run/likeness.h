/* likeness.h: how alike two pictures are, by sums over all of their values: the operations reduce and dot.
 * Owns PSNR, the mean difference and the correlation; core/image/difference.h has what needs pixels and their places.
 */
#ifndef GLINT_CORE_RUN_LIKENESS_H
#define GLINT_CORE_RUN_LIKENESS_H

#include "core/device/backend.h"

typedef struct Likeness {
    double psnr; /* decibels; infinity where nothing differs. White is the type's: 255, 65535 or 1 */
    double mean; /* of the absolute differences of all values */
    /* Normalized cross-correlation, -1 to 1: of all values less their picture's mean, as numpy.corrcoef has it; 1 for
     * what is the same up to brightness and contrast. Where a picture is of one value: 1 if nothing differs, else 0. */
    double ncc;
} Likeness;

/* Of two pictures of one shape in host memory, by the queue's device; waits. Values that are not finite in both are
 * passed over, but one of them against another value (NaN is not another NaN) makes the mean infinite and the PSNR
 * minus infinity. Fails as totals_reduce does, or if memory is short. */
Status likeness_of(Queue *queue, ImageView a, ImageView b, Likeness *likeness);

#endif
