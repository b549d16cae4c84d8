/* sky.h: pictures of the sky, all around.
 * Owns which direction is which texel, and how directions are drawn towards light (Pharr, Jakob and Humphreys,
 * Physically Based Rendering, "Infinite Area Lights"). */
#ifndef GLINT_CORE_MATH_SKY_H
#define GLINT_CORE_MATH_SKY_H

#include "core/math/ray.h"

#include <stdint.h>

/* Equirectangular: columns are angles around y, rows angles from it. The middle is -z, where the default camera looks;
 * +x is to the right of it, the upper side straight up. The left side is the right one; all of it may be turned about
 * y. Colours are Vecs. */
typedef struct SkyImage {
    const Vec *texels; /* linear light, 0 to BRIGHTNESS_MAX, row by row from the upper side; NULL: there is none */
    uint32_t width, height;
    /* Chances, added up: entry i is the chance of those before i. */
    const float *rows;    /* height + 1 */
    const float *columns; /* of each row, width + 1 */
    Vec mean;             /* over all directions */
    float turn;           /* of its middle from -z towards +x, in whole turns, -1 to 1 */
} SkyImage;

/* How far a direction of length 1 is from straight up and down. */
GLINT_HD float sky_sine(Vec direction) {
    return sqrtf(times_plus(direction.x, direction.x, direction.z * direction.z));
}

/* In texels from the left upper corner: 0 to width, 0 to height, whatever the direction. */
GLINT_HD void sky_place(const SkyImage *image, Vec direction, float *x, float *y) {
    const float wide = (float)image->width, high = (float)image->height;
    float across = 0.5f + atan2f(direction.x, -direction.z) / (2 * PI_F) - image->turn;
    across += across < 0 ? 1.0f : across > 1 ? -1.0f : 0.0f;
    *x = fminf(fmaxf(across * wide, 0), wide); /* NaN becomes 0 */
    *y = fminf(fmaxf(atan2f(sky_sine(direction), direction.y) / PI_F * high, 0), high);
}

GLINT_HD Vec sky_between(Vec a, Vec b, float share) {
    return vec_along(vec_times(a, 1 - share), share, b);
}

/* Bilinear between the middles of texels; beyond those of the first and last row there is nothing else. */
GLINT_HD Vec sky_lookup(const SkyImage *image, Vec direction) {
    float x, y;
    sky_place(image, direction, &x, &y);
    const float left = floorf(x - 0.5f), top = floorf(y - 0.5f);
    const uint32_t x0 = left < 0 ? image->width - 1 : (uint32_t)left, x1 = x0 + 1 < image->width ? x0 + 1 : 0;
    const uint32_t y0 = top < 0 ? 0 : (uint32_t)top, last = image->height - 1;
    const uint32_t y1 = top < 0 ? 0 : y0 < last ? y0 + 1 : last;
    const Vec *upper = image->texels + (size_t)y0 * image->width, *lower = image->texels + (size_t)y1 * image->width;
    const float across = x - 0.5f - left, down = y - 0.5f - top;
    return sky_between(sky_between(upper[x0], upper[x1], across), sky_between(lower[x0], lower[x1], across), down);
}

/* ---- drawing ---- */

/* By solid angle, of directions in this texel at that sine. All of a texel's angles are drawn alike. */
GLINT_HD float sky_texel_density(const SkyImage *image, uint32_t row, uint32_t column, float sine) {
    const float *columns = image->columns + (size_t)row * (image->width + 1);
    const float chance = (image->rows[row + 1] - image->rows[row]) * (columns[column + 1] - columns[column]);
    const float texels = (float)image->width * (float)image->height;
    return chance * texels / (2 * PI_F * PI_F * fmaxf(sine, 1e-7f));
}

/* The density by solid angle with which sky_draw gives this direction. */
GLINT_HD float sky_density(const SkyImage *image, Vec direction) {
    float x, y;
    sky_place(image, direction, &x, &y);
    const uint32_t column = (uint32_t)fminf(x, (float)(image->width - 1));
    const uint32_t row = (uint32_t)fminf(y, (float)(image->height - 1));
    return sky_texel_density(image, row, column, sky_sine(direction));
}

/* The number of the part, among `count`, that a number from [0, 1) falls into; *within is where in it, from 0 to 1. */
GLINT_HD uint32_t sky_find(const float *sums, uint32_t count, float at, float *within) {
    uint32_t first = 0, last = count; /* sums[first] <= at < sums[last] */
    while (last - first > 1) {
        const uint32_t middle = (first + last) / 2;
        if (sums[middle] <= at)
            first = middle;
        else
            last = middle;
    }
    *within = (at - sums[first]) / (sums[last] - sums[first]);
    return first;
}

/* A direction for u and v from [0, 1), and its density. */
GLINT_HD Vec sky_draw(const SkyImage *image, float u, float v, float *density) {
    float across, down;
    const uint32_t row = sky_find(image->rows, image->height, v, &down);
    const uint32_t column = sky_find(image->columns + (size_t)row * (image->width + 1), image->width, u, &across);
    const float turn = 2 * PI_F * (((float)column + across) / (float)image->width - 0.5f + image->turn);
    const float polar = PI_F * ((float)row + down) / (float)image->height, sine = sinf(polar);
    *density = sky_texel_density(image, row, column, sine);
    return vec(sine * sinf(turn), cosf(polar), -sine * cosf(turn));
}

#endif
