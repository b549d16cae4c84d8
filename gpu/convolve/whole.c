/* whole.c: masks as whole numbers. */
#include "gpu/convolve/whole.h"

#include <math.h>
#include <stdlib.h>

#define NOISE      73.9 /* standard deviation of a u8 value that is equally likely to be any */
#define SUM_MOST   ((2147483647.0 - 0x1p27) / 255 - MASK_MOST) /* half of 2^EXPONENT_MOST is added to it */
#define WHOLE_MOST (127 * 256 + 127.0)                         /* both bytes signed */

enum { EXPONENT_MOST = 24 };

typedef struct Extent {
    double most, sum; /* of |weight| */
    bool whole;
} Extent;

static Extent extent_of(const Mask *mask) {
    Extent extent = {.whole = true};
    for (int i = 0; i < mask->width * mask->height; i++) {
        const double weight = (double)mask->weights[i];
        extent.most = fmax(extent.most, fabs(weight));
        extent.sum += fabs(weight);
        extent.whole &= weight == rint(weight);
    }
    return extent;
}

/* The largest that keeps weights in 16 bits and sums in 32; negative for masks that are too large for either. */
static int largest_exponent(Extent extent) {
    if (extent.sum <= 0)
        return 0;
    const double room = floor(log2(fmin((WHOLE_MOST - 1) / extent.most, SUM_MOST / extent.sum)));
    return (int)fmax(fmin(room, EXPONENT_MOST), -EXPONENT_MOST);
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
    const size_t count = (size_t)mask->width * (size_t)mask->height;
    const Extent extent = extent_of(mask);
    const int room = largest_exponent(extent);
    *result = (WholeMask){.exponent = extent.whole && room > 0 ? 0 : room,
                          .bytes = extent.whole && extent.most <= 127 ? 1 : 2,
                          .whole = calloc(count, sizeof *result->whole)};
    if (!result->whole)
        return fail(STATUS_DEVICE, "no memory to round a mask");
    double sum = 0, squares = 0;
    for (size_t i = 0; i < count; i++) {
        const double exact = ldexp((double)mask->weights[i], result->exponent);
        result->whole[i] = (short)rint(exact);
        sum += exact - result->whole[i];
    }
    const int step = sum < 0 ? -1 : 1;
    for (int left = (int)rint(fabs(sum)); left > 0; left--) {
        const int i = most_willing(mask, result, step);
        result->whole[i] = (short)(result->whole[i] + step);
    }
    for (size_t i = 0; i < count; i++) {
        const double rest = ldexp((double)mask->weights[i], result->exponent) - result->whole[i];
        squares += rest * rest;
    }
    result->error = room < 0 ? INFINITY : NOISE * sqrt(squares) / ldexp(fabs((double)mask->divisor), result->exponent);
    return STATUS_OK;
}

void whole_mask_free(WholeMask *whole) {
    free(whole->whole);
    *whole = (WholeMask){0};
}
