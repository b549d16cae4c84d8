/* whole.h: masks as whole numbers, for arithmetic on bytes. */
#ifndef GLINT_GPU_CONVOLVE_WHOLE_H
#define GLINT_GPU_CONVOLVE_WHOLE_H

#include "core/mask.h"

/* weight = whole / 2^exponent, as near as a 16-bit number gets. */
typedef struct WholeMask {
    short *whole; /* width x height of the mask */
    int exponent;
    int bytes;    /* of a whole number: 1 where all are between -128 and 127, else 2 */
    double error; /* in code values of u8 noise, the standard deviation of what rounding the weights does to a result */
} WholeMask;

/* Takes the exponent as large as 16 bits a weight and 32 bits a sum of u8 pixels allow; weights that are whole already
 * stay as they are. The rounding of the sum of all weights is spread over those that it changes least, so that flat
 * areas keep their value. STATUS_DEVICE if memory is short. */
Status whole_mask(const Mask *mask, WholeMask *result);
void whole_mask_free(WholeMask *whole);

#endif
