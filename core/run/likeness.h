/* likeness.h: how alike two pictures are, by sums over all of their values: the operations reduce and dot.
 * Owns PSNR, the mean difference and the correlation; core/image/difference.h has figures that need pixels and their
 * places. */
#ifndef GLINT_CORE_RUN_LIKENESS_H
#define GLINT_CORE_RUN_LIKENESS_H

#include "core/device/backend.h"

typedef struct Likeness {
    double psnr; /* decibels; infinity where nothing differs. White is the type's: 255, 65535 or 1 */
    double mean; /* of the absolute differences of all values */
    /* Normalized cross-correlation, -1 to 1, of all values less their picture's mean, as numpy.corrcoef has it. It is 1
     * for pictures that are equal up to brightness and contrast. Where all values of a picture are equal: 1 if nothing
     * differs, else 0. */
    double ncc;
} Likeness;

/* Compares two pictures of one shape in host memory, by the queue's device; waits. Pairs of which a value is not finite
 * are passed over. Such a value against any other one makes the mean infinite and the PSNR minus infinity; two NaN do
 * not differ. Fails as totals_reduce does, or if memory is short. */
Status likeness_of(Queue *queue, ImageView a, ImageView b, Likeness *likeness);

#endif
