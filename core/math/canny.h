/* canny.h: which slopes are peaks, for every backend. Comparisons decide here, so nothing is rounded: sums of small
 * multiples of pixels are exact in double, and so alike everywhere. */
#ifndef GLINT_CORE_MATH_CANNY_H
#define GLINT_CORE_MATH_CANNY_H

#include "core/math/border_index.h"
#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

/* Classes of pixels: less than weak is no peak. Far apart, so that noise has long chains of few strong ones. */
enum { CANNY_WEAK = 160, CANNY_STRONG = 252 };

enum { CANNY_SEAMS = 4 };

typedef struct CannyJob {
    double low, high; /* magnitudes above which a peak is an edge if it touches one, or by itself */
    double white;     /* the value of edges */
    bool alpha;       /* the last channel is alpha: it is not looked at, and stays */
    Border border;
    bool cut;               /* the picture is a part of one: */
    int above, below;       /* so many of its first and of its last rows are no part of any tree; */
    int seams[CANNY_SEAMS]; /* rows by which it hangs together with its neighbours; negative: none */
} CannyJob;

/* Where the magnitude is compared: to both sides, above and below, or along a diagonal. */
typedef enum CannyDirection { CANNY_ACROSS, CANNY_DOWN, CANNY_FALLING, CANNY_RISING } CannyDirection;

typedef struct CannySlope {
    double x, y, magnitude; /* |x| + |y| */
} CannySlope;

/* Sobel's slope of nine values, row by row. */
GLINT_HD CannySlope canny_slope(const double v[9]) {
    CannySlope slope;
    slope.x = v[2] - v[0] + 2 * (v[5] - v[3]) + (v[8] - v[6]);
    slope.y = v[6] - v[0] + 2 * (v[7] - v[1]) + (v[8] - v[2]);
    slope.magnitude = fabs(slope.x) + fabs(slope.y);
    return slope;
}

/* 13573 / 32768 is the tangent of 22.5 degrees; 79109 / 32768 that of 67.5. */
GLINT_HD CannyDirection canny_direction(CannySlope slope) {
    const double x = fabs(slope.x), y = fabs(slope.y) * 32768;
    if (y < x * 13573)
        return CANNY_ACROSS;
    if (y > x * 79109)
        return CANNY_DOWN;
    return (slope.x < 0) != (slope.y < 0) ? CANNY_RISING : CANNY_FALLING;
}

/* The neighbour before, in the order of rows; the one behind lies opposite. */
GLINT_HD int canny_step_x(CannyDirection direction) {
    return direction == CANNY_DOWN ? 0 : direction == CANNY_RISING ? 1 : -1;
}
GLINT_HD int canny_step_y(CannyDirection direction) {
    return direction == CANNY_ACROSS ? 0 : -1;
}

/* Whether a magnitude is greater than those of the neighbours before and behind; on a row or a column, the latter may
 * be as great. */
GLINT_HD bool canny_peak(CannyDirection direction, double magnitude, double before, double behind) {
    const bool straight = direction == CANNY_ACROSS || direction == CANNY_DOWN;
    return magnitude > before && (magnitude > behind || (straight && magnitude >= behind));
}

#endif
