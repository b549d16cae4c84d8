/* denoise.h: a step of denoising (core/ops/denoise.h) for one pixel in single precision. It is for levels that hold
 * light and guides as structures; they read and write memory each in a way of its own. */
#ifndef GLINT_CORE_MATH_DENOISE_H
#define GLINT_CORE_MATH_DENOISE_H

#include "core/math/host_device.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* The least that light is divided by: of dark surfaces, noise would be made large. */
#define DENOISE_DARK 0x1p-6f
/* A pixel of film with fewer samples has none. */
#define DENOISE_FEWEST 0x1p-4f
/* The nearness of a pixel that takes no part: its square is finite, and no weight. */
#define DENOISE_ABSENT 1e18f
/* Differences that are always allowed: a share of l^2, and a constant so that nothing is divided by 0. */
#define DENOISE_EQUAL   1e-6f
#define DENOISE_NOTHING 1e-30f

/* Samples up to which means of independent ones and of a low-discrepancy sequence are about as far apart. */
#define DENOISE_SCATTERED 2.0f
/* A normal distribution's variance by the fourth power of the mean root of the distance from its middle:
 * pi^2 / (2 gamma(3/4)^4). */
#define DENOISE_SPREAD 2.18843961f

/* The irradiance and its variance, as denoise_square of how far it lies from its expected value: less than 0 where the
 * samples do not say. */
typedef struct DenoiseLight {
    float red, green, blue, variance;
} DenoiseLight;

/* A normal and the nearness, which is affine across a plane in the picture. For a perspective camera, it is 1 divided
 * by the distance ahead of a surface. */
typedef struct DenoiseGuide {
    float x, y, z, near;
} DenoiseGuide;

/* The weight is 2 to the power of minus: normal |dn|^2 + dz^2 / (depth z^2 + slope |g|^2) + |dL|^2 / (light v +
 * equal |L|^2), |L|^2 by denoise_square. */
typedef struct DenoiseRule {
    float normal, depth, slope, light, equal;
} DenoiseRule;

/* The picture that a step works on, and its rule. */
typedef struct DenoiseField {
    const DenoiseGuide *guides;
    int width, height;
    DenoiseRule rule;
} DenoiseField;

/* The mean of the channels' squares, with the weights that they have in luminance: colours of equal luminance are not
 * the same. */
GLINT_HD float denoise_square(float red, float green, float blue) {
    return 0.2126f * red * red + 0.7152f * green * green + 0.0722f * blue * blue;
}

