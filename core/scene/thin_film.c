/* thin_film.c: reflectances of films, as sums over wavelengths. */
#include "core/scene/thin_film.h"

#include "core/math/thin_film.h"
#include "core/scene/spectrum.h"

#include <complex.h>
#include <math.h>

#define PI 3.14159265358979323846

enum { MEAN_POINTS = 256 };

/* A sum for each metal, and each of red, green and blue. */
typedef double Sums[THIN_FILM_METALS][3];

/* Mirrored amplitudes: across the plane of incidence, and along it. */
typedef struct Amplitudes {
    double _Complex across, along;
} Amplitudes;

/* Fresnel's amplitudes from one medium to the next, by the squares of their indices. Lengths are those of wave vectors
 * across the boundary, as multiples of a vacuum's. */
static Amplitudes amplitudes(double before, double length, double _Complex behind, double _Complex onward) {
    return (Amplitudes){(length - onward) / (length + onward),
                        (behind * length - before * onward) / (behind * length + before * onward)};
}

/* The squared index of metal that mirrors this share straight on: `real` is the wanted real part of the index. An
 * imaginary part makes up for what this mirrors too little. Metal that mirrors less has a real index, on the same side
 * of 1 (O. Gulbrandsen, Artist Friendly Metallic Fresnel, JCGT 3(4), 2014). */
static double _Complex metal_squared(double share, double real) {
    const double bright = fmin(share, 0.9999), amplitude = sqrt(bright), least = (real - 1) / (real + 1);
    if (bright <= least * least) {
        const double index = real > 1 ? (1 + amplitude) / (1 - amplitude) : (1 - amplitude) / (1 + amplitude);
        return index * index;
    }
    const double absorbed = sqrt((bright * (real + 1) * (real + 1) - (real - 1) * (real - 1)) / (1 - bright));
    return (real + I * absorbed) * (real + I * absorbed);
}

/* The share that a film mirrors: all waves that go to and fro in it together. `turned` is the phase of one way there
 * and back. */
static double airy(double first, double _Complex second, double _Complex turned) {
    const double re = creal(second) * creal(turned) - cimag(second) * cimag(turned);
    const double im = creal(second) * cimag(turned) + cimag(second) * creal(turned);
    const double over_re = first + re, under_re = 1 + first * re, under_im = first * im;
    return (over_re * over_re + im * im) / (under_re * under_re + under_im * under_im);
}

/* The colours of `count` substrates at a cosine. `outside` is the index on the side that the cosine is of. */
static void add_colours(const ThinFilm *film, double outside, const double _Complex *substrates, int count,
                        double cosine, const double factors[REFLECTANCE_COUNT][3], Sums sums) {
    const double sine = outside * outside * (1 - cosine * cosine), square = film->film * film->film;
    const double inside = sqrt(square - sine);
    const Amplitudes first = amplitudes(outside * outside, outside * cosine, square, inside);
    Amplitudes second[THIN_FILM_METALS];
    for (int k = 0; k < count; k++)
        second[k] = amplitudes(square, inside, substrates[k], csqrt(substrates[k] - sine));
    for (int i = 0; i < REFLECTANCE_COUNT; i++) {
        const double turn = 4 * PI * film->thickness * inside / (SPECTRUM_FIRST + i * REFLECTANCE_STEP);
        const double _Complex turned = cos(turn) + I * sin(turn);
        for (int k = 0; k < count; k++) {
            const double share = 0.5 * (airy(creal(first.across), second[k].across, turned) +
                                        airy(creal(first.along), second[k].along, turned));
            for (int c = 0; c < 3; c++)
                sums[k][c] += factors[i][c] * share;
        }
    }
}

size_t thin_film_floats(bool on_metal) {
    return (size_t)(on_metal ? THIN_FILM_METALS : 1) * 3 * THIN_FILM_ROW;
}

/* Colours beyond sRGB are cut: no channel sends on more light than it gets. */
void thin_film_fill(const ThinFilm *film, float *rows) {
    const int count = film->on_metal ? THIN_FILM_METALS : 1;
    double factors[REFLECTANCE_COUNT][3];
    double _Complex substrates[THIN_FILM_METALS];
    reflectance_factors(factors);
    for (int k = 0; k < count; k++) {
        const double amplitude = sin(PI / 2 * k / (THIN_FILM_METALS - 1));
        substrates[k] = film->on_metal ? metal_squared(amplitude * amplitude, film->below)
                                       : fmax(film->below, 1) * fmax(film->below, 1);
    }
    for (int i = 0; i < THIN_FILM_STEPS; i++) {
        const double cosine = fmax((double)i / (THIN_FILM_STEPS - 1), 1e-6); /* at 0, a film of index 1 has no waves */
        Sums sums = {0};
        add_colours(film, film->on_metal ? 1 : fmin(film->below, 1), substrates, count, cosine, factors, sums);
        for (int k = 0; k < 3 * count; k++)
            rows[k * THIN_FILM_ROW + i] = (float)fmin(fmax(sums[k / 3][k % 3], 0), 1);
    }
    for (int k = 0; k < 3 * count; k++) {
        double mean = 0;
        for (int i = 0; i < MEAN_POINTS; i++) /* d(cosine squared) is 2 cosine d(cosine) */
            mean += (double)thin_film_at(rows + k * THIN_FILM_ROW, (float)sqrt((i + 0.5) / MEAN_POINTS)) / MEAN_POINTS;
        rows[k * THIN_FILM_ROW + THIN_FILM_MEAN] = (float)mean;
    }
}
