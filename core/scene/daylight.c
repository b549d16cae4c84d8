/* daylight.c: from the light of wavelengths to texels, a light and names. */
#include "core/scene/daylight.h"

#include "core/base/share.h"
#include "core/param/param.h"
#include "core/scene/atmosphere.h"
#include "core/scene/spectrum.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI       3.14159265358979323846
#define RADIANS  (PI / 180)
#define WHITE    (100 / PI) /* kcd / m2 of a radiance of 1 */
#define EFFICACY 0.683      /* klm / W at the peak of the eye's response */

/* ---- from wavelengths to colours ---- */

/* The sun sends so much at 380, 390, ... 780 nm, W / (m2 nm): tools/sun-tables. */
static const double sent[SPECTRUM_COUNT] = {1.104, 1.034, 1.479, 1.701, 1.74,  1.587, 1.837, 2.005, 2.043, 1.987, 2.027,
                                            1.896, 1.909, 1.927, 1.831, 1.891, 1.898, 1.892, 1.866, 1.84,  1.809, 1.777,
                                            1.752, 1.728, 1.693, 1.658, 1.606, 1.555, 1.526, 1.519, 1.47,  1.42,  1.409,
                                            1.399, 1.374, 1.346, 1.298, 1.275, 1.234, 1.201, 1.183};

/* The colour of the sunlight of each band of the air, which counts the less the farther a wavelength is from it. */
typedef struct Colours {
    double rgb[AIR_BANDS][3];
} Colours;

static Colours colours_of_bands(void) {
    Colours colours;
    for (int k = 0; k < AIR_BANDS; k++) {
        double power[SPECTRUM_COUNT], xyz[3];
        for (int i = 0; i < SPECTRUM_COUNT; i++) {
            const double apart = fabs((double)(SPECTRUM_FIRST + i * SPECTRUM_STEP - AIR_FIRST - k * AIR_STEP));
            power[i] = fmax(1 - apart / AIR_STEP, 0) * sent[i] * EFFICACY / WHITE;
        }
        spectrum_xyz(power, xyz);
        xyz_to_srgb(xyz, colours.rgb[k]);
    }
    return colours;
}

static void colour_of(const Colours *colours, const float *spectrum, double rgb[3]) {
    for (int c = 0; c < 3; c++) {
        rgb[c] = 0;
        for (int k = 0; k < AIR_BANDS; k++)
            rgb[c] += colours->rgb[k][c] * (double)spectrum[k];
    }
}

static double height_of(const Daylight *day) {
    return (double)day->height * 1e-3;
}

/* ---- the sun ---- */

Light daylight_sun(const Daylight *day, double azimuth) {
    const double altitude = (double)day->altitude * RADIANS, level = cos(altitude);
    const Colours colours = colours_of_bands();
    float share[AIR_BANDS];
    double rgb[3];
    atmosphere_sunbeam(height_of(day), sin(altitude), (double)day->turbidity, share);
    colour_of(&colours, share, rgb);
    return (Light){
        LIGHT_SUN,
        {(float)(sin(azimuth * RADIANS) * level), (float)sin(altitude), (float)(-cos(azimuth * RADIANS) * level)},
        {(float)fmax(rgb[0], 0), (float)fmax(rgb[1], 0), (float)fmax(rgb[2], 0)},
        SUN_ANGLE_DEFAULT};
}

/* ---- the image ---- */

/* Lobes change slowly with the azimuth, and are made at so many of a half turn. The sky is the same on both sides. */
enum { AZIMUTHS = 17 };

typedef struct Lobes {
    double air[3], haze[3], rest[3];
} Lobes;

static double share_between(double a, double b, double share) {
    return a + share * (b - a);
}

static Vec light_of(const Lobes *lobes, double share, double near) {
    const double of_air = atmosphere_air_lobe(near), of_haze = atmosphere_haze_lobe(near);
    double rgb[3];
    for (int c = 0; c < 3; c++)
        rgb[c] = fmax(share_between(lobes[0].air[c], lobes[1].air[c], share) * of_air +
                          share_between(lobes[0].haze[c], lobes[1].haze[c], share) * of_haze +
                          share_between(lobes[0].rest[c], lobes[1].rest[c], share),
                      0);
    return vec((float)rgb[0], (float)rgb[1], (float)rgb[2]);
}

/* An image in the making. */
typedef struct Making {
    const Daylight *day;
    const Atmosphere *air;
    Colours colours;
    Vec *texels;
} Making;