GLINT_HD float denoise_distance(DenoiseLight a, DenoiseLight b) {
    return denoise_square(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

/* The divisor that turns light into irradiance. */
GLINT_HD float denoise_divisor(float albedo) {
    return fmaxf(albedo, DENOISE_DARK);
}

/* The variance of the mean of a film's samples, whose sums are `all` and `samples`, as if they were independent. `part`
 * and `fewer` are those of the film when it had fewer. The means of both parts differ by as much as noise lets them. */
GLINT_HD float denoise_variance(DenoiseLight all, float samples, DenoiseLight part, float fewer) {
    const float rest = samples - fewer;
    if (!(fewer >= 0.25f * samples && rest > 0))
        return -1;
    const float square = denoise_square(part.red / fewer - (all.red - part.red) / rest,
                                        part.green / fewer - (all.green - part.green) / rest,
                                        part.blue / fewer - (all.blue - part.blue) / rest);
    return square * fewer * rest / (samples * samples);
}

/* The share of that variance which the mean of so many samples has. They come from a low-discrepancy sequence, whose
 * parts make up for each other. The error of the mean of all therefore falls faster than the difference of the parts.
 * The root suits 2 to 1024 samples by bench/denoise. */
GLINT_HD float denoise_scattered(float samples) {
    return sqrtf(fminf(DENOISE_SCATTERED / samples, 1));
}

/* A pixel's values as the job means them. */
typedef struct DenoisePixel {
    float light[3], variance; /* of the irradiance; less than 0: not known */
    float normal[3], near;
    float albedo[3];
} DenoisePixel;

GLINT_HD DenoisePixel denoise_read_film(const float *film, const float *less, const float *normal,
                                        const float *albedo) {
    DenoisePixel pixel;
    DenoiseLight all, part;
    float *const sums[2][3] = {{&all.red, &all.green, &all.blue}, {&part.red, &part.green, &part.blue}};
    for (int c = 0; c < 3; c++) {
        pixel.albedo[c] = albedo[c];
        pixel.normal[c] = normal[c];
        pixel.light[c] = film[3] >= DENOISE_FEWEST ? film[c] / film[3] : NAN;
        *sums[0][c] = film[c] / denoise_divisor(albedo[c]);
        *sums[1][c] = less[c] / denoise_divisor(albedo[c]);
    }
    pixel.near = normal[3];
    pixel.variance = denoise_variance(all, film[3], part, less[3]);
    return pixel;
}

/* `normal` has `normals` channels, 0: there is none; `albedo` may be NULL. */
GLINT_HD DenoisePixel denoise_read_picture(const float *from, int channels, const float *normal, int normals,
                                           float normal_scale, const float *albedo, float albedo_scale) {
    DenoisePixel pixel;
    for (int c = 0; c < 3; c++) {
        pixel.light[c] = from[channels < 3 ? 0 : c];
        pixel.normal[c] = normals > 0 ? normal[c] * normal_scale : 0;
        pixel.albedo[c] = albedo ? albedo[c] * albedo_scale : 1;
    }
    pixel.near = normals > 3 ? normal[3] : 1;
    pixel.variance = -1;
    return pixel;
}

/* Whether all of it is finite: then its irradiance and its guide; else those of a pixel that takes no part. */
GLINT_HD bool denoise_begin(const DenoisePixel *pixel, DenoiseLight *light, DenoiseGuide *guide) {
    const DenoiseLight none = {0, 0, 0, 0};
    const DenoiseGuide absent = {0, 0, 0, DENOISE_ABSENT};
    float sum = pixel->variance + pixel->near;
    for (int c = 0; c < 3; c++)
        sum += 0 * pixel->light[c] + 0 * pixel->normal[c] + 0 * pixel->albedo[c];
    *light = none;
    *guide = absent;
    if (!isfinite(sum))
        return false;
    light->red = pixel->light[0] / denoise_divisor(pixel->albedo[0]);
    light->green = pixel->light[1] / denoise_divisor(pixel->albedo[1]);
    light->blue = pixel->light[2] / denoise_divisor(pixel->albedo[2]);
    light->variance = pixel->variance;
    guide->x = pixel->normal[0];
    guide->y = pixel->normal[1];
    guide->z = pixel->normal[2];
    guide->near = pixel->near;
    return true;
}

/* How nearness changes from a pixel to the next, by those to both sides. */
GLINT_HD float denoise_slope(float before, float here, float behind) {
    const float back = here - before, ahead = behind - here;
    if (here == DENOISE_ABSENT || (before == DENOISE_ABSENT && behind == DENOISE_ABSENT))
        return 0;
    return before == DENOISE_ABSENT || (behind != DENOISE_ABSENT && fabsf(ahead) < fabsf(back)) ? ahead : back;
}

/* The result of a pixel: the irradiance times albedo, for one sample if it is film's. Alpha stays as it was, and so
 * does a pixel that took no part. */
GLINT_HD void denoise_write(const DenoisePixel *pixel, DenoiseLight light, bool absent, bool film, int channels,
                            const float *from, float *to) {
    const float mean[3] = {light.red, light.green, light.blue};
    const int colours = channels < 3 ? 1 : 3;
    for (int c = 0; c < channels; c++)
        to[c] = absent ? from[c] : c < colours ? mean[c] * denoise_divisor(pixel->albedo[c]) : film ? 1.0f : from[c];
}

/* A pixel that others are compared with. */
typedef struct DenoiseCentre {
    DenoiseGuide guide;
    float across, down; /* slopes */
    float depth;        /* factor on the square of a difference of nearness */
} DenoiseCentre;

GLINT_HD float denoise_near(const DenoiseField *field, int x, int y) {
    return x < 0 || y < 0 || x >= field->width || y >= field->height
               ? DENOISE_ABSENT
               : field->guides[(size_t)y * (size_t)field->width + (size_t)x].near;
}

GLINT_HD DenoiseCentre denoise_centre(const DenoiseField *field, int x, int y) {
    DenoiseCentre centre;
    centre.guide = field->guides[(size_t)y * (size_t)field->width + (size_t)x];
    const float near = centre.guide.near;
    centre.across = denoise_slope(denoise_near(field, x - 1, y), near, denoise_near(field, x + 1, y));
    centre.down = denoise_slope(denoise_near(field, x, y - 1), near, denoise_near(field, x, y + 1));
    const float slopes = centre.across * centre.across + centre.down * centre.down;
    centre.depth = 1.0f / (field->rule.depth * near * near + field->rule.slope * slopes + DENOISE_NOTHING);
    return centre;
}

/* How much the surface of a neighbour differs, i columns and j rows away: log2 of the weight, negated. */
GLINT_HD float denoise_apart(const DenoiseCentre *centre, DenoiseGuide other, float i, float j, DenoiseRule rule) {
    const float x = other.x - centre->guide.x, y = other.y - centre->guide.y, z = other.z - centre->guide.z;
    const float near = other.near - centre->guide.near - i * centre->across - j * centre->down;
    return rule.normal * (x * x + y * y + z * z) + centre->depth * near * near;
}

/* The spline's weight at -2 to 2. */
GLINT_HD float denoise_spline(int i) {
    return i == 0 ? 0.375f : i == 1 || i == -1 ? 0.25f : 0.0625f;
}

/* How smoothing begins: returns the variance, and sets the guess, by which the first iteration compares pixels.
 * The samples' variance has one degree of freedom a pixel. It is therefore averaged over the pixels around it, by the
 * root of the deviation. In the mean square, a single path far brighter than all others would rule, and its neighbours
 * would be blurred. With one sample it is the variance of those around it.
 * The guess lies between a pixel's light and the mean around it: the nearer to the mean, the more of their difference
 * is noise (J.-S. Lee, Digital Image Enhancement and Noise Filtering by Use of Local Statistics, 1980). Noise is then
 * not compared with noise.
 * Light around that varies by more than its samples do has a pattern. The variance that is returned is therefore times
 * the share of noise: iterations behind the first, which compare means, leave more of the pattern. `scattered` is the
 * pixel's denoise_scattered; where the samples do not say what the variance is, it does not matter. */
GLINT_HD float denoise_estimate(const DenoiseField *field, const DenoiseLight *light, int x, int y, float scattered,
                                DenoiseLight *guess) {
    const size_t width = (size_t)field->width, at = (size_t)y * width + (size_t)x;
    const DenoiseCentre centre = denoise_centre(field, x, y);
    const DenoiseLight own = light[at];
    float weights = 0, both = 0, roots = 0, said = 0, red = 0, green = 0, blue = 0, squares = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const int qx = x + i, qy = y + j;
            if (qx < 0 || qy < 0 || qx >= field->width || qy >= field->height)
                continue;
            const DenoiseLight other = light[(size_t)qy * width + (size_t)qx];
            const DenoiseGuide guide = field->guides[(size_t)qy * width + (size_t)qx];
            const float weight = exp2f(-denoise_apart(&centre, guide, (float)i, (float)j, field->rule));
            weights += weight;
            both += weight * weight;
            roots += weight * sqrtf(sqrtf(fmaxf(other.variance, 0)));
            said += weight * fmaxf(other.variance, 0);
            red += weight * (other.red - own.red);
            green += weight * (other.green - own.green);
            blue += weight * (other.blue - own.blue);
            squares += weight * denoise_distance(other, own);
        }
    const float share = 1.0f / weights, deviation = roots * share * roots * share;
    const float around = fmaxf(squares * share - denoise_square(red * share, green * share, blue * share), 0);
    const bool known = own.variance >= 0;
    const float variance = known ? scattered * fmaxf(DENOISE_SPREAD * deviation * deviation, own.variance) : around;
    const float kept = known ? variance * fminf(said * share / (around + DENOISE_NOTHING), 1) : around;
    const float noise = variance / (fmaxf(variance, around) + DENOISE_NOTHING), rest = (1 - noise) * (1 - noise);
    guess->red = own.red + noise * red * share;
    guess->green = own.green + noise * green * share;
    guess->blue = own.blue + noise * blue * share;
    guess->variance = variance * (rest + 2 * (1 - rest) * both * share * share);
    return kept;
}

/* The sums that an iteration gathers for a pixel, neighbour by neighbour. */
typedef struct DenoiseMean {
    DenoiseCentre centre;
    DenoiseRule rule;
    DenoiseLight own; /* by which it is compared */
    float steep;      /* factor on the square of a difference of light */
    DenoiseLight sum;
    float weights;
} DenoiseMean;

GLINT_HD DenoiseMean denoise_mean_begin(const DenoiseField *field, DenoiseLight own, int x, int y) {
    const float equal = field->rule.equal * denoise_square(own.red, own.green, own.blue);
    const DenoiseMean mean = {denoise_centre(field, x, y),
                              field->rule,
                              own,
                              1.0f / (field->rule.light * own.variance + equal + DENOISE_NOTHING),
                              {0, 0, 0, 0},
                              0};
    return mean;
}

/* A neighbour, the one at (i, j) among pixels `step` apart, with its light and the light by which it is compared. */
GLINT_HD void denoise_mean_add(DenoiseMean *mean, DenoiseGuide guide, DenoiseLight light, DenoiseLight compared, int i,
                               int j, int step) {
    const float apart = denoise_apart(&mean->centre, guide, (float)(i * step), (float)(j * step), mean->rule);
    const float weight =
        denoise_spline(i) * denoise_spline(j) * exp2f(-(apart + mean->steep * denoise_distance(compared, mean->own)));
    mean->weights += weight;
    mean->sum.red += weight * light.red;
    mean->sum.green += weight * light.green;
    mean->sum.blue += weight * light.blue;
    mean->sum.variance += weight * weight * light.variance;
}

GLINT_HD DenoiseLight denoise_mean_end(const DenoiseMean *mean) {
    const float share = 1.0f / mean->weights;
    const DenoiseLight light = {mean->sum.red * share, mean->sum.green * share, mean->sum.blue * share,
                                mean->sum.variance * share * share};
    return light;
}

/* One iteration, with neighbours `step` pixels apart; pixels are compared by `compared`: the guess in the first
 * iteration, then light. */
GLINT_HD DenoiseLight denoise_smooth(const DenoiseField *field, const DenoiseLight *light, const DenoiseLight *compared,
                                     int x, int y, int step) {
    const size_t width = (size_t)field->width;
    DenoiseMean mean = denoise_mean_begin(field, compared[(size_t)y * width + (size_t)x], x, y);
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            const int qx = x + i * step, qy = y + j * step;
            const size_t q = (size_t)qy * width + (size_t)qx;
            if (qx >= 0 && qy >= 0 && qx < field->width && qy < field->height)
                denoise_mean_add(&mean, field->guides[q], light[q], compared[q], i, j, step);
        }
    return denoise_mean_end(&mean);
}

#endif
