/* mask.h: the weights of a convolution.
 * Owns building, parsing and taking masks apart into separable terms. */
#ifndef GLINT_CORE_PARAM_MASK_H
#define GLINT_CORE_PARAM_MASK_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MASK_MAX = 255 }; /* the largest width and height */
#define MASK_RESIDUAL 5e-7

/* The creator fills a mask. Once a plan has it, it must not change: devices find results made of it by its serial. out
 * = (sum of weight * in) / divisor + bias. Keeping the divisor apart keeps integer masks (box, binomial) exact. Their
 * sums are exact in f32, and one correctly rounded division gives the same value on every level. */
typedef struct Mask {
    int width, height; /* 1 to MASK_MAX; the anchor is (width / 2, height / 2) */
    float divisor;     /* not 0 */
    float *weights;    /* row by row, as laid on the picture (correlation) */
    uint64_t serial;   /* no other mask has it */
} Mask;

/* A mask as a sum of `count` outer products column x row: weight(i, j) = sum of columns[t][j] * rows[t][i]. */
typedef struct MaskTerms {
    int count;
    double *rows;    /* count x width */
    double *columns; /* count x height */
} MaskTerms;

/* Zero weights, divisor 1. STATUS_USAGE if a side is out of range. */
Status mask_create(int width, int height, Mask **mask);
Status mask_clone(const Mask *from, Mask **mask);
void mask_destroy(Mask **mask);
/* Equal sizes, divisor and weights; NULL equals none. */
bool mask_equal(const Mask *a, const Mask *b);

/* Parses numbers separated by blanks or commas, with line breaks or ';' between rows. One row alone must hold a square
 * number of weights, unless it ends with ';': then it is a mask of height 1. STATUS_USAGE naming the number or the row
 * that is wrong. */
Status mask_parse(const char *text, Mask **mask);
/* Parses as mask_parse does, but each line is a row, also a single one; '#' begins a comment. */
Status mask_parse_rows(const char *text, Mask **mask);
/* Parses a file as mask_parse_rows does. STATUS_INPUT if it cannot be read. */
Status mask_load(const char *path, Mask **mask);
/* Sampled at pixel centres, normalised; 2 radius + 1 a side. sigma > 0, in pixels; radius 0 takes ceil(3 sigma), which
 * holds 99.7 % of the weight. More than 7 sigma are left out, as they weigh nothing. */
Status mask_gaussian(double sigma, int radius, Mask **mask);
/* A gaussian as mask_gaussian makes it, with another sigma in y. */
Status mask_gaussian_of(double sigma_x, double sigma_y, int radius, Mask **mask);
Status mask_box(int width, int height, Mask **mask); /* ones, divisor width * height */
/* Turns it and its anchor by 180 degrees: correlation becomes convolution. An even side gets a line of zeros before it,
 * as the anchor would lie off the middle. Fails as mask_create does; *mask stays then. */
Status mask_flip(Mask **mask);

/* Makes whole numbers, with a divisor of 1 to 1000, of weights that are decimals of at most three places once they are
 * divided. Sums are then exact in f32, and a value halfway between two results is rounded alike on every level. */
void mask_make_whole(Mask *mask);

bool mask_is_box(const Mask *mask);         /* whether all weights are the same */
double mask_sum(const Mask *mask);          /* sum of weights / divisor */
double mask_absolute_sum(const Mask *mask); /* sum of |weights| / |divisor| */
/* The largest power of two of which all weights are whole multiples: 1/64 for a mean of 64; 0 if all are 0. */
double mask_unit(const Mask *mask);

/* The numerical rank (1 to min(width, height); 0 for all zeros), by Gaussian elimination with complete pivoting (Golub
 * and Van Loan, Matrix Computations, section 3.4). It counts steps until the sum of |the rest| is at most MASK_RESIDUAL
 * times the sum of |weights|. The rest can then change no result by more than a quarter of a level's allowed error. */
int mask_rank(const Mask *mask);
bool mask_has_terms(const Mask *mask, int max); /* rank at most `max`, found in as many steps */
bool mask_separable(const Mask *mask);          /* rank at most 1 */
/* The terms that mask_rank's elimination finds, exact for integer masks. STATUS_USAGE if the rank exceeds `max`. */
Status mask_factor(const Mask *mask, int max, MaskTerms *terms);
void mask_terms_free(MaskTerms *terms);

#endif
