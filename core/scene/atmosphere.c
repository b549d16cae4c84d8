/* atmosphere.c: sums along rays through spheres of air. */
#include "core/scene/atmosphere.h"

#include "core/base/share.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* ---- what the air holds ---- */

/* Densities fall by e in so many km (T. Nishita et al., 1993). Ozone has a peak at 25 km and none 15 km away (E.
 * Bruneton, A Qualitative and Quantitative Evaluation of 8 Clear Sky Models, 2017). */
#define AIR_FALLS   7.994
#define HAZE_FALLS  1.2
#define OZONE_PEAK  25.0
#define OZONE_WIDTH 15.0
#define OZONE_CM    0.35 /* all of it, at 0 degrees C and 1 atm */

/* Haze scatters the share SCATTERED of the light that it takes, forward by the mean cosine FORWARD. Both are of the
 * average continental aerosol at 550 nm (M. Hess et al., Optical Properties of Aerosols and Clouds, 1998, table 4). */
#define SCATTERED 0.925
#define FORWARD   0.703

/* Ozone absorbs so much, 1 / cm: tools/sun-tables. */
static const double ozone_absorbs[AIR_BANDS] = {0,       0,       0,      0,       0.006,  0.014,  0.03,
                                                0.048,   0.075,   0.1025, 0.1196,  0.1194, 0.105,  0.08038,
                                                0.06017, 0.03827, 0.023,  0.01406, 0.01,   0.0065, 0};

/* Per km at the ground, or at the peak. */
typedef struct Spectrum {
    float air[AIR_BANDS], haze[AIR_BANDS], ozone[AIR_BANDS]; /* taken from light */
} Spectrum;

typedef struct Density {
    double air, haze, ozone;
} Density;

static Density density_at(double height) {
    return (Density){exp(-height / AIR_FALLS), exp(-height / HAZE_FALLS),
                     fmax(1 - fabs(height - OZONE_PEAK) / OZONE_WIDTH, 0)};
}

/* Depths upwards from the sea are those of B. Bodhaine et al. (On Rayleigh Optical Depth Calculations, 1999, equation
 * 30) and of A. Angstrom, with the turbidity of A. Preetham et al. (1999, appendix A.1). */
static Spectrum spectrum_of(double turbidity) {
    Spectrum s;
    for (int k = 0; k < AIR_BANDS; k++) {
        const double um = (AIR_FIRST + k * AIR_STEP) * 1e-3, square = um * um;
        const double air = 0.0021520 * (1.0455996 - 341.29061 / square - 0.90230850 * square) /
                           (1 + 0.0027059889 / square - 85.968563 * square);
        s.air[k] = (float)(air / AIR_FALLS);
        s.haze[k] = (float)((0.04608 * turbidity - 0.04586) * pow(um, -1.3) / HAZE_FALLS);
        s.ozone[k] = (float)(ozone_absorbs[k] * OZONE_CM / OZONE_WIDTH);
    }
    return s;
}

double atmosphere_air_lobe(double near) {
    return 3 / (16 * PI) * (1 + near * near);
}

double atmosphere_haze_lobe(double near) {
    return (1 - FORWARD * FORWARD) / (4 * PI * pow(1 + FORWARD * FORWARD - 2 * FORWARD * near, 1.5));
}

/* ---- rays ---- */

/* `radius` from the Earth's middle, upwards by the cosine `up`. */
typedef struct Ray {
    double radius, up;
} Ray;

static double to_top(Ray ray) {
    const double top = EARTH_RADIUS + AIR_HEIGHT, along = ray.radius * ray.up;
    return fmax(sqrt(fmax(along * along + (top - ray.radius) * (top + ray.radius), 0)) - along, 0);
}

/* Less than 0: the ray misses the ground. */
static double to_ground(Ray ray) {
    const double along = ray.radius * ray.up;
    const double square = along * along + (EARTH_RADIUS - ray.radius) * (EARTH_RADIUS + ray.radius);
    return along < 0 && square >= 0 ? fmax(-along - sqrt(square), 0) : -1;
}

static double radius_at(Ray ray, double t) {
    return sqrt(fmax(ray.radius * ray.radius + t * (2 * ray.radius * ray.up + t), 0));
}

