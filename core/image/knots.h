/* knots.h: a smooth curve through given points, as the filter curves bends brightness.
 * Owns reading the points and the slopes there: Fritsch and Butland's (1984), which never overshoot. */
#ifndef GLINT_CORE_IMAGE_KNOTS_H
#define GLINT_CORE_IMAGE_KNOTS_H

#include "core/base/status.h"

enum { KNOTS_MAX = 16, KNOT_PARAMETERS = 1 + 3 * KNOTS_MAX };
#define KNOTS_APART 0.01 /* percent, at least, from a point to the next one */

typedef struct Knot {
    double x, y, slope;
} Knot;

typedef struct Knots {
    int count; /* at least 1 */
    Knot list[KNOTS_MAX];
} Knots;

/* Pairs of percents, as in "0 0; 25 15; 100 100"; knots lie between 0 and 1. STATUS_USAGE naming the point that is
 * wrong. */
Status knots_parse(const char *text, Knots *knots);
/* Sets the slopes of knots that lie in ascending order, at least two. */
void knots_smooth(Knots *knots);
/* The parameters of knot_curve (core/stage/point.h); returns how many numbers they are. */
int knots_parameters(const Knots *knots, double parameters[KNOT_PARAMETERS]);

#endif
