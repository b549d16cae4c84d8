/* mask_response.c: rows first, then columns. */
#include "app/view/mask_response.h"

#include <complex.h>
#include <math.h>
#include <stdlib.h>

/* A wave's values at whole pixels: by the table of one turn, whose index goes round. */
static double complex wave(const double complex *turn, int side, int frequency, int pixel) {
    const int phase = (frequency - side / 2) * pixel % side;
    return turn[phase < 0 ? phase + side : phase];
}

/* The transform of each row: height x side. */
static void transform_rows(const Mask *mask, int side, const double complex *turn, double complex *rows) {
    for (int y = 0; y < mask->height; y++)
        for (int i = 0; i < side; i++) {
            double complex sum = 0;
            for (int x = 0; x < mask->width; x++)
                sum += (double)mask->weights[y * mask->width + x] * wave(turn, side, i, x);
            rows[y * side + i] = sum;
        }
}

Status mask_response(const Mask *mask, int side, double *magnitude) {
    double complex *turn = calloc((size_t)side, sizeof *turn);
    double complex *rows = malloc((size_t)side * (size_t)mask->height * sizeof *rows);
    if (!turn || !rows) {
        free(turn);
        free(rows);
        return fail(STATUS_DEVICE, "no memory for the response of a mask");
    }
    for (int i = 0; i < side; i++)
        turn[i] = cos(2 * M_PI * i / side) - sin(2 * M_PI * i / side) * I;
    transform_rows(mask, side, turn, rows);
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) {
            double complex sum = 0;
            for (int y = 0; y < mask->height; y++)
                sum += rows[y * side + i] * wave(turn, side, j, y);
            magnitude[j * side + i] = cabs(sum) / fabs((double)mask->divisor);
        }
    free(turn);
    free(rows);
    return STATUS_OK;
}
