/* bank.h: filter banks: masks of one size that are applied together.
 * Owns building the shipped ones, and reading those of a user. */
#ifndef GLINT_CORE_PARAM_BANK_H
#define GLINT_CORE_PARAM_BANK_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { BANK_MASKS_MAX = 256, BANK_TERMS_MAX = 1 << 14 /* weights of a mask */ };

/* A matrix: a mask a row, its weights row by row, as laid on the picture (correlation). The anchor is (width / 2,
 * height / 2). Once a plan has it, it does not change. */
typedef struct Bank {
    int count, width, height;
    float *weights;  /* count x (width x height) */
    uint64_t serial; /* no other bank has it */
} Bank;

/* Zero weights. STATUS_USAGE if there are too many. */
Status bank_create(int count, int width, int height, Bank **bank);
void bank_destroy(Bank **bank); /* accepts NULL */

static inline size_t bank_terms(const Bank *bank) {
    return (size_t)bank->width * (size_t)bank->height;
}
/* The largest sum of |weights| of a mask. */
double bank_absolute_sum(const Bank *bank);

/* Gabor's waves of this wavelength in `orientations` directions from 0 to 180 degrees. First come the waves that answer
 * to lines, then those that answer to edges; sigma is 0.56 wavelengths, 2 sigma along. Zero mean, sum of |weights|
 * 1. */
Status bank_gabor(int orientations, double wavelength, int side, Bank **bank);
/* Leung and Malik, Representing and recognizing the visual appearance of materials using three-dimensional textons,
 * 2001. It has 18 edges and 18 bars (three scales, six directions), 8 Laplacians of Gaussians, 4 Gaussians. Zero mean,
 * sum of |weights| 1. */
Status bank_leung_malik(int side, Bank **bank);
/* Masks of a text file as mask_parse takes them, a row a line, a blank line between two of them, all of one size. */
Status bank_load(const char *path, Bank **bank);

#endif
