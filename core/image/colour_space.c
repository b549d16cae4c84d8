/* colour_space.c: profiles of pictures and monitors, checked once. */
#include "core/image/colour_space.h"

#include "core/base/input.h"
#include "core/image/icc_library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ColourSpace *colour_space_retain(ColourSpace *space) {
    if (space)
        __atomic_fetch_add(&space->owners, 1, __ATOMIC_RELAXED);
    return space;
}

void colour_space_release(ColourSpace **space) {
    ColourSpace *old = *space;
    *space = NULL;
    if (!old || __atomic_fetch_sub(&old->owners, 1, __ATOMIC_ACQ_REL) > 1)
        return;
    bytes_free(&old->profile);
    free(old);
}

bool colour_space_equal(const ColourSpace *a, const ColourSpace *b) {
    const bool a_srgb = !a || (a->srgb && !a->gray), b_srgb = !b || (b->srgb && !b->gray);
    if (a == b || a_srgb || b_srgb)
        return a == b || (a_srgb && b_srgb);
    return a->profile.size == b->profile.size && memcmp(a->profile.data, b->profile.data, a->profile.size) == 0;
}

#ifdef GLINT_WITH_LCMS
enum { PROFILE_MAX = 1 << 25 /* bytes of a file */ };

/* A space of a profile that `into` tells the use of: colours are converted to it, else from it. */
static Status create(Bytes profile, bool into, ColourSpace **space) {
    Colours colours;
    ColourSpace *made = calloc(1, sizeof *made);
    unsigned char *copy = malloc(profile.size + 1);
    *space = NULL;
    if (!made || !copy) {
        free(copy);
        free(made);
        return fail(STATUS_DEVICE, "no memory for a colour profile");
    }
    memcpy(copy, profile.data, profile.size);
    *made = (ColourSpace){.owners = 1, .profile = {copy, profile.size}};
    Status status = colours_begin(&colours);
    if (status != STATUS_OK) {
        colour_space_release(&made);
        return status;
    }
    cmsHPROFILE opened = cmsOpenProfileFromMemTHR(colours.context, profile.data, (cmsUInt32Number)profile.size);
    cmsHPROFILE srgb = opened ? cmsCreate_sRGBProfileTHR(colours.context) : NULL;
    made->gray = opened && cmsGetColorSpace(opened) == cmsSigGrayData;
    bool good = srgb && (made->gray ? !into : cmsGetColorSpace(opened) == cmsSigRgbData);
    if (good) {
        const cmsUInt32Number format = made->gray ? TYPE_GRAY_FLT : TYPE_RGB_FLT;
        cmsHTRANSFORM transform = cmsCreateTransformTHR(
            colours.context, into ? srgb : opened, into ? TYPE_RGB_FLT : format, into ? opened : srgb, TYPE_RGB_FLT,
            INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_BLACKPOINTCOMPENSATION);
        good = transform != NULL;
        made->srgb = icc_is_srgb(colours.context, opened);
        cmsGetProfileInfoASCII(opened, cmsInfoDescription, "en", "US", made->name, sizeof made->name);
        if (transform)
            cmsDeleteTransform(transform);
    }
    for (char *at = made->name; *at; at++)
        *at = *at < ' ' || *at > '~' ? '?' : *at;
    if (srgb)
        cmsCloseProfile(srgb);
    if (opened)
        cmsCloseProfile(opened);
    status = colours_end(&colours);
    if (status == STATUS_OK && !good)
        status = fail(STATUS_INPUT, "damaged");
    if (status == STATUS_OK)
        *space = made;
    else
        colour_space_release(&made);
    return status;
}

/* ---- what PNG says ---- */

/* Recommendation ITU-T H.273 (2021), table 2: where the primaries and white lie. */
typedef struct Primaries {
    int code;
    const char *name;
    cmsCIExyYTRIPLE at;
    cmsCIExyY white;
} Primaries;

#    define D65                                                                                                        \
        { 0.3127, 0.3290, 1 }
