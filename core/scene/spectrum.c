/* spectrum.c: sums over wavelengths. */
#include "core/scene/spectrum.h"

#include <math.h>

/* x, y and z of the CIE's standard observer of 1931 (2 degrees; ISO/CIE 11664-1). */
static const double observer[SPECTRUM_COUNT][3] = {
    {0.001368, 3.9e-5, 0.00645}, {0.004243, 0.00012, 0.02005}, {0.01431, 0.000396, 0.06785},
    {0.04351, 0.00121, 0.2074},  {0.13438, 0.004, 0.6456},     {0.2839, 0.0116, 1.3856},
    {0.34828, 0.023, 1.74706},   {0.3362, 0.038, 1.77211},     {0.2908, 0.06, 1.6692},
    {0.19536, 0.09098, 1.28764}, {0.09564, 0.13902, 0.81295},  {0.03201, 0.20802, 0.46518},
    {0.0049, 0.323, 0.272},      {0.0093, 0.503, 0.1582},      {0.06327, 0.71, 0.07825},
    {0.1655, 0.862, 0.04216},    {0.2904, 0.954, 0.0203},      {0.43345, 0.99495, 0.00875},
    {0.5945, 0.995, 0.0039},     {0.7621, 0.952, 0.0021},      {0.9163, 0.87, 0.00165},
    {1.0263, 0.757, 0.0011},     {1.0622, 0.631, 0.0008},      {1.0026, 0.503, 0.00034},
    {0.85445, 0.381, 0.00019},   {0.6424, 0.265, 5e-5},        {0.4479, 0.175, 2e-5},
    {0.2835, 0.107, 0},          {0.1649, 0.061, 0},           {0.0874, 0.032, 0},
    {0.04677, 0.017, 0},         {0.0227, 0.00821, 0},         {0.0113592, 0.004102, 0},
    {0.00579035, 0.002091, 0},   {0.00289933, 0.001047, 0},    {0.00143997, 0.00052, 0},
    {0.000690079, 0.0002492, 0}, {0.000332301, 0.00012, 0},    {0.000166151, 6e-5, 0},
    {8.30753e-5, 3e-5, 0},       {4.15099e-5, 1.499e-5, 0},
};

void spectrum_xyz(const double power[SPECTRUM_COUNT], double xyz[3]) {
    for (int c = 0; c < 3; c++) {
        xyz[c] = 0;
        for (int i = 0; i < SPECTRUM_COUNT; i++)
            xyz[c] += power[i] * observer[i][c] * SPECTRUM_STEP;
    }
}

void xyz_to_srgb(const double xyz[3], double rgb[3]) {
    static const double rows[3][3] = {{3.2406, -1.5372, -0.4986}, {-0.9689, 1.8758, 0.0415}, {0.0557, -0.2040, 1.0570}};
    for (int c = 0; c < 3; c++)
        rgb[c] = rows[c][0] * xyz[0] + rows[c][1] * xyz[1] + rows[c][2] * xyz[2];
}

/* D65, relative power (ISO/CIE 11664-2), which is linear between its wavelengths. */
static const double daylight[SPECTRUM_COUNT] = {
    49.9755, 54.6482, 82.7549, 91.486,  93.4318, 86.6823, 104.865, 117.008, 117.812, 114.861, 115.923,
    108.811, 109.354, 107.802, 104.79,  107.689, 104.405, 104.046, 100,     96.3342, 95.788,  88.6856,
    90.0062, 89.5991, 87.6987, 83.2886, 83.6992, 80.0268, 80.2146, 82.2778, 78.2842, 69.7213, 71.6091,
    74.349,  61.604,  69.8856, 75.087,  63.5927, 46.4182, 66.8054, 63.3828,
};

/* The observer's function between wavelengths, by a cubic through four of them (E. Catmull and R. Rom, 1974). */
static double observed(int first, double t, int c) {
    double at[4];
    for (int i = 0; i < 4; i++) {
        const int place = first - 1 + i;
        at[i] = place < 0 || place >= SPECTRUM_COUNT ? 0 : observer[place][c];
    }
    return at[1] + 0.5 * t *
                       (at[2] - at[0] +
                        t * (2 * at[0] - 5 * at[1] + 4 * at[2] - at[3] + t * (3 * (at[1] - at[2]) + at[3] - at[0])));
}

void reflectance_factors(double factors[REFLECTANCE_COUNT][3]) {
    double sums[3] = {0, 0, 0};
    for (int i = 0; i < REFLECTANCE_COUNT; i++) {
        const int below = i * REFLECTANCE_STEP / SPECTRUM_STEP, first = below < SPECTRUM_COUNT - 1 ? below : below - 1;
        const double t = (double)(i * REFLECTANCE_STEP) / SPECTRUM_STEP - first;
        const double power = daylight[first] + t * (daylight[first + 1] - daylight[first]);
        const double xyz[3] = {power * observed(first, t, 0), power * observed(first, t, 1),
                               power * observed(first, t, 2)};
        xyz_to_srgb(xyz, factors[i]);
        for (int c = 0; c < 3; c++)
            sums[c] += factors[i][c];
    }
    for (int i = 0; i < REFLECTANCE_COUNT; i++)
        for (int c = 0; c < 3; c++)
            factors[i][c] /= sums[c];
}

/* Radiance at a wavelength, but for a factor of all temperatures' wavelengths. */
static double planck(double nm, double kelvin) {
    const double second = 1.438776877e7; /* h c / k in nm K */
    return pow(nm / SPECTRUM_FIRST, -5) / expm1(second / (nm * kelvin));
}

Colour black_body(double kelvin) {
    double power[SPECTRUM_COUNT], xyz[3], rgb[3];
    for (int i = 0; i < SPECTRUM_COUNT; i++)
        power[i] = planck(SPECTRUM_FIRST + i * SPECTRUM_STEP, kelvin);
    spectrum_xyz(power, xyz);
    xyz_to_srgb(xyz, rgb);
    const double most = fmax(rgb[0], fmax(rgb[1], rgb[2]));
    return (Colour){(float)fmax(rgb[0] / most, 0), (float)fmax(rgb[1] / most, 0), (float)fmax(rgb[2] / most, 0)};
}
