/* derivative.h: the measurements by a pair of small masks, for every backend.
 * Owns the job of the operation derivative and the arithmetic of its results. */
#ifndef GLINT_CORE_MATH_DERIVATIVE_H
#define GLINT_CORE_MATH_DERIVATIVE_H

#include "core/math/border_index.h"
#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

/* The two masks, as they are laid on; s is `side`, m is `middle`.
 *     DERIVATIVE_SMOOTHED   x: -s 0 s   y: -s -m -s      DERIVATIVE_DIAGONAL   x: 0  0 0   y: 0 0  0
 *                              -m 0 m       0  0  0                               0 -1 0      0 0 -1
 *                              -s 0 s       s  m  s                               0  0 1      0 1  0 */
typedef enum DerivativeForm { DERIVATIVE_SMOOTHED, DERIVATIVE_DIAGONAL } DerivativeForm;
typedef enum DerivativeOutput {
    DERIVATIVE_X,
    DERIVATIVE_Y,
    DERIVATIVE_MAGNITUDE,
    DERIVATIVE_DIRECTION
} DerivativeOutput;

typedef struct DerivativeJob {
    DerivativeForm form;
    DerivativeOutput output;
    int side, middle; /* of the masks of DERIVATIVE_SMOOTHED */
    double scale;     /* factor on x, y and magnitude */
    double bias;      /* added to x and y, in stored values */
    double white;     /* full intensity: a whole turn of the direction, full alpha */
    bool alpha;       /* the last channel is alpha: colours are measured times alpha and divided by the pixel's own, and
                         alpha stays; else all channels are alike */
    Border border;    /* a value beyond the edge is that of an opaque pixel */
} DerivativeJob;

/* The angle of (x, y) by whole turns, 0 to 1, from x towards y; within 5e-11 (a Chebyshev fit of the arc tangent). */
GLINT_HD double derivative_turn(double x, double y) {
    const double a = fabs(x), b = fabs(y), greater = a > b ? a : b, lesser = a > b ? b : a;
    const double t = greater > 0 ? lesser / greater : 0, u = t * t;
    double turn = 0.0001726023810353702;
    turn = turn * u - 0.00114053056160082;
    turn = turn * u + 0.003533789594583886;
    turn = turn * u - 0.007046373145299708;
    turn = turn * u + 0.01067947809573358;
    turn = turn * u - 0.01399945589142625;
    turn = turn * u + 0.01759264483336227;
    turn = turn * u - 0.02272581138198793;
    turn = turn * u + 0.03183034540032152;
    turn = turn * u - 0.05305163231066586;
    turn = (turn * u + 0.1591549430305451) * t;
    turn = b > a ? 0.25 - turn : turn;
    turn = x < 0 ? 0.5 - turn : turn;
    turn = y < 0 ? 1 - turn : turn;
    return a == a && b == b ? turn : a + b; /* NaN stays NaN */
}

/* The result before rounding, for the sums x and y at a pixel of this alpha, which is read only if job->alpha. */
GLINT_HD double derivative_value(const DerivativeJob *job, double x, double y, double alpha) {
    const double divisor = job->alpha ? alpha : 1;
    if (job->output == DERIVATIVE_DIRECTION)
        return divisor > 0 ? job->white * derivative_turn(x, y) : 0;
    const double value = job->output == DERIVATIVE_X ? x : job->output == DERIVATIVE_Y ? y : sqrt(x * x + y * y);
    return job->scale * (divisor > 0 ? value / divisor : 0) + job->bias;
}

/* The weights of the masks at (i, j), -1 to 1. */
GLINT_HD int derivative_weight_x(const DerivativeJob *job, int i, int j) {
    return job->form == DERIVATIVE_SMOOTHED ? i * (j == 0 ? job->middle : job->side)
           : i == 0 && j == 0               ? -1
           : i == 1 && j == 1               ? 1
                                            : 0;
}
GLINT_HD int derivative_weight_y(const DerivativeJob *job, int i, int j) {
    return job->form == DERIVATIVE_SMOOTHED ? j * (i == 0 ? job->middle : job->side)
           : i == 1 && j == 0               ? -1
           : i == 0 && j == 1               ? 1
                                            : 0;
}

#endif
