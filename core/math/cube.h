/* cube.h: a colour through a table of one dimension, or of three.
 * Owns the interpolation for every backend. Between the entries of a line it is a straight line. Within a cell of the
 * cube it goes by the tetrahedron that the colour lies in (J. Kasson, W. Plouffe, S. Nin, A tetrahedral interpolation
 * technique for color space conversion, 1993). Beyond the domain, the entries at its ends go on. NaN stays NaN. */
#ifndef GLINT_CORE_MATH_CUBE_H
#define GLINT_CORE_MATH_CUBE_H

#include "core/math/host_device.h"

#include <math.h>
#include <stddef.h>

typedef struct CubeJob {
    int side, dimensions;
    double white; /* full intensity in the picture's values; 1 in the table's */
} CubeJob;

/* The table as it lies in memory (core/codec/cube.h): `stride` floats from row to row. */
GLINT_HD double cube_entry(const float *table, size_t stride, int row, int column, int c) {
    return (double)table[(size_t)row * stride + (size_t)(3 * column + c)];
}

/* Where a value lies between the entries of a side: the first of two, and how far from it. */
GLINT_HD double cube_place(const CubeJob *job, const float *table, size_t stride, double value, int c, int *first) {
    const double low = cube_entry(table, stride, 0, 0, c), high = cube_entry(table, stride, 0, 1, c);
    const double part = (value / job->white - low) / (high - low), last = job->side - 1;
    const double at = part > 0 ? (part < 1 ? part * last : last) : 0;
    *first = at < last - 1 ? (int)at : job->side - 2;
    return at - *first;
}

/* `in` and `out` are three values, as stored. */
GLINT_HD void cube_colour(const CubeJob *job, const float *table, size_t stride, const double *in, double *out) {
    int at[3], order[3] = {0, 1, 2};
    double part[3];
    for (int c = 0; c < 3; c++)
        part[c] = cube_place(job, table, stride, in[c], c, &at[c]);
    if (job->dimensions == 1) {
        for (int c = 0; c < 3; c++) {
            const double from = cube_entry(table, stride, 1, at[c], c), to = cube_entry(table, stride, 1, at[c] + 1, c);
            out[c] = in[c] == in[c] ? job->white * (from + part[c] * (to - from)) : in[c];
        }
        return;
    }
    /* from the corner of the cell to the opposite one along its edges, the axis of the largest part first */
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2 - k; i++)
            if (part[order[i + 1]] > part[order[i]]) {
                const int swapped = order[i];
                order[i] = order[i + 1];
                order[i + 1] = swapped;
            }
    double sums[3] = {0, 0, 0}, before = 1;
    for (int k = 0; k <= 3; k++) {
        const double next = k < 3 ? part[order[k]] : 0;
        for (int c = 0; c < 3; c++)
            sums[c] += (before - next) * cube_entry(table, stride, 1 + at[1] + job->side * at[2], at[0], c);
        if (k < 3)
            at[order[k]]++;
        before = next;
    }
    for (int c = 0; c < 3; c++)
        out[c] = in[0] == in[0] && in[1] == in[1] && in[2] == in[2] ? job->white * sums[c] : (double)NAN;
}

/* A pixel of `colours` values; gray ones become the Rec. 709 luma of the colour that gray becomes. */
GLINT_HD void cube_pixel(const CubeJob *job, const float *table, size_t stride, int colours, const double *in,
                         double *out) {
    double three[3], made[3];
    for (int c = 0; c < 3; c++)
        three[c] = in[colours == 3 ? c : 0];
    cube_colour(job, table, stride, three, made);
    if (colours < 3)
        out[0] = 0.2126 * made[0] + 0.7152 * made[1] + 0.0722 * made[2];
    else
        for (int c = 0; c < 3; c++)
            out[c] = made[c];
}

#endif
