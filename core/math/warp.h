/* warp.h: where a result pixel of a warp lies in the input, and the weights there.
 * Owns the arithmetic for every backend: double for places, so that all agree on them to a billionth of a pixel. */
#ifndef GLINT_CORE_MATH_WARP_H
#define GLINT_CORE_MATH_WARP_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>

#define WARP_FAR 1e9  /* places farther away count as this far */
#define WARP_TIE 1e-6 /* pixels: a place so near below the middle between two belongs to the second */

/* From the result's pixels to the input's; a pixel's centre has whole coordinates. Either a homography, or a lens. A
 * lens is that of D. Brown, Close-Range Camera Calibration, Photogrammetric Engineering 37(8), 1971, as OpenCV writes
 * it. Or it is radial, as in Lensfun's manual: the distance r from its centre becomes s = r (b0 + b1 r + ... + b4 r^4),
 * and then s (a0 + a1 s + a2 s^2). Then k1 is WARP_FAR: levels that bound the bend of Brown's lenses refuse such a map.
 */
typedef struct WarpMap {
    bool is_lens, is_radial;          /* the second: of those that are lenses */
    double matrix[9];                 /* row by row */
    double focal, centre_x, centre_y; /* of the lens, in pixels; focal is the distance that counts as 1 */
    double k1, k2, k3, p1, p2;        /* its distortion, radial and tangential */
    double bend[5], apart[3];         /* b and a, of a radial one */
} WarpMap;

GLINT_HD double warp_near(double at) {
    return at > -WARP_FAR ? at < WARP_FAR ? at : WARP_FAR : -WARP_FAR; /* NaN is far, too */
}

GLINT_HD void warp_place(const WarpMap *map, double x, double y, double *u, double *v) {
    if (map->is_radial) {
        const double *s = map->bend, *t = map->apart, x1 = x - map->centre_x, y1 = y - map->centre_y;
        const double r = sqrt(x1 * x1 + y1 * y1) / map->focal;
        const double bent = s[0] + r * (s[1] + r * (s[2] + r * (s[3] + r * s[4]))), far = r * bent;
        const double radial = bent * (t[0] + far * (t[1] + far * t[2]));
        *u = x1 * radial + map->centre_x;
        *v = y1 * radial + map->centre_y;
    } else if (map->is_lens) {
        const double by = 1 / map->focal, a = (x - map->centre_x) * by, b = (y - map->centre_y) * by;
        const double r2 = a * a + b * b, radial = 1 + r2 * (map->k1 + r2 * (map->k2 + r2 * map->k3));
        *u = (a * radial + 2 * map->p1 * a * b + map->p2 * (r2 + 2 * a * a)) * map->focal + map->centre_x;
        *v = (b * radial + map->p1 * (r2 + 2 * b * b) + 2 * map->p2 * a * b) * map->focal + map->centre_y;
    } else {
        const double *m = map->matrix, w = m[6] * x + m[7] * y + m[8], by = w < 0 || w > 0 ? 1 / w : 0;
        *u = (m[0] * x + m[1] * y + m[2]) * by;
        *v = (m[3] * x + m[4] * y + m[5]) * by;
    }
    *u = warp_near(*u);
    *v = warp_near(*v);
}

/* Catmull and Rom's weights of the four pixels around, from the one before the place; it lies `t` behind the second. */
GLINT_HD void warp_cubic(double t, double weights[4]) {
    weights[0] = ((-0.5 * t + 1) * t - 0.5) * t;
    weights[1] = (1.5 * t - 2.5) * t * t + 1;
    weights[2] = ((-1.5 * t + 2) * t + 0.5) * t;
    weights[3] = (0.5 * t - 0.5) * t * t;
}

#endif
