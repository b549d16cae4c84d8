/* difference.h: how far two pictures of the same shape are apart.
 * Owns the largest difference and its place, how many pixels differ, and SSIM. Gathers them band by band, so that it
 * can be left off. core/run/likeness.h has the figures that are sums over all values. */
#ifndef GLINT_CORE_IMAGE_DIFFERENCE_H
#define GLINT_CORE_IMAGE_DIFFERENCE_H

#include "core/image/image.h"

typedef struct Difference {
    size_t row;       /* the next one; the height: all is done */
    double max;       /* the largest absolute difference of two values; NaN against a number: infinity */
    size_t x, y;      /* where it is first */
    size_t differing; /* pixels */
    double ssim;      /* the sum over all windows and channels */
    size_t windows;
} Difference;

/* Takes in the next `rows` rows of two pictures of one shape; a zeroed Difference begins. False at the end. */
bool difference_go_on(Difference *difference, ImageView a, ImageView b, size_t rows);
/* All rows, by all cores: the same sums, however many these are. */
Difference difference_of(ImageView a, ImageView b);
/* Structural similarity, 1 for equal pictures. It is the mean over all windows of 7 x 7 pixels within the picture, and
 * over channels, with variances of samples (Wang et al., Image Quality Assessment: From Error Visibility to Structural
 * Similarity, 2004; K1 = 0.01, K2 = 0.03; as scikit-image has it by default). NaN for pictures that differ and hold no
 * window, or values that are not finite. */
double difference_ssim(const Difference *difference);
/* Half stops that make the largest difference as bright as can be, beginning at 0; 0 if nothing differs, or by
 * infinity.
 */
double difference_gain(const Difference *difference, Shape shape);
/* The largest difference of a pixel's colours; of alpha nothing shows. */
double difference_at(ImageView a, ImageView b, size_t x, size_t y);

#endif
