/* homography.c: products, inverses, and the homography of four points. */
#include "core/param/homography.h"

#include <float.h>
#include <math.h>

enum { UNKNOWNS = 8 };

Homography homography_identity(void) {
    return (Homography){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

Homography homography_join(const Homography *first, const Homography *then) {
    Homography joined = {{0}};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                joined.m[3 * i + j] += then->m[3 * i + k] * first->m[3 * k + j];
    return joined;
}

bool homography_invert(const Homography *of, Homography *inverse) {
    const double *m = of->m, a = m[4] * m[8] - m[5] * m[7], b = m[5] * m[6] - m[3] * m[8],
                 c = m[3] * m[7] - m[4] * m[6];
    const double determinant = m[0] * a + m[1] * b + m[2] * c;
    const double adjugate[9] = {a, m[2] * m[7] - m[1] * m[8], m[1] * m[5] - m[2] * m[4],
                                b, m[0] * m[8] - m[2] * m[6], m[2] * m[3] - m[0] * m[5],
                                c, m[1] * m[6] - m[0] * m[7], m[0] * m[4] - m[1] * m[3]};
    if (!(fabs(determinant) > DBL_MIN) || !isfinite(determinant))
        return false;
    for (int i = 0; i < 9; i++)
        inverse->m[i] = adjugate[i] / determinant;
    return true;
}

void homography_apply(const Homography *of, double x, double y, double *u, double *v) {
    const double *m = of->m, w = m[6] * x + m[7] * y + m[8];
    *u = (m[0] * x + m[1] * y + m[2]) / w;
    *v = (m[3] * x + m[4] * y + m[5]) / w;
}

/* Gauss's elimination with the largest pivots; the right side is the last column. */
static bool solve(double rows[UNKNOWNS][UNKNOWNS + 1], double solution[UNKNOWNS]) {
    for (int i = 0; i < UNKNOWNS; i++) {
        int pivot = i;
        for (int k = i + 1; k < UNKNOWNS; k++)
            pivot = fabs(rows[k][i]) > fabs(rows[pivot][i]) ? k : pivot;
        if (!(fabs(rows[pivot][i]) > 1e-12))
            return false;
        for (int j = 0; j <= UNKNOWNS; j++) {
            const double kept = rows[i][j];
            rows[i][j] = rows[pivot][j];
            rows[pivot][j] = kept;
        }
        for (int k = i + 1; k < UNKNOWNS; k++) {
            const double factor = rows[k][i] / rows[i][i];
            for (int j = i; j <= UNKNOWNS; j++)
                rows[k][j] -= factor * rows[i][j];
        }
    }
    for (int i = UNKNOWNS; i-- > 0;) {
        solution[i] = rows[i][UNKNOWNS];
        for (int j = i + 1; j < UNKNOWNS; j++)
            solution[i] -= rows[i][j] * solution[j];
        solution[i] /= rows[i][i];
    }
    return true;
}

/* u (m6 x + m7 y + 1) = m0 x + m1 y + m2, and so v. */
bool homography_of_points(double from[4][2], double to[4][2], Homography *homography) {
    double rows[UNKNOWNS][UNKNOWNS + 1] = {{0}};
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++) {
            double *row = rows[2 * i + k];
            row[3 * k] = from[i][0];
            row[3 * k + 1] = from[i][1];
            row[3 * k + 2] = 1;
            row[6] = -from[i][0] * to[i][k];
            row[7] = -from[i][1] * to[i][k];
            row[8] = to[i][k];
        }
    homography->m[8] = 1;
    return solve(rows, homography->m);
}