static void fill_row(const void *job, size_t y) {
    const Making *making = job;
    const Colours *colours = &making->colours;
    const double height = height_of(making->day), sun = (double)making->day->altitude * RADIANS;
    const double zenith = PI * ((double)y + 0.5) / DAYLIGHT_HEIGHT;
    const double high = cos(zenith) * sin(sun), level = sin(zenith) * cos(sun);
    Vec *texels = making->texels + y * DAYLIGHT_WIDTH;
    Lobes lobes[AZIMUTHS];
    for (int i = 0; i < AZIMUTHS; i++) {
        const AirLight light =
            atmosphere_light(making->air, height, cos(zenith), high + level * cos(PI * i / (AZIMUTHS - 1)));
        colour_of(colours, light.air, lobes[i].air);
        colour_of(colours, light.haze, lobes[i].haze);
        colour_of(colours, light.rest, lobes[i].rest);
    }
    for (size_t x = 0; x < DAYLIGHT_WIDTH / 2; x++) {
        const double turn = ((double)x + 0.5) / (DAYLIGHT_WIDTH / 2), place = turn * (AZIMUTHS - 1);
        const int at = (int)place;
        texels[DAYLIGHT_WIDTH / 2 + x] = texels[DAYLIGHT_WIDTH / 2 - 1 - x] =
            light_of(&lobes[at], place - at, high + level * cos(PI * turn));
    }
}

Status daylight_texels(const Daylight *day, Vec **texels) {
    Atmosphere *air;
    Vec *made = *texels = malloc((size_t)DAYLIGHT_WIDTH * DAYLIGHT_HEIGHT * sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory for a sky of %d x %d", DAYLIGHT_WIDTH, DAYLIGHT_HEIGHT);
    const Status status = atmosphere_create((double)day->altitude * RADIANS, (double)day->turbidity,
                                            (double)day->albedo, height_of(day), &air);
    if (status != STATUS_OK) {
        free(made);
        *texels = NULL;
        return status;
    }
    const Making making = {day, air, colours_of_bands(), made};
    share_pieces(DAYLIGHT_HEIGHT, fill_row, &making);
    free(air);
    return STATUS_OK;
}

/* ---- names ---- */

static const char prefix[] = "day=";

typedef struct Values {
    double altitude, turbidity, albedo, height;
} Values;

static const Param params[] = {
    {"altitude", "", "degrees", PARAM_NUMBER, offsetof(Values, altitude), DAYLIGHT_LOWEST, 45, 90, 1},
    {"turbidity", "", "", PARAM_NUMBER, offsetof(Values, turbidity), 2, 3, 10, 0.1},
    {"albedo", "", "", PARAM_NUMBER, offsetof(Values, albedo), 0, 0.2, 1, 0.01},
    {"height", "", "m", PARAM_NUMBER, offsetof(Values, height), 0, 0, DAYLIGHT_HIGHEST, 100},
};
static const ParamTable table = {params, sizeof params / sizeof params[0], sizeof(Values)};

Status daylight_parse(const char *name, bool *is, Daylight *day) {
    const size_t length = strlen(prefix);
    const char *at;
    void *values;
    *is = strncmp(name, prefix, length) == 0;
    if (!*is)
        return STATUS_OK;
    TRY(params_create(table, &values));
    const Status status = params_parse(table, "day", name + length, name + strlen(name), values, &at);
    const Values *v = values;
    *day = (Daylight){(float)v->altitude, (float)v->turbidity, (float)v->albedo, (float)v->height};
    params_destroy(table, &values);
    return status == STATUS_USAGE ? fail_within(STATUS_INPUT, "the sky \"%s\": ", name) : status;
}

/* The fewest digits that are read as the same float. */
static int digits_of(float number) {
    char text[32];
    int digits = 6;
    for (; digits < 9; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, (double)number);
        if (!(strtof(text, NULL) < number || strtof(text, NULL) > number))
            break;
    }
    return digits;
}

void daylight_name(const Daylight *day, char name[DAYLIGHT_NAME]) {
    snprintf(name, DAYLIGHT_NAME, "%saltitude=%.*g:turbidity=%.*g:albedo=%.*g", prefix, digits_of(day->altitude),
             (double)day->altitude, digits_of(day->turbidity), (double)day->turbidity, digits_of(day->albedo),
             (double)day->albedo);
    if (day->height > 0) {
        const size_t length = strlen(name);
        snprintf(name + length, DAYLIGHT_NAME - length, ":height=%.*g", digits_of(day->height), (double)day->height);
    }
}
