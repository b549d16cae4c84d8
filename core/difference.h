/* difference.h: how far two pictures of the same shape are apart.
 * Owns the largest difference and its place, their mean, PSNR, SSIM and correlation; gathered band by band, so that it
 * can be left off. */
#ifndef GLINT_CORE_DIFFERENCE_H
#define GLINT_CORE_DIFFERENCE_H

#include "core/image.h"

/* Sums over pairs of values. */
typedef struct Moments {
    double a, b, aa, bb, ab;
} Moments;

typedef struct Difference {
    size_t row;       /* the next one; the height: all is done */
    double max;       /* the largest absolute difference of two values; NaN against a number: infinity */
    size_t x, y;      /* where it is first */
    size_t differing; /* pixels */
    double sum;       /* of the absolute differences of all values */
    double squares;   /* likewise */
    double ssim;      /* the sum over all windows and channels */
    size_t windows;
    Moments moments; /* of what is finite in both, less the pictures' first values */
    size_t finite;
} Difference;

/* Takes in the next `rows` rows of two pictures of one shape; a zeroed Difference begins. False at the end. */
bool difference_go_on(Difference *difference, ImageView a, ImageView b, size_t rows);
/* All rows, by all cores: the same sums, however many these are. */
Difference difference_of(ImageView a, ImageView b);
/* Decibels, of what was taken in so far; infinity where nothing differs. White is the type's: 255, 65535 or 1. */
double difference_psnr(const Difference *difference, Shape shape);
/* Structural similarity, 1 for the same: the mean over all windows of 7 x 7 pixels that lie within the picture, and
 * over channels, with variances of samples (Wang et al., Image Quality Assessment: From Error Visibility to Structural
 * Similarity, 2004; K1 = 0.01, K2 = 0.03; as scikit-image has it by default). 1 for pictures without a window. */
double difference_ssim(const Difference *difference);
/* The mean of the absolute differences, of what was taken in so far. */
double difference_mean(const Difference *difference, Shape shape);
/* Normalized cross-correlation, -1 to 1: of all values less their picture's mean, as numpy.corrcoef has it; 1 for what
 * is the same up to brightness and contrast. Where a picture is of one value: 1 if nothing differs, else 0. */
double difference_ncc(const Difference *difference);
/* Half stops that make the largest difference as bright as can be, beginning at 0; 0 if nothing differs, or by
 * infinity.
 */
double difference_gain(const Difference *difference, Shape shape);
/* The largest difference of a pixel's colours; of alpha nothing shows. */
double difference_at(ImageView a, ImageView b, size_t x, size_t y);

#endif
