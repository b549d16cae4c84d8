/* spectrum.h: light by its wavelengths, as colours.
 * Owns the eye of the CIE's standard observer of 1931 and Planck's law. */
#ifndef GLINT_CORE_SCENE_SPECTRUM_H
#define GLINT_CORE_SCENE_SPECTRUM_H

#include "core/math/colour.h"

/* A spectrum is the power at 380, 390, ... 780 nm. */
enum { SPECTRUM_FIRST = 380, SPECTRUM_STEP = 10, SPECTRUM_COUNT = 41 };

/* Temperatures that black bodies may have, in kelvin. */
#define KELVIN_MIN 500.0
#define KELVIN_MAX 1e6

/* X, Y and Z: the sums, over wavelengths, of power times the observer's functions times SPECTRUM_STEP. */
void spectrum_xyz(const double power[SPECTRUM_COUNT], double xyz[3]);
/* Linear sRGB of X, Y and Z (IEC 61966-2-1: white is D65); below 0 where sRGB does not have the colour. */
void xyz_to_srgb(const double xyz[3], double rgb[3]);

/* Reflectances at 380, 382, ... 780 nm, since thin films have narrow bands. */
enum { REFLECTANCE_STEP = 2, REFLECTANCE_COUNT = (SPECTRUM_COUNT - 1) * SPECTRUM_STEP / REFLECTANCE_STEP + 1 };

/* The factors by which reflectances, in daylight (D65), sum to linear red, green and blue. The sums of all factors are
 * 1: white stays white. Some are below 0. */
void reflectance_factors(double factors[REFLECTANCE_COUNT][3]);

/* The colour of a black body at a temperature in kelvin, KELVIN_MIN to KELVIN_MAX, by Planck's law. The brightest of
 * red, green and blue is 1, and what sRGB does not have is 0, such as the blue of embers. */
Colour black_body(double kelvin);

#endif