static const Primaries primaries[] = {
    {1, "BT.709", {{0.640, 0.330, 1}, {0.300, 0.600, 1}, {0.150, 0.060, 1}}, D65},
    {5, "BT.470 BG", {{0.640, 0.330, 1}, {0.290, 0.600, 1}, {0.150, 0.060, 1}}, D65},
    {6, "BT.601", {{0.630, 0.340, 1}, {0.310, 0.595, 1}, {0.155, 0.070, 1}}, D65},
    {7, "SMPTE 240", {{0.630, 0.340, 1}, {0.310, 0.595, 1}, {0.155, 0.070, 1}}, D65},
    {9, "BT.2020", {{0.708, 0.292, 1}, {0.170, 0.797, 1}, {0.131, 0.046, 1}}, D65},
    {11, "DCI P3", {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}}, {0.314, 0.351, 1}},
    {12, "Display P3", {{0.680, 0.320, 1}, {0.265, 0.690, 1}, {0.150, 0.060, 1}}, D65},
};
/* Table 3: its curves as ICC's parametric ones, from values to light. */
static const struct {
    int code, kind;
    double parameters[5];
} transfers[] = {
    {1, 4, {1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081}},
    {6, 4, {1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081}},
    {14, 4, {1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081}},
    {15, 4, {1 / 0.45, 1 / 1.099, 0.099 / 1.099, 1 / 4.5, 0.081}},
    {4, 1, {2.2}},
    {5, 1, {2.8}},
    {8, 1, {1}},
    {13, 4, {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045}},
};

/* A space of these primaries and this curve; takes the curve over. */
static Status create_of(cmsContext context, const Primaries *at, cmsToneCurve *curve, ColourSpace **space) {
    cmsToneCurve *const curves[] = {curve, curve, curve};
    cmsHPROFILE profile = curve ? cmsCreateRGBProfileTHR(context, &at->white, &at->at, curves) : NULL;
    cmsUInt32Number size = 0;
    Bytes bytes = {0};
    if (profile && cmsSaveProfileToMem(profile, NULL, &size) && (bytes.data = malloc(size)) &&
        cmsSaveProfileToMem(profile, bytes.data, &size))
        bytes.size = size;
    const Status status = bytes.size > 0 ? create(bytes, false, space) : fail(STATUS_INPUT, "damaged");
    if (*space)
        snprintf((*space)->name, sizeof(*space)->name, "%s", at->name);
    bytes_free(&bytes);
    if (profile)
        cmsCloseProfile(profile);
    cmsFreeToneCurve(curve);
    return status;
}

/* cICP: primaries, transfer, matrix (0: RGB) and whether the range is full. */
static Status create_of_cicp(cmsContext context, const unsigned char cicp[4], ColourSpace **space) {
    const size_t known = sizeof primaries / sizeof primaries[0], curves = sizeof transfers / sizeof transfers[0];
    size_t i = 0, k = 0;
    while (i < known && primaries[i].code != cicp[0])
        i++;
    while (k < curves && transfers[k].code != cicp[1])
        k++;
    if (i == known || k == curves || cicp[2] != 0 || cicp[3] != 1)
        return fail(STATUS_INPUT, "damaged");
    return create_of(context, &primaries[i],
                     cmsBuildParametricToneCurve(context, transfers[k].kind, transfers[k].parameters), space);
}

static double number_at(const unsigned char *data) {
    return (((double)data[0] * 256 + data[1]) * 256 + data[2]) * 256 + data[3];
}

