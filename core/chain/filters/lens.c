/* lens.c: a picture without the faults that its lens is known for. */
#include "core/codec/lens.h"

#include "core/chain/filters/filters.h"
#include "core/ops/formula.h"

#include <stdio.h>
#include <string.h>

typedef struct Values {
    char *camera, *name;
    double focal, aperture, distance, distortion, fringes, vignetting, scale, kernel;
} Values;

static const Param params[] = {
    {"camera", "the camera, as in 'Canon EOS 5D'; without it, the one that the picture's Exif tells", "", PARAM_TEXT,
     offsetof(Values, camera), 0, 0, 0, 0},
    {"name", "the lens, as in 'Canon EF 24-105mm f/4L IS USM'; without it, as Exif tells", "", PARAM_TEXT,
     offsetof(Values, name), 0, 0, 0, 0},
    {"focal", "the focal length; 0: as Exif tells", "mm", PARAM_NUMBER, offsetof(Values, focal), 0, 0, 5000, 1},
    {"aperture", "the f-number; 0: as Exif tells", "", PARAM_NUMBER, offsetof(Values, aperture), 0, 0, 128, 0.1},
    {"distance", "how far away the subject was; 0: as Exif tells, or far", "metres", PARAM_NUMBER,
     offsetof(Values, distance), 0, 0, 10000, 1},
    {"distortion", "straight lines become straight again", "no|yes", PARAM_CHOICE, offsetof(Values, distortion), 0, 1,
     1, 1},
    {"fringes", "red and blue become as large as green (lateral chromatic aberration)", "no|yes", PARAM_CHOICE,
     offsetof(Values, fringes), 0, 1, 1, 1},
    {"vignetting", "the corners become as bright as the middle", "no|yes", PARAM_CHOICE, offsetof(Values, vignetting),
     0, 1, 1, 1},
    {"scale", "how much larger the picture becomes; 0: so much that nothing beyond it shows", "times", PARAM_NUMBER,
     offsetof(Values, scale), 0, 0, 4, 0.01},
    PARAM_KERNEL(Values),
};

static void set_text(const char *text, char *to, size_t size) {
    if (text && text[0])
        snprintf(to, size, "%s", text);
}

/* The picture's shot, and in it all that the parameters say. */
static Shot shot_of(const Values *v, const Plan *plan) {
    Shot shot = plan_options(plan)->shot;
    if (v->camera && v->camera[0])
        shot.maker[0] = '\0'; /* it is part of the camera's name */
    set_text(v->camera, shot.model, sizeof shot.model);
    set_text(v->name, shot.lens, sizeof shot.lens);
    shot.focal = v->focal > 0 ? v->focal : shot.focal;
    shot.aperture = v->aperture > 0 ? v->aperture : shot.aperture;
    shot.distance = v->distance > 0 ? v->distance : shot.distance;
    return shot;
}

/* The profile; where no picture can tell what is missing, one without faults, whose plan is as large as any. */
static Status find_profile(const Values *v, Plan *to, LensProfile *profile) {
    Shot shot = shot_of(v, to);
    char text[LENS_TEXT + 64];
    if (!shot.known && !(shot.model[0] && shot.lens[0] && shot.focal > 0)) {
        *profile = (LensProfile){.unit = 1, .diagonal = 1, .bends = true, .parts = true, .darkens = true};
        profile->bend[0] = profile->apart[0][0] = profile->apart[1][0] = 1;
        return STATUS_OK;
    }
    shot.known = true;
    TRY(lens_find(&shot, profile));
    snprintf(text, sizeof text, "%s: %s", profile->text,
             profile->bends || profile->parts || profile->darkens ? "" : "Lensfun has not measured it");
    static const char *const names[] = {"distortion", "fringes", "vignetting"};
    const bool has[] = {profile->bends, profile->parts, profile->darkens};
    for (int i = 0, before = 0; i < 3; before += has[i++])
        if (has[i])
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", before > 0 ? ", " : "", names[i]);
    plan_note(to, text);
    return STATUS_OK;
}

/* ---- vignetting ---- */

/* A formula that is a factor on each colour, so that it may be multiplied by alpha. */
static Status append_formula(Plan *to, const char *text, const FormulaName *names, size_t count,
                             const int in[STAGE_INPUTS], PixelType type, int *out) {
    const int colours = shape_colours(plan_value_shape(to, in[0]));
    FormulaPicture picture = {
        .alpha = shape_has_alpha(plan_value_shape(to, in[0])), .results = colours, .names = names, .name_count = count};
    FormulaJob job = {.colours = colours};
    for (int k = 0; k < STAGE_INPUTS && in[k] != PLAN_NONE; k++) {
        picture.colours[k] = colours;
        job.white[k] = (float)plan_value_white(to, in[k]);
        job.inputs++;
    }
    TRY(formula_parse(text, &picture, &job.program));
    return plan_append(to, &op_formula, &job, in, type, out);
}

static double half_diagonal(Shape shape) {
    return hypot((double)shape.width - 1, (double)shape.height - 1) / 2;
}