/* A ray in steps, which are the shortest at its lowest point, where the air is the densest. */
typedef struct Way {
    double lowest, length;
    int falling, count; /* steps to the lowest point, and all */
} Way;

static Way way_of(Ray ray, double length, int steps) {
    const double lowest = fmin(fmax(-ray.radius * ray.up, 0), length);
    return (Way){lowest, length, lowest > 0 ? steps : 0, (lowest > 0 ? steps : 0) + (lowest < length ? steps : 0)};
}

static double way_at(const Way *way, double step) {
    const bool falls = step < way->falling || way->falling == way->count;
    const int steps = falls ? way->falling : way->count - way->falling;
    const double part = falls ? 1 - step / steps : (step - way->falling) / steps;
    return way->lowest + part * part * part * (falls ? -way->lowest : way->length - way->lowest);
}

/* ---- sunlight at a point ---- */

/* How much of each lies on a ray's way out, in km of the density at the ground, or at the peak. The table's rows are
 * heights by the distance to their horizon, its columns directions by their way through the air (E. Bruneton and F.
 * Neyret, Precomputed Atmospheric Scattering, 2008). */
enum { COLUMN_HEIGHTS = 32, COLUMN_WAYS = 64, COLUMN_STEPS = 32 };

typedef struct Column {
    float air, haze, ozone;
} Column;

/* More than one scattering: rows are heights, columns the sun's. */
enum { ECHO_HEIGHTS = 18, ECHO_SUNS = 16, ECHO_STEPS = 12, ECHO_RISES = 6, ECHO_TURNS = 3 };

enum { BEAM_STEPS = 256, LIGHT_STEPS = 32, SKY_RISES = 12, SKY_TURNS = 12 };

struct Atmosphere {
    Spectrum takes;
    double sun, reach; /* the sun's altitude; the maximum of its change along a ray */
    float albedo;
    float ground[AIR_BANDS]; /* the light that the sky gives it */
    Column columns[COLUMN_HEIGHTS][COLUMN_WAYS];
    float echo[ECHO_HEIGHTS][ECHO_SUNS][AIR_BANDS];
};

static Column column_along(Ray ray, int steps) {
    const Way way = way_of(ray, to_top(ray), steps);
    Column sum = {0, 0, 0};
    for (int i = 0; i < way.count; i++) {
        const double t = way_at(&way, i + 0.5), length = way_at(&way, i + 1) - way_at(&way, i);
        const Density d = density_at(radius_at(ray, t) - EARTH_RADIUS);
        sum.air += (float)(d.air * length);
        sum.haze += (float)(d.haze * length);
        sum.ozone += (float)(d.ozone * length);
    }
    return sum;
}

static double horizon_distance(double radius) {
    return sqrt(fmax((radius - EARTH_RADIUS) * (radius + EARTH_RADIUS), 0));
}

static void fill_column_row(const void *job, size_t row) {
    Atmosphere *air = *(Atmosphere *const *)job;
    const double farthest = horizon_distance(EARTH_RADIUS + AIR_HEIGHT);
    const double rho = farthest * (double)row / (COLUMN_HEIGHTS - 1);
    const double radius = sqrt(EARTH_RADIUS * EARTH_RADIUS + rho * rho);
    const double least = EARTH_RADIUS + AIR_HEIGHT - radius, most = farthest + rho;
    for (int j = 0; j < COLUMN_WAYS; j++) {
        const double way = least + (most - least) * j / (COLUMN_WAYS - 1);
        const double up = way > 0 ? ((farthest - rho) * (farthest + rho) - way * way) / (2 * radius * way) : 1;
        air->columns[row][j] = column_along((Ray){radius, fmin(fmax(up, -1), 1)}, COLUMN_STEPS);
    }
}

/* Two neighbours in a table, and the share of the second. */
typedef struct Between {
    int at;
    float share;
} Between;

static Between between(double place, int count) {
    const double inside = fmin(fmax(place, 0), count - 1);
    const int at = (int)fmin(inside, count - 2);
    return (Between){at, (float)(inside - at)};
}

static Column mix(const Column *a, float share) {
    return (Column){a[0].air + share * (a[1].air - a[0].air), a[0].haze + share * (a[1].haze - a[0].haze),
                    a[0].ozone + share * (a[1].ozone - a[0].ozone)};
}