/* gAMA and cHRM, in 100000ths: a gamma of 1 / 2.2 is written for sRGB's curve. */
static Status create_of_gama(cmsContext context, const ColourChunks *chunks, ColourSpace **space) {
    const double unit = 1e-5, gamma = chunks->has_gama ? number_at(chunks->gama) * unit : 1 / 2.2;
    Primaries at = primaries[0];
    double list[8];
    for (int i = 0; i < 8 && chunks->has_chrm; i++)
        list[i] = number_at(chunks->chrm + 4 * (size_t)i) * unit;
    if (chunks->has_chrm)
        at = (Primaries){
            0, "cHRM", {{list[2], list[3], 1}, {list[4], list[5], 1}, {list[6], list[7], 1}}, {list[0], list[1], 1}};
    bool standard = true;
    const cmsCIExyY *const is[] = {&at.at.Red, &at.at.Green, &at.at.Blue, &at.white};
    const cmsCIExyY *const srgb[] = {&primaries[0].at.Red, &primaries[0].at.Green, &primaries[0].at.Blue,
                                     &primaries[0].white};
    for (int i = 0; i < 4; i++)
        standard &= is[i]->x - srgb[i]->x < 1e-3 && srgb[i]->x - is[i]->x < 1e-3 && is[i]->y - srgb[i]->y < 1e-3 &&
                    srgb[i]->y - is[i]->y < 1e-3;
    if (!(gamma > 0.1 && gamma < 10))
        return fail(STATUS_INPUT, "damaged");
    if (standard && gamma > 0.45 && gamma < 0.46)
        return STATUS_OK;
    return create_of(context, &at, cmsBuildGamma(context, 1 / gamma), space);
}

static Status create_of_chunks(const ColourChunks *chunks, ColourSpace **space) {
    Colours colours;
    TRY(colours_begin(&colours));
    const Status status = chunks->has_cicp ? create_of_cicp(colours.context, chunks->cicp, space)
                                           : create_of_gama(colours.context, chunks, space);
    const Status ended = colours_end(&colours);
    if (ended != STATUS_OK)
        colour_space_release(space);
    return ended == STATUS_OK ? status : ended;
}

Status colour_space_of_picture(const Image *picture, ColourSpace **space) {
    const ColourChunks *chunks = &picture->colours;
    const bool gray = picture->view.shape.channels < 3, profiled = picture->profile && !chunks->has_cicp;
    *space = NULL;
    if (!profiled && !chunks->has_cicp && !chunks->has_gama && !chunks->has_chrm)
        return STATUS_OK;
    Status status = profiled ? create((Bytes){picture->profile, picture->profile_size}, false, space)
                             : create_of_chunks(chunks, space);
    if (*space && (*space)->gray && !gray) {
        colour_space_release(space);
        status = STATUS_INPUT;
    }
    if (*space && (*space)->srgb && picture->view.shape.type != PIXEL_F32)
        colour_space_release(space);
    if (status != STATUS_INPUT)
        return status;
    return profiled
               ? fail(STATUS_INPUT, "its ICC profile is damaged, or is for other colours than the picture's: it is "
                                    "shown as if it were sRGB")
               : fail(STATUS_INPUT, "glint cannot show the colours that its cICP, gAMA or cHRM names: it is shown "
                                    "as if it were sRGB");
}

Status colour_space_of_monitor(Bytes profile, ColourSpace **space) {
    const Status status = create(profile, true, space);
    return status == STATUS_INPUT ? fail(STATUS_INPUT, "this is no ICC profile of a monitor, or it is damaged")
                                  : status;
}

Status colour_space_of_file(const char *path, ColourSpace **space) {
    Input input;
    *space = NULL;
    TRY(input_open(path, &input));
    Status status = input_read(&input, PROFILE_MAX);
    const bool read = status == STATUS_OK;
    if (read)
        status = colour_space_of_monitor(input.bytes, space);
    if (read && status == STATUS_INPUT)
        status = fail_within(STATUS_INPUT, "%s: ", path);
    input_close(&input);
    return status;
}

#else

Status colour_space_of_picture(const Image *picture, ColourSpace **space) {
    (void)picture;
    *space = NULL;
    return STATUS_OK;
}

Status colour_space_of_monitor(Bytes profile, ColourSpace **space) {
    (void)profile;
    *space = NULL;
    return fail(STATUS_USAGE, "profiles of monitors need Little CMS (lcms2), which glint was built without");
}

Status colour_space_of_file(const char *path, ColourSpace **space) {
    (void)path;
    return colour_space_of_monitor((Bytes){0}, space);
}
#endif
