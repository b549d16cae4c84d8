/* whole.c: masks as whole numbers. */
#include "gpu/convolve/whole.h"

#include <math.h>
#include <stdlib.h>

#define NOISE      73.9 /* standard deviation of a u8 value that is equally likely to be any */
#define SUM_MOST   (2147483647.0 / 255 - MASK_MOST)
#define WHOLE_MOST 32767.0

static bool all_whole(const Mask *mask, double most) {
    bool whole = true;
    for (int i = 0; i < mask->width * mask->height; i++) {
        const double weight = (double)mask->weights[i];
        whole &= weight == rint(weight) && fabs(weight) <= most;
    }
    return whole;
}

static int largest_exponent(const Mask *mask) {
    double most = 0, sum = 0;
    for (int i = 0; i < mask->width * mask->height; i++) {
        most = fmax(most, fabs((double)mask->weights[i]));
        sum += fabs((double)mask->weights[i]);
    }
    return sum > 0 ? (int)floor(log2(fmin((WHOLE_MOST - 1) / most, SUM_MOST / sum))) : 0;
}

/* The weight whose rounding is farthest from what `step` more would make of it. */
static int most_willing(const Mask *mask, const WholeMask *result, int step) {
    int best = 0;
    double most = -2;
    for (int i = 0; i < mask->width * mask->height; i++) {
        const double rest = (ldexp((double)mask->weights[i], result->exponent) - result->whole[i]) * step;
        if (rest > most) {
            most = rest;
            best = i;
        }
    }
    return best;
}

Status whole_mask(const Mask *mask, WholeMask *result) {
    const int count = mask->width * mask->height;
    const bool byte = all_whole(mask, 127);
    *result = (WholeMask){.exponent = byte || all_whole(mask, WHOLE_MOST) ? 0 : largest_exponent(mask),
                          .bytes = byte ? 1 : 2,
                          .whole = calloc((size_t)count, sizeof *result->whole)};
    if (!result->whole)
        return fail(STATUS_DEVICE, "no memory to round a mask");
    double sum = 0, squares = 0;
    for (int i = 0; i < count; i++) {
        const double exact = ldexp((double)mask->weights[i], result->exponent);
        result->whole[i] = (short)rint(exact);
        sum += exact - result->whole[i];
    }
    const int step = sum < 0 ? -1 : 1;
    for (int left = (int)rint(fabs(sum)); left > 0; left--) {
        const int i = most_willing(mask, result, step);
        result->whole[i] = (short)(result->whole[i] + step);
    }
    for (int i = 0; i < count; i++) {
        const double rest = ldexp((double)mask->weights[i], result->exponent) - result->whole[i];
        squares += rest * rest;
    }
    result->error = NOISE * sqrt(squares) / ldexp(fabs((double)mask->divisor), result->exponent);
    return STATUS_OK;
}

void whole_mask_free(WholeMask *whole) {
    free(whole->whole);
    *whole = (WholeMask){0};
}