static Column column_at(const Atmosphere *air, double radius, double up) {
    const double farthest = horizon_distance(EARTH_RADIUS + AIR_HEIGHT), rho = horizon_distance(radius);
    const double least = EARTH_RADIUS + AIR_HEIGHT - radius, most = farthest + rho;
    const double way = to_top((Ray){radius, up});
    const Between i = between(rho / farthest * (COLUMN_HEIGHTS - 1), COLUMN_HEIGHTS);
    const Between j = between((way - least) / (most - least) * (COLUMN_WAYS - 1), COLUMN_WAYS);
    const Column rows[2] = {mix(&air->columns[i.at][j.at], j.share), mix(&air->columns[i.at + 1][j.at], j.share)};
    return mix(rows, i.share);
}

/* The least sine of the altitudes that see the sky. */
static double dip_at(double radius) {
    return -horizon_distance(radius) / radius;
}

/* The share of the sun's disc above the horizon. */
static double disc_share(double radius, double up) {
    const double dip = dip_at(radius);
    if (fabs(up - dip) > SUN_RADIUS)
        return up > dip ? 1 : 0;
    const double above = (asin(fmin(fmax(up, -1), 1)) - asin(dip)) / SUN_RADIUS;
    return above >= 1 ? 1 : above <= -1 ? 0 : 0.5 + (asin(above) + above * sqrt(1 - above * above)) / PI;
}

/* exp(-depth) for depths from 0, within 3e-7 of it; a plain function of single values, for loops that compilers turn
 * into vectors. */
