/* mask_response.c: rows first, then columns. */
#include "app/view/session/mask_response.h"

#include <complex.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* The sum of values times a wave of (frequency - side / 2) / side cycles a step: waves come from the table of one turn,
 * whose index goes round. */
static double complex correlate(const double complex *turn, int side, int frequency, const double complex *values,
                                int count) {
    const int step = ((frequency - side / 2) % side + side) % side;
    double real = 0, imaginary = 0; /* the language's product looks for infinities */
    for (int i = 0, phase = 0; i < count; i++) {
        const double complex value = values[i], wave = turn[phase];
        real += creal(value) * creal(wave) - cimag(value) * cimag(wave);
        imaginary += creal(value) * cimag(wave) + cimag(value) * creal(wave);
        phase += step;
        phase -= phase >= side ? side : 0;
    }
    return real + imaginary * I;
}

/* The transform of each row, column by column: side x height. */
static void transform_rows(const Mask *mask, int side, const double complex *turn, double complex *columns) {
    double complex row[MASK_MAX];
    for (int y = 0; y < mask->height; y++) {
        for (int x = 0; x < mask->width; x++)
            row[x] = (double)mask->weights[y * mask->width + x];
        for (int i = 0; i <= side / 2; i++)
            columns[i * mask->height + y] = correlate(turn, side, i, row, mask->width);
    }
}

Status mask_response(const Mask *mask, int side, double *magnitude) {
    const double divisor = fabs((double)mask->divisor);
    double complex *turn = calloc((size_t)side, sizeof *turn);
    double complex *columns = malloc((size_t)side * (size_t)mask->height * sizeof *columns);
    if (!turn || !columns) {
        free(turn);
        free(columns);
        return fail(STATUS_DEVICE, "no memory for the response of a mask");
    }
    for (int i = 0; i < side; i++)
        turn[i] = cos(2 * M_PI * i / side) - sin(2 * M_PI * i / side) * I;
    transform_rows(mask, side, turn, columns);
    for (int j = 0; j < side; j++)
        for (int i = 0; i <= side / 2; i++) { /* of real weights, opposite frequencies have the same magnitude */
            const double complex sum = correlate(turn, side, j, columns + (ptrdiff_t)i * mask->height, mask->height);
            const int far_i = 2 * (side / 2) - i, far_j = 2 * (side / 2) - j;
            magnitude[j * side + i] = cabs(sum) / divisor;
            if (far_i < side && far_j < side)
                magnitude[far_j * side + far_i] = magnitude[j * side + i];
            else if (far_i < side)
                magnitude[(far_j - side) * side + far_i] = magnitude[j * side + i];
        }
    free(turn);
    free(columns);
    return STATUS_OK;
}
