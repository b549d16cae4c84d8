/* homography.h: maps of the plane that take lines to lines, as 3 x 3 numbers row by row. */
#ifndef GLINT_CORE_PARAM_HOMOGRAPHY_H
#define GLINT_CORE_PARAM_HOMOGRAPHY_H

#include <stdbool.h>

typedef struct Homography {
    double m[9];
} Homography;

Homography homography_identity(void);
/* `first`, then `then`. */
Homography homography_join(const Homography *first, const Homography *then);
bool homography_invert(const Homography *of, Homography *inverse); /* false if there is none */
void homography_apply(const Homography *of, double x, double y, double *u, double *v);
/* The map that takes each of four points to another, with a last number of 1; false if three of either lie on a
 * line. */
bool homography_of_points(double from[4][2], double to[4][2], Homography *homography);

#endif