static inline float pass(float depth) {
    const float power = depth * -1.44269504f, least = power > -126 ? power : -126;
    const float shifted = least + 12582912.0f, rest = (least - (shifted - 12582912.0f)) * 0.69314718f;
    const float part =
        1 + rest * (1 + rest * (0.5f + rest * (0.166666667f + rest * (0.0416666667f + rest * 0.00833333333f))));
    uint32_t bits, whole;
    float value;
    memcpy(&bits, &part, sizeof bits);
    memcpy(&whole, &shifted, sizeof whole);
    bits += whole << 23;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void passes(const Spectrum *s, Column column, double share, float light[AIR_BANDS]) {
    for (int k = 0; k < AIR_BANDS; k++)
        light[k] = (float)share * pass(s->air[k] * column.air + s->haze[k] * column.haze + s->ozone[k] * column.ozone);
}

static void sunlight_at(const Atmosphere *air, double radius, double up, float light[AIR_BANDS]) {
    const double share = disc_share(radius, up);
    if (share > 0)
        passes(&air->takes, column_at(air, radius, fmax(up, dip_at(radius))), share, light);
    else
        memset(light, 0, AIR_BANDS * sizeof *light);
}

void atmosphere_sunbeam(double height, double up, double turbidity, float share[AIR_BANDS]) {
    const double radius = EARTH_RADIUS + height;
    const Spectrum takes = spectrum_of(turbidity);
    passes(&takes, column_along((Ray){radius, fmax(up, dip_at(radius))}, BEAM_STEPS), disc_share(radius, up), share);
}

/* ---- light along a ray ---- */

/* Rows of the table of echoes are dense at the ground. Its columns are the altitudes of the sun that the eye's rays
 * meet: they end `reach` away, as an angle at the Earth's middle. Its values are negated logarithms. */
static double echo_sun(const Atmosphere *air, size_t column) {
    return air->sun + air->reach * (2.0 * (double)column / (ECHO_SUNS - 1) - 1);
}
static double echo_height(size_t row) {
    const double part = (double)row / (ECHO_HEIGHTS - 1);
    return AIR_HEIGHT * part * part * part;
}

static void echo_at(const Atmosphere *air, double height, double up, float echo[AIR_BANDS]) {
    const double sun = asin(fmin(fmax(up, -1), 1));
    const Between i = between(cbrt(fmax(height, 0) / AIR_HEIGHT) * (ECHO_HEIGHTS - 1), ECHO_HEIGHTS);
    const Between j = between(((sun - air->sun) / air->reach + 1) / 2 * (ECHO_SUNS - 1), ECHO_SUNS);
    const float *a = air->echo[i.at][j.at], *b = air->echo[i.at][j.at + 1];
    const float *c = air->echo[i.at + 1][j.at], *d = air->echo[i.at + 1][j.at + 1];
    for (int k = 0; k < AIR_BANDS; k++) {
        const float low = a[k] + j.share * (b[k] - a[k]), high = c[k] + j.share * (d[k] - c[k]);
        echo[k] = pass(low + i.share * (high - low));
    }
}

/* A ray's light so far, and how much passes from here to the eye. `echoes`: whether `rest` has all that is scattered
 * more than once, or what light of 1 from everywhere would give it. */
typedef struct Gathered {
    AirLight light;
    float passes[AIR_BANDS];
    bool echoes;
} Gathered;

static void gather_step(const Atmosphere *air, double radius, double sun, double length, Gathered *to) {
    const double height = radius - EARTH_RADIUS;
    const Density d = density_at(height);
    const float of_air = (float)d.air, of_haze = (float)d.haze, of_ozone = (float)d.ozone, far = (float)length;
    const Spectrum *s = &air->takes;
    float light[AIR_BANDS], echo[AIR_BANDS];
    sunlight_at(air, radius, sun, light);
    for (int k = 0; k < AIR_BANDS; k++)
        echo[k] = 1;
    if (to->echoes)
        echo_at(air, height, sun, echo);
    for (int k = 0; k < AIR_BANDS; k++) {
        const float by_air = s->air[k] * of_air, by_haze = s->haze[k] * of_haze;
        const float depth = (by_air + by_haze + s->ozone[k] * of_ozone) * far, rest = pass(depth);
        const float thin = 1 - depth * (0.5f - depth * 0.166666667f), thick = (1 - rest) / (depth + 1e-30f);
        const float weight = to->passes[k] * far * (depth < 0.01f ? thin : thick);
        const float scattered = (float)SCATTERED * by_haze;
        to->light.air[k] += weight * by_air * light[k];
        to->light.haze[k] += weight * scattered * light[k];
        to->light.rest[k] += weight * (by_air + scattered) * echo[k];
        to->passes[k] *= rest;
    }
}

/* Returns whether the ray ends at the ground, and sets the sun's sine there. */
static bool gather(const Atmosphere *air, Ray ray, double sun, double near, int steps, Gathered *to, double *below) {
    const double ground = to_ground(ray), length = ground >= 0 ? ground : to_top(ray);
    const Way way = way_of(ray, length, steps);
    for (int k = 0; k < AIR_BANDS; k++) {
        to->light.air[k] = to->light.haze[k] = to->light.rest[k] = 0;
        to->passes[k] = 1;
    }
    for (int i = 0; i < way.count; i++) {
        const double t = way_at(&way, i + 0.5), radius = radius_at(ray, t);
        gather_step(air, radius, (ray.radius * sun + t * near) / radius, way_at(&way, i + 1) - way_at(&way, i), to);
    }
    *below = (ray.radius * sun + length * near) / radius_at(ray, length);
    return ground >= 0;
}

AirLight atmosphere_light(const Atmosphere *air, double height, double up, double near) {
    Gathered all = {.echoes = true};
    float light[AIR_BANDS];
    double below;
    if (!gather(air, (Ray){EARTH_RADIUS + height, up}, sin(air->sun), near, LIGHT_STEPS, &all, &below))
        return all.light;
    sunlight_at(air, EARTH_RADIUS, below, light);
    for (int k = 0; k < AIR_BANDS; k++)
        all.light.rest[k] +=
            all.passes[k] * air->albedo / (float)PI * (light[k] * (float)fmax(below, 0) + air->ground[k]);
    return all.light;
}

/* ---- light that is scattered more than once ---- */

/* Places and weights of Gauss and Legendre for sums over 0 to 1. */
static void legendre(int count, double *places, double *weights) {
    for (int i = 0; i < count; i++) {
        double x = cos(PI * (i + 0.75) / (count + 0.5)), slope = 1;
        for (int turn = 0; turn < 20; turn++) {
            double now = x, before = 1;
            for (int n = 2; n <= count; n++) {
                const double next = ((2 * n - 1) * x * now - (n - 1) * before) / n;
                before = now;
                now = next;
            }
            slope = count * (x * now - before) / (x * x - 1);
            x -= now / slope;
        }
        places[i] = (1 + x) / 2;
        weights[i] = 1 / ((1 - x * x) * slope * slope);
    }
}

/* `once` is the light that arrives where each place scatters sunlight once. `again` is the share of light of 1 from all
 * places that would arrive. Their geometric series sums up all that is scattered more often. */
static void fill_echo(Atmosphere *air, size_t row, size_t column, const double *rises, const double *weights) {
    const double sun = sin(echo_sun(air, column)), level = sqrt(1 - sun * sun);
    const double radius = EARTH_RADIUS + echo_height(row);
    double once[AIR_BANDS] = {0}, again[AIR_BANDS] = {0};
    Gathered some = {.echoes = false};
    for (int n = 0; n < 2 * ECHO_RISES * ECHO_TURNS; n++) {
        const int rise = n / ECHO_TURNS % ECHO_RISES;
        const double up = n < ECHO_RISES * ECHO_TURNS ? rises[rise] : -rises[rise];
        const double turn = PI * (n % ECHO_TURNS + 0.5) / ECHO_TURNS;
        const double near = up * sun + sqrt(1 - up * up) * level * cos(turn);
        const double share = weights[rise] / (2 * ECHO_TURNS);
        float light[AIR_BANDS];
        double below;
        const bool ground = gather(air, (Ray){radius, up}, sun, near, ECHO_STEPS, &some, &below);
        if (ground)
            sunlight_at(air, EARTH_RADIUS, below, light);
        for (int k = 0; k < AIR_BANDS; k++) {
            const double back = ground ? (double)(some.passes[k] * air->albedo) : 0;
            once[k] += share * ((double)(some.light.air[k] + some.light.haze[k]) / (4 * PI) +
                                (ground ? back / PI * (double)light[k] * fmax(below, 0) : 0));
            again[k] += share * ((double)some.light.rest[k] + back);
        }
    }
    for (int k = 0; k < AIR_BANDS; k++)
        air->echo[row][column][k] = (float)fmin(-log(once[k] / (1 - again[k]) + 1e-37), 85);
}

static void fill_echo_row(const void *job, size_t row) {
    double rises[ECHO_RISES], weights[ECHO_RISES];
    legendre(ECHO_RISES, rises, weights);
    for (size_t column = 0; column < ECHO_SUNS; column++)
        fill_echo(*(Atmosphere *const *)job, row, column, rises, weights);
}

/* The light that falls on the ground from the sky. */
static void fill_ground(Atmosphere *air) {
    const double sun = sin(air->sun), level = cos(air->sun);
    double rises[SKY_RISES], weights[SKY_RISES], sums[AIR_BANDS] = {0};
    legendre(SKY_RISES, rises, weights);
    for (int rise = 0; rise < SKY_RISES; rise++)
        for (int turn = 0; turn < SKY_TURNS; turn++) {
            const double up = rises[rise], azimuth = PI * (turn + 0.5) / SKY_TURNS;
            const double near = up * sun + sqrt(1 - up * up) * level * cos(azimuth);
            const AirLight light = atmosphere_light(air, 0, up, near);
            const double of_air = atmosphere_air_lobe(near), of_haze = atmosphere_haze_lobe(near);
            for (int k = 0; k < AIR_BANDS; k++)
                sums[k] += 2 * PI * up * weights[rise] / SKY_TURNS *
                           ((double)light.air[k] * of_air + (double)light.haze[k] * of_haze + (double)light.rest[k]);
        }
    for (int k = 0; k < AIR_BANDS; k++)
        air->ground[k] = (float)sums[k];
}

Status atmosphere_create(double sun, double turbidity, double albedo, double height, Atmosphere **made) {
    Atmosphere *air = *made = malloc(sizeof *air);
    if (!air)
        return fail(STATUS_DEVICE, "no memory for the air, %zu bytes", sizeof *air);
    air->takes = spectrum_of(turbidity);
    air->sun = sun;
    air->reach = acos(EARTH_RADIUS / (EARTH_RADIUS + AIR_HEIGHT)) + acos(EARTH_RADIUS / (EARTH_RADIUS + height));
    air->albedo = (float)albedo;
    share_pieces(COLUMN_HEIGHTS, fill_column_row, &air);
    share_pieces(ECHO_HEIGHTS, fill_echo_row, &air);
    fill_ground(air);
    return STATUS_OK;
}
