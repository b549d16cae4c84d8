/* display.c: tables between spaces, by Little CMS. */
#include "core/image/display.h"

#include "core/image/icc_library.h"

#include <stdlib.h>

#ifdef GLINT_WITH_LCMS
#    include <math.h>

#    define BLACK_NEAR 1e-4 /* light of a curve's first value that counts as none */
#    define NUMBER_MAX 8.0F /* of the grid: far beyond what any screen shows */

enum { BISECTIONS = 26, PROBES = 256, LAST = DISPLAY_SIDE - 1 };

static const cmsTagSignature curve_tags[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
static const cmsTagSignature colorant_tags[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};

static double light_of(const cmsToneCurve *curve, double value) {
    return (double)cmsEvalToneCurveFloat(curve, (cmsFloat32Number)value);
}

/* Whether a curve leads from no light to all, and back. */
static bool is_good(const cmsToneCurve *curve) {
    bool rises = curve && fabs(light_of(curve, 0)) < BLACK_NEAR && fabs(light_of(curve, 1) - 1) < BLACK_NEAR;
    for (int i = 0; i < PROBES && rises; i++)
        rises = light_of(curve, (double)i / PROBES) <= light_of(curve, (i + 1.0) / PROBES);
    return rises;
}

static double value_of(const cmsToneCurve *curve, double light) {
    double low = 0, high = 1;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = (low + high) / 2;
        if (light_of(curve, middle) < light)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* Whether a profile has primaries and curves alone: tables would come first. */
static bool is_plain(cmsHPROFILE profile) {
    static const cmsTagSignature tables[] = {cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigBToA0Tag, cmsSigBToA1Tag,
                                             cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigBToD0Tag, cmsSigBToD1Tag};
    bool plain = cmsIsMatrixShaper(profile);
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++)
        plain &= !cmsIsTag(profile, tables[i]);
    return plain;
}

/* A profile's primaries in linear light; NULL if it is not made of these and of good curves. */
static cmsHPROFILE linear_of(cmsContext context, cmsHPROFILE profile) {
    static const cmsCIExyYTRIPLE any = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    bool good = is_plain(profile);
    for (int c = 0; c < 3 && good; c++)
        good = is_good(cmsReadTag(profile, curve_tags[c]));
    cmsToneCurve *line = good ? cmsBuildGamma(context, 1) : NULL;
    cmsToneCurve *const lines[] = {line, line, line};
    cmsHPROFILE linear = line ? cmsCreateRGBProfileTHR(context, cmsD50_xyY(), &any, lines) : NULL;
    cmsFreeToneCurve(line);
    for (int c = 0; c < 3 && linear; c++) {
        const void *colorant = cmsReadTag(profile, colorant_tags[c]);
        if (!colorant || !cmsWriteTag(linear, colorant_tags[c], colorant)) {
            cmsCloseProfile(linear);
            linear = NULL;
        }
    }
    return linear;
}

/* The two sides' curves; NULL for a side that has none to go by. */
static void fill_curves(cmsHPROFILE source, cmsHPROFILE target, DisplayTable *table) {
    for (int c = 0; c < 3; c++) {
        const cmsToneCurve *first = source ? cmsReadTag(source, curve_tags[c]) : NULL;
        const cmsToneCurve *second = target ? cmsReadTag(target, curve_tags[c]) : NULL;
        for (int i = 0; i < DISPLAY_CURVE; i++) {
            const double at = (double)i / (DISPLAY_CURVE - 1);
            table->curves[0][i][c] = (float)(first ? fmin(fmax(light_of(first, at), 0), 1) : at);
            table->curves[1][i][c] = (float)(second ? value_of(second, at * at) : at * at);
        }
    }
}

static cmsHPROFILE open_space(cmsContext context, const ColourSpace *space) {
    return space ? cmsOpenProfileFromMemTHR(context, space->profile.data, (cmsUInt32Number)space->profile.size)
                 : cmsCreate_sRGBProfileTHR(context);
}

static void keep_sane(float *numbers, size_t count) {
    for (size_t i = 0; i < count; i++)
        numbers[i] = isfinite(numbers[i]) ? fminf(fmaxf(numbers[i], -NUMBER_MAX), NUMBER_MAX) : 0;
}

/* DISPLAY_SIDE values in a row in the other space: `step` goes on from one to the next; of gray the first counts. */
static void convert_row(cmsHTRANSFORM transform, bool gray, const float first[3], const float step[3],
                        float row[DISPLAY_SIDE][3]) {
    const int channels = gray ? 1 : 3;
    float values[DISPLAY_SIDE * 3];
    for (int i = 0; i < DISPLAY_SIDE; i++)
        for (int c = 0; c < channels; c++)
            values[i * channels + c] = first[c] + step[c] * (float)i / LAST;
    cmsDoTransform(transform, values, row, DISPLAY_SIDE);
    keep_sane(row[0], (size_t)DISPLAY_SIDE * 3);
}

static void fill_grid(cmsHTRANSFORM transform, bool gray, DisplayTable *table) {
    for (int b = 0; b < DISPLAY_SIDE; b++)
        for (int g = 0; g < DISPLAY_SIDE; g++)
            convert_row(transform, gray, (const float[]){0, (float)g / LAST, (float)b / LAST}, (const float[]){1, 0, 0},
                        table->grid[b][g]);
}

/* The same where light is added up: each colour alone, less black. */
static void fill_sum(cmsHTRANSFORM transform, DisplayTable *table) {
    float alone[3][DISPLAY_SIDE][3];
    for (int c = 0; c < 3; c++)
        convert_row(transform, false, (const float[3]){0}, (const float[]){c == 0, c == 1, c == 2}, alone[c]);
    for (int b = 0; b < DISPLAY_SIDE; b++)
        for (int g = 0; g < DISPLAY_SIDE; g++)
            for (int r = 0; r < DISPLAY_SIDE; r++)
                for (int c = 0; c < 3; c++)
                    table->grid[b][g][r][c] = alone[0][r][c] + alone[1][g][c] + alone[2][b][c] - 2 * alone[0][0][c];
}

/* In light where the second space allows it, and then from light where the first one does. False without memory. */
static bool make_table(cmsContext context, const ColourSpace *from, const ColourSpace *to, DisplayTable *table) {
    const bool gray = from && from->gray;
    cmsHPROFILE source = open_space(context, from), target = open_space(context, to);
    cmsHPROFILE there = target ? linear_of(context, target) : NULL;
    cmsHPROFILE here = there && source ? linear_of(context, source) : NULL;
    cmsHTRANSFORM transform =
        source && target ? cmsCreateTransformTHR(context, here ? here : source, gray ? TYPE_GRAY_FLT : TYPE_RGB_FLT,
                                                 there ? there : target, TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC,
                                                 cmsFLAGS_BLACKPOINTCOMPENSATION)
                         : NULL;
    if (transform) {
        fill_curves(here ? source : NULL, there ? target : NULL, table);
        if (here)
            fill_sum(transform, table);
        else
            fill_grid(transform, gray, table);
        cmsDeleteTransform(transform);
    }
    cmsHPROFILE const opened[] = {source, target, here, there};
    for (size_t i = 0; i < sizeof opened / sizeof opened[0]; i++)
        if (opened[i])
            cmsCloseProfile(opened[i]);
    return transform != NULL;
}

Status display_table_make(const ColourSpace *from, const ColourSpace *to, DisplayTable **table) {
    Colours colours;
    *table = NULL;
    TRY(colours_begin(&colours));
    DisplayTable *made = malloc(sizeof *made);
    const bool good = made && make_table(colours.context, from, to, made);
    const Status status = colours_end(&colours);
    if (status == STATUS_OK && good) {
        *table = made;
        return STATUS_OK;
    }
    free(made);
    return status != STATUS_OK ? status : fail(STATUS_DEVICE, "no memory to convert colours");
}

#else

Status display_table_make(const ColourSpace *from, const ColourSpace *to, DisplayTable **table) {
    (void)from, (void)to;
    *table = NULL;
    return fail(STATUS_USAGE, "colours cannot be converted: glint was built without Little CMS (lcms2)");
}
#endif
