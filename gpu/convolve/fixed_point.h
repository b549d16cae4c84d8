/* fixed_point.h: masks as whole numbers, for arithmetic on bytes. */
#ifndef GLINT_GPU_CONVOLVE_FIXED_POINT_H
#define GLINT_GPU_CONVOLVE_FIXED_POINT_H

#include "core/param/mask.h"

/* weight = whole / scale, as near as a 16-bit number gets. */
typedef struct FixedPointMask {
    short *whole; /* width x height of the mask */
    double scale;
    int multiplier; /* 2^32 / scale, which is whole; 0 where the scale is less than 4 */
    bool power_of_two;
    int exponent; /* where it is one, of the scale */
    int bytes;    /* of a whole number: 1 where all are between -128 and 127, else 2 */
    double error; /* in code values of u8 noise, the standard deviation of a result's error by the weights' rounding; 0:
                     nothing was rounded */
} FixedPointMask;

/* Takes the scale as large as 16 bits a weight and 32 bits a sum of u8 pixels allow. Where a power of two rounds too
 * much, it takes one that fits the weights better. Weights that are whole already stay as they are.
 * The rounding of the sum of all weights is spread over those that it changes least, so that flat areas keep their
 * value. STATUS_DEVICE if memory is short. */
Status fixed_point_mask(const Mask *mask, FixedPointMask *result);
/* Makes the mask as fixed_point_mask does, but its scale is a power of two of up to 2^exponent_max. */
Status fixed_point_mask_up_to(const Mask *mask, int exponent_max, FixedPointMask *result);
void fixed_point_mask_free(FixedPointMask *whole);

enum { FIXED_POINT_SEARCHED = 128 };

/* Weights that differ, and how often each occurs. */
typedef struct DistinctWeights {
    int count;
    double weights[FIXED_POINT_SEARCHED], times[FIXED_POINT_SEARCHED];
} DistinctWeights;

/* The loss by rounding the weights for this candidate: a scale, or a number that a scale follows from. */
typedef double FixedPointLoss(const DistinctWeights *of, double candidate);

/* The candidate that loses least, among `steps` of them from `first` on; the first of equals. There are `count`
 * weights, at most FIXED_POINT_SEARCHED. */
double fixed_point_search(FixedPointLoss *loss, const double *weights, int count, double first, double step, int steps);

#endif