static Status append_gain(Plan *to, const LensProfile *profile, int in, int *out) {
    static const char brighter[] = "i = (x - u) * s; j = (y - t) * s; q = i * i + j * j;"
                                   "v / max(1 + q * (d + q * (e + q * f)), 0.01)";
    const Shape whole = plan_whole_shape(to, in);
    const FormulaName names[] = {
        {"u", ((double)whole.width - 1) / 2},
        {"t", ((double)whole.height - 1) / 2},
        {"d", profile->dark[0]},
        {"e", profile->dark[1]},
        {"f", profile->dark[2]},
        {"s", 1 / fmax(half_diagonal(whole) * profile->diagonal, 1e-3)},
    };
    const PixelType type = plan_value_shape(to, in).type;
    const bool decode = !plan_options(to)->linear;
    int value = in;
    if (decode)
        TRY(plan_decode(to, in, &value));
    TRY(append_formula(to, brighter, names, 6, (const int[STAGE_INPUTS]){value, PLAN_NONE, PLAN_NONE},
                       decode ? PIXEL_F32 : type, out));
    return decode ? plan_encode(to, *out, type, out) : STATUS_OK;
}

/* ---- distortion and fringes ---- */

/* The map of a channel: green is 1, red 0, blue 2. */
static WarpMap map_of(const LensProfile *profile, Shape shape, int channel, double scale) {
    WarpMap map = {.is_lens = true, .is_radial = true, .k1 = WARP_FAR};
    double by = 1;
    map.focal = fmax(half_diagonal(shape) * profile->unit, 1e-3);
    map.centre_x = ((double)shape.width - 1) / 2;
    map.centre_y = ((double)shape.height - 1) / 2;
    for (int i = 0; i < 5; i++)
        map.bend[i] = profile->bend[i] * (by /= scale);
    map.apart[0] = 1;
    if (channel != 1)
        memcpy(map.apart, profile->apart[channel / 2], sizeof map.apart);
    return map;
}

/* Whether places on the result's edges lie within the picture. */
static bool stays_within(const LensProfile *profile, Shape shape, int channel, double scale) {
    enum { PLACES = 64 }; /* on each side */
    const WarpMap map = map_of(profile, shape, channel, scale);
    const double right = (double)shape.width - 1, bottom = (double)shape.height - 1, hair = 1e-6;
    bool within = true;
    for (int i = 0; i < 4 * PLACES && within; i++) {
        const double at = (double)(i / 4) / (PLACES - 1), x = i & 1 ? right * at : i & 2 ? right : 0;
        const double y = i & 1 ? (i & 2 ? bottom : 0) : bottom * at;
        double u, v;
        warp_place(&map, x, y, &u, &v);
        within = u >= -hair && v >= -hair && u <= right + hair && v <= bottom + hair;
    }
    return within;
}

/* The smallest scale from 1 on at which nothing beyond the picture shows, to a thousandth of a pixel or so. */
static double find_scale(const LensProfile *profile, Shape shape, bool parts) {
    double low = 1, high = 2;
    for (int i = 0; i < 24; i++) {
        const double middle = i == 0 ? 1 : (low + high) / 2;
        bool within = true;
        for (int channel = parts ? 0 : 1; channel < (parts ? 3 : 2); channel++)
            within &= stays_within(profile, shape, channel, middle);
        *(within ? &high : &low) = middle;
    }
    return high;
}

static Status append_warps(Plan *to, const Values *v, const LensProfile *profile, int in, int *out) {
    const Shape shape = plan_value_shape(to, in);
    const bool parts = profile->parts && shape_colours(shape) == 3;
    const double scale = v->scale > 0 ? v->scale : find_scale(profile, shape, parts);
    int values[3] = {in, in, in};
    if (!profile->bends && !parts && !(fabs(scale - 1) > 0)) {
        *out = in;
        return STATUS_OK;
    }
    for (int channel = parts ? 0 : 1; channel < (parts ? 3 : 2); channel++) {
        const WarpWish wish = {.width = shape.width,
                               .height = shape.height,
                               .map = map_of(profile, shape, channel, scale),
                               .kernel = (WarpKernel)v->kernel};
        TRY(plan_warp(to, in, wish, &values[channel]));
    }
    *out = values[1];
    return parts ? append_formula(to, "v2; v; v3", NULL, 0, (const int[STAGE_INPUTS]){values[1], values[0], values[2]},
                                  shape.type, out)
                 : STATUS_OK;
}

static Status plan(const void *values, Plan *to, int in, int *out) {
    const Values *v = values;
    LensProfile profile;
    TRY(find_profile(v, to, &profile));
    if (!(v->distortion > 0) && profile.bends)
        memcpy(profile.bend, (const double[5]){1}, sizeof profile.bend);
    profile.bends &= v->distortion > 0;
    profile.parts &= v->fringes > 0;
    *out = in;
    if (profile.darkens && v->vignetting > 0)
        TRY(append_gain(to, &profile, in, out));
    return append_warps(to, v, &profile, *out, out);
}

const Filter filter_lens = {
    .name = "lens",
    .category = FILTER_GEOMETRY,
    .help = "Takes away the distortion, the colour fringes and the dark corners of the lens that took the photograph.",
    .definition =
        "Lensfun's models, with the numbers of its database for the camera, the lens, and their settings. Distortion "
        "is poly3, poly5 or ptlens, red and blue are linear or poly3. Vignetting is pa, in linear light. The picture "
        "is "
        "all that the sensor saw: crop behind it.",
    .table = PARAM_TABLE(params, Values),
    .plan = plan,
    .reads_shot = true,
};
