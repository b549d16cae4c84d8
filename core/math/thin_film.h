/* thin_film.h: the light that a thin film on metal or glass mirrors. Waves from both of its faces interfere, and the
 * share depends on wavelength, thickness and angle. Rows of shares, as red, green and blue, lie in
 * ShadingContext.albedos, and core/scene/thin_film.h makes them. */
#ifndef GLINT_CORE_MATH_THIN_FILM_H
#define GLINT_CORE_MATH_THIN_FILM_H

#include "core/math/shading_context.h"

/* Glass has a row for each of red, green and blue. Metal has three for each of THIN_FILM_METALS brightnesses. */
enum {
    THIN_FILM_STEPS = 65,             /* values of a row, for cosines from 0 to 1 */
    THIN_FILM_MEAN = THIN_FILM_STEPS, /* behind them: the mean over all directions, weighted by cosines */
    THIN_FILM_ROW,                    /* floats */
    THIN_FILM_METALS = 25,            /* for places from 0 to 1 (thin_film_place) */
};

/* A row's share at a cosine. */
GLINT_HD float thin_film_at(const float *row, float cosine) {
    const float place = fminf(fmaxf(cosine, 0), 1) * (THIN_FILM_STEPS - 1);
    const int below = place < THIN_FILM_STEPS - 2 ? (int)place : THIN_FILM_STEPS - 2;
    return times_plus(place - (float)below, row[below + 1] - row[below], row[below]);
}

/* On glass; `cosine` is that of the side with the smaller index. */
GLINT_HD Vec thin_film_on_glass(const float *rows, float cosine) {
    return vec(thin_film_at(rows, cosine), thin_film_at(rows + THIN_FILM_ROW, cosine),
               thin_film_at(rows + 2 * THIN_FILM_ROW, cosine));
}

/* The arc sine of a metal's amplitude by pi / 2, off by 5e-5 (Abramowitz and Stegun 4.4.45). `bright` is the share that
 * it mirrors straight on. Shares of filmed metals are smooth functions of it, also for black and white ones. */
GLINT_HD float thin_film_place(float bright) {
    const float x = root_from_0(fminf(fmaxf(bright, 0), 1));
    const float sum = times_plus(x, times_plus(x, times_plus(x, -0.0187293f, 0.0742610f), -0.2121144f), 1.5707288f);
    return 1 - root_from_0(1 - x) * sum * (2 / PI_F);
}

/* For one of red, green and blue of metal: the share at a cosine, or the mean. */
GLINT_HD float thin_film_on_channel(const float *rows, float bright, float cosine, bool mean) {
    const float place = fmaxf(thin_film_place(bright), 0) * (THIN_FILM_METALS - 1);
    const int below = place < THIN_FILM_METALS - 2 ? (int)place : THIN_FILM_METALS - 2;
    const float *row = rows + below * 3 * THIN_FILM_ROW, *next = row + 3 * THIN_FILM_ROW;
    const float first = mean ? row[THIN_FILM_MEAN] : thin_film_at(row, cosine);
    const float second = mean ? next[THIN_FILM_MEAN] : thin_film_at(next, cosine);
    return times_plus(place - (float)below, second - first, first);
}

/* On metal of this colour, at a cosine. */
GLINT_HD Vec thin_film_on_metal(const float *rows, Vec colour, float cosine) {
    return vec(thin_film_on_channel(rows, colour.x, cosine, false),
               thin_film_on_channel(rows + THIN_FILM_ROW, colour.y, cosine, false),
               thin_film_on_channel(rows + 2 * THIN_FILM_ROW, colour.z, cosine, false));
}

/* On metal of this colour, as a mean over all directions. */
GLINT_HD Vec thin_film_mean(const float *rows, Vec colour) {
    return vec(thin_film_on_channel(rows, colour.x, 0, true),
               thin_film_on_channel(rows + THIN_FILM_ROW, colour.y, 0, true),
               thin_film_on_channel(rows + 2 * THIN_FILM_ROW, colour.z, 0, true));
}

#endif
