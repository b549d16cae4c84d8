/* denoise.h: the operation denoise: light without its noise, by an edge-avoiding à-trous wavelet transform (H. Dammertz
 * et al., Edge-Avoiding À-Trous Wavelet Transform for Fast Global Illumination Filtering, 2010) whose tolerance of
 * differences follows the variance (C. Schied et al., Spatiotemporal Variance-Guided Filtering, 2017).
 *
 * The filter smooths the irradiance L: light divided by albedo, or by DENOISE_DARK where that is more, channel by
 * channel. |L|^2 is the mean of the channels' squares, weighted as in luminance, and v the variance of L in this sense.
 * n is the normal, and z the nearness (core/math/denoise.h):
 *     L'(p) = sum of w(p, q) L(q) / sum of w(p, q),    v'(p) = sum of w(p, q)^2 v(q) / (sum of w(p, q))^2,
 *     w(p, q) = h(q - p) exp(-|n(q) - n(p)|^2 / normal^2 - (z(q) - z(p) - g(p) (q - p))^2 / (depth^2 z(p)^2 + |g(p)|^2)
 *                            - |L(q) - L(p)|^2 / (light^2 v(p) + 1e-6 |L(p)|^2)),
 * h the B3-spline (1 4 6 4 1) / 16 of columns and rows, `iterations` times, with neighbours 1, 2, 4, ... pixels apart;
 * g is how z changes from pixel to pixel: of the differences to both sides the smaller, so that edges do not count. The
 * v that this begins with goes by 5 x 5 pixels, weighted by normals and nearness alone. If the samples say what the
 * variance s(q) of a pixel is, v(p) is pi^2 / (2 gamma(3/4)^4) times a fourth power. Its base is the mean of the fourth
 * roots of s(q). If s(p) is more, v(p) is s(p). For a normal distribution this is the mean of s(q), too, but single
 * bright paths count less. Else v(p) is e(p): the mean of |L(q) - L(p)|^2 less the square of the mean of L(q) - L(p).
 * s is of independent samples; v(p) is times denoise_scattered, as low-discrepancy sequences have it.
 * The first iteration compares G instead of L, and takes the variance of G for v: with the same weights u over 5 x 5,
 *     G(p) = L(p) + c(p) mean of (L(q) - L(p)),    c(p) = v(p) / max(v(p), e(p)),
 *     v(p) ((1 - c(p))^2 + 2 (1 - (1 - c(p))^2) sum of u^2 / (sum of u)^2).
 * G is the mean where light differs no more than by noise, and L where it differs far more (J.-S. Lee, Digital Image
 * Enhancement and Noise Filtering by Use of Local Statistics, 1980). Where the samples say what the variance is, the
 * v(p) that iterations pass on is times min(1, mean of s(q) / e(p)), the share of noise in how light differs. The last
 * iteration's result, times the divisor of its light, is out.
 *
 * Pixels beyond the edges take no part; nor do those with a value that is not finite, which stay as they are. A picture
 * whose irradiance is constant stays as it is. Alpha stays. */
#ifndef GLINT_CORE_OPS_DENOISE_H
#define GLINT_CORE_OPS_DENOISE_H

#include "core/math/denoise.h"
#include "core/stage/stage.h"

enum { DENOISE_ITERATIONS = 4, DENOISE_ITERATIONS_MAX = 6 };

/* The parameters that suit films: bench/denoise found them. */
#define DENOISE_NORMAL 0.9
#define DENOISE_DEPTH  0.02
#define DENOISE_LIGHT  3.7

/* All frames are f32, and in[0] and out of equal shape. If `film`, in[0] is FilmPixel pixels (core/math/film.h), in[1]
 * their surfaces (core/tracer/surfaces.h), in[2] the same film when it had fewer samples. The variance follows from how
 * both differ, unless in[2] has as many samples, or less than a quarter. out is of one sample. Else `guides` says which
 * guides follow the picture. These are normals, with nearness as a fourth channel or without, and albedo of 3 or 4
 * channels, which only pictures with colours have. */
typedef struct DenoiseJob {
    bool film;
    int guides;                  /* 0 to 2 */
    int iterations;              /* 1 to DENOISE_ITERATIONS_MAX */
    int coarseness;              /* the side of blocks that are one pixel repeated, the first: only that is read */
    double normal, depth, light; /* standard deviations times the root of 2, as above */
    double normal_scale, albedo_scale; /* from stored values */
} DenoiseJob;

DenoiseJob denoise_film_job(void); /* of films, with values that suit them */

extern const Op op_denoise;

static inline const DenoiseJob *denoise_job(const Stage *stage) {
    return (const DenoiseJob *)stage->job;
}

/* A stage's inputs by their kind; an input that it does not have has no pixels. */
typedef struct DenoiseViews {
    ImageView light, less, normals, albedo; /* less: the film with fewer samples */
    size_t width, height;                   /* of the pixels that are worked on: one a block */
    size_t step;                            /* the side of a block, at least 1 */
} DenoiseViews;
DenoiseViews denoise_views(const Stage *stage);
/* How far a pixel reaches, in pixels. */
int denoise_reach(const DenoiseJob *job);
/* The job's numbers as weights have them. */
DenoiseRule denoise_rule(const DenoiseJob *job);

#endif
