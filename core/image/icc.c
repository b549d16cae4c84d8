/* icc.c: ICC profiles, through Little CMS. */
#include "core/image/icc.h"
#include "core/image/icc_library.h"

#include <stdlib.h>
#include <string.h>

#ifdef GLINT_WITH_LCMS
#    include "core/image/opaque.h"
#    include "core/math/tone.h"

#    include <math.h>

#    define TONE_NEAR 1e-3 /* curves that differ by less are one */

enum { TONE_PROBES = 256 };

bool icc_available(void) {
    return true;
}

/* ---- values and light ---- */

typedef struct Curves {
    const cmsToneCurve *curves[3];
    int count;
} Curves;

static double light_of(const Curves *curves, int i, double value) {
    return (double)cmsEvalToneCurveFloat(curves->curves[i], (cmsFloat32Number)value);
}

static bool read_curves(cmsHPROFILE profile, Curves *curves) {
    static const cmsTagSignature tags[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    static const cmsTagSignature gray[] = {cmsSigGrayTRCTag};
    const bool one = cmsGetColorSpace(profile) == cmsSigGrayData;
    curves->count = one ? 1 : 3;
    if (!cmsIsMatrixShaper(profile) || (!one && cmsGetColorSpace(profile) != cmsSigRgbData))
        return false;
    for (int i = 0; i < curves->count; i++)
        if (!(curves->curves[i] = cmsReadTag(profile, one ? gray[0] : tags[i])))
            return false;
    return true;
}

/* The largest distance of the first curve from sRGB's (gamma 0) or a power, or of the others from the first. */
static double distance(const Curves *curves, double gamma) {
    double most = 0;
    for (int i = 0; i <= TONE_PROBES; i++) {
        const double value = (double)i / TONE_PROBES, light = light_of(curves, 0, value);
        const double want = gamma > 0 ? pow(value, gamma) : srgb_decode(value);
        most = fmax(most, fabs(light - want));
    }
    return most;
}

static double spread(const Curves *curves) {
    double most = 0;
    for (int i = 0; i <= TONE_PROBES; i++)
        for (int c = 1; c < curves->count; c++) {
            const double value = (double)i / TONE_PROBES;
            most = fmax(most, fabs(light_of(curves, c, value) - light_of(curves, 0, value)));
        }
    return most;
}

/* A curve through points, if it ascends from black to white. */
static bool sample_curve(const Curves *curves, ToneCurve *tone) {
    tone->count = KNOTS_MAX;
    for (int i = 0; i < KNOTS_MAX; i++) {
        tone->light[i] = light_of(curves, 0, tone_value(i));
        if (i > 0 && !(tone->light[i] - tone->light[i - 1] > 1e-6))
            return false;
    }
    return fabs(tone->light[0]) < TONE_NEAR && fabs(tone->light[KNOTS_MAX - 1] - 1) < TONE_NEAR;
}

/* False: no curve that can be gone by. */
static bool find_tone(cmsHPROFILE profile, ToneCurve *tone) {
    Curves curves;
    if (!profile || !read_curves(profile, &curves) || !(spread(&curves) < TONE_NEAR))
        return false;
    const double gamma = log(light_of(&curves, 0, 0.5)) / log(0.5);
    if (distance(&curves, 0) < TONE_NEAR)
        return true;
    if (gamma > 0 && distance(&curves, gamma) < TONE_NEAR) {
        tone->gamma = gamma;
        return true;
    }
    return sample_curve(&curves, tone);
}

/* ---- to sRGB ---- */

static cmsUInt32Number pixel_format(Shape shape) {
    const bool gray = shape.channels < 3, alpha = shape_has_alpha(shape);
    const cmsUInt32Number colours = gray ? 1 : 3, bytes = (cmsUInt32Number)pixel_type_size(shape.type);
    return COLORSPACE_SH((cmsUInt32Number)(gray ? PT_GRAY : PT_RGB)) | CHANNELS_SH(colours) |
           EXTRA_SH((cmsUInt32Number)alpha) | BYTES_SH(bytes) | FLOAT_SH((cmsUInt32Number)(shape.type == PIXEL_F32));
}

/* sRGB's curve (IEC 61966-2-1), as ICC's parametric type 4. */
static cmsHPROFILE gray_srgb(cmsContext context) {
    static const double parameters[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
    cmsToneCurve *curve = cmsBuildParametricToneCurve(context, 4, parameters);
    cmsHPROFILE profile = curve ? cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve) : NULL;
    cmsFreeToneCurve(curve);
    return profile;
}

/* Linear light of sRGB's primaries. */
static cmsHPROFILE linear_srgb(cmsContext context, bool gray) {
    static const cmsCIExyY white = {0.3127, 0.3290, 1};
    static const cmsCIExyYTRIPLE primaries = {{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    cmsToneCurve *curve = cmsBuildGamma(context, 1);
    cmsToneCurve *const curves[] = {curve, curve, curve};
    cmsHPROFILE profile = !curve ? NULL
                          : gray ? cmsCreateGrayProfileTHR(context, cmsD50_xyY(), curve)
                                 : cmsCreateRGBProfileTHR(context, &white, &primaries, curves);
    cmsFreeToneCurve(curve);
    return profile;
}

/* For pixels of this shape, in place. NULL without memory, or if one of the profiles does not serve. */
static cmsHTRANSFORM transform_between(cmsContext context, cmsHPROFILE from, cmsHPROFILE to, Shape shape) {
    const cmsUInt32Number format = pixel_format(shape);
    const cmsColorSpaceSignature space = shape.channels < 3 ? cmsSigGrayData : cmsSigRgbData;
    return from && to && cmsGetColorSpace(from) == space && cmsGetColorSpace(to) == space
               ? cmsCreateTransformTHR(context, from, format, to, format, INTENT_RELATIVE_COLORIMETRIC,
                                       cmsFLAGS_BLACKPOINTCOMPENSATION)
               : NULL;
}

static cmsHTRANSFORM transform_of(cmsContext context, cmsHPROFILE from, Shape shape) {
    cmsHPROFILE to = shape.channels < 3 ? gray_srgb(context) : cmsCreate_sRGBProfileTHR(context);
    cmsHTRANSFORM transform = transform_between(context, from, to, shape);
    if (to)
        cmsCloseProfile(to);
    return transform;
}

/* Applies the transform to the view, and frees the transform. */
static void apply(cmsHTRANSFORM transform, ImageView view) {
    cmsDoTransformLineStride(transform, view.pixels, view.pixels, (cmsUInt32Number)view.shape.width,
                             (cmsUInt32Number)view.shape.height, (cmsUInt32Number)view.stride,
                             (cmsUInt32Number)view.stride, 0, 0);
    cmsDeleteTransform(transform);
}

/* The colour chunks, which stand for a profile where nobody reads it, go with it. */
static void drop_profile(Image *image) {
    free(image->profile);
    image->profile = NULL;
    image->profile_size = 0;
    image->colours = (ColourChunks){0};
}

bool icc_is_srgb(cmsContext context, cmsHPROFILE profile) {
    static const cmsTagSignature primaries[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    ToneCurve tone = {0};
    if (!find_tone(profile, &tone) || tone.gamma > 0 || tone.count > 0)
        return false;
    cmsHPROFILE srgb = cmsGetColorSpace(profile) == cmsSigRgbData ? cmsCreate_sRGBProfileTHR(context) : NULL;
    bool same = srgb || cmsGetColorSpace(profile) == cmsSigGrayData;
    for (int i = 0; i < 3 && srgb && same; i++) {
        const cmsCIEXYZ *is = cmsReadTag(profile, primaries[i]), *want = cmsReadTag(srgb, primaries[i]);
        same = is && want && fabs(is->X - want->X) < TONE_NEAR && fabs(is->Y - want->Y) < TONE_NEAR &&
               fabs(is->Z - want->Z) < TONE_NEAR;
    }
    if (srgb)
        cmsCloseProfile(srgb);
    return same;
}

static bool convert(cmsContext context, const Image *from, Image *image) {
    const ImageView view = image->view;
    cmsHPROFILE profile = cmsOpenProfileFromMemTHR(context, from->profile, (cmsUInt32Number)from->profile_size);
    const bool alike = icc_is_srgb(context, profile);
    cmsHTRANSFORM transform = alike ? NULL : transform_of(context, profile, view.shape);
    if (transform && image->premultiplied)
        view_scale_by_alpha(view, true);
    if (transform)
        apply(transform, view);
    if (transform && image->premultiplied)
        view_scale_by_alpha(view, false);
    if (transform && image->gain_map && image->gain_map->view.shape.channels == 3) {
        image_destroy(&image->gain_map); /* its gains are those of the profile's colours */
        image->extras |= EXTRA_GAIN_MAP;
    }
    if (profile)
        cmsCloseProfile(profile);
    return alike || transform;
}

Status icc_to_srgb(Image *first, const char *keeping) {
    Colours colours;
    bool good = true;
    TRY(colours_begin(&colours));
    for (Image *image = first; image && good; image = image->next) {
        const Image *from = image->profile || image->seconds <= 0 ? image : first;
        if (from->profile)
            good = convert(colours.context, from, image);
    }
    for (Image *image = first; image; image = image->next)
        if (image->profile)
            drop_profile(image);
    TRY(colours_end(&colours));
    return good ? STATUS_OK
                : fail(STATUS_INPUT,
                       "its ICC profile is damaged, or is for other colours than the picture's; %s leaves these as "
                       "they are",
                       keeping);
}

/* From linear light to a profile, in f32. */
static cmsHTRANSFORM transform_back(cmsContext context, cmsHPROFILE to, Shape shape) {
    cmsHPROFILE from = linear_srgb(context, shape.channels < 3);
    cmsHTRANSFORM transform = transform_between(context, from, to, shape_with_type(shape, PIXEL_F32));
    if (from)
        cmsCloseProfile(from);
    return transform;
}

Status icc_converts(const unsigned char *profile, size_t size, Shape shape, bool *converts) {
    Colours colours;
    TRY(colours_begin(&colours));
    cmsHPROFILE opened = cmsOpenProfileFromMemTHR(colours.context, profile, (cmsUInt32Number)size);
    cmsHTRANSFORM there = transform_of(colours.context, opened, shape);
    cmsHTRANSFORM back = transform_back(colours.context, opened, shape);
    *converts = there && back;
    if (there)
        cmsDeleteTransform(there);
    if (back)
        cmsDeleteTransform(back);
    if (opened)
        cmsCloseProfile(opened);
    return colours_end(&colours);
}

Status icc_from_linear(ImageView view, const unsigned char *profile, size_t size) {
    Colours colours;
    TRY(colours_begin(&colours));
    cmsHPROFILE opened = cmsOpenProfileFromMemTHR(colours.context, profile, (cmsUInt32Number)size);
    cmsHTRANSFORM transform = transform_back(colours.context, opened, view.shape);
    const bool good = transform != NULL;
    if (transform)
        apply(transform, view);
    if (opened)
        cmsCloseProfile(opened);
    TRY(colours_end(&colours));
    return good ? STATUS_OK : fail(STATUS_INPUT, "its ICC profile is damaged");
}

/* A profile of the same primaries, for linear light; NULL without memory, or if there are none. */
static cmsHPROFILE linear_copy(cmsContext context, cmsHPROFILE from) {
    static const cmsTagSignature primaries[] = {cmsSigRedColorantTag, cmsSigGreenColorantTag, cmsSigBlueColorantTag};
    static const cmsTagSignature curves[] = {cmsSigRedTRCTag, cmsSigGreenTRCTag, cmsSigBlueTRCTag};
    cmsHPROFILE made = cmsCreateProfilePlaceholder(context);
    cmsToneCurve *line = cmsBuildGamma(context, 1);
    bool good = made && line;
    for (int c = 0; good && c < 3; c++) {
        const cmsCIEXYZ *primary = cmsReadTag(from, primaries[c]);
        good = primary && cmsWriteTag(made, primaries[c], primary) && cmsWriteTag(made, curves[c], line);
    }
    cmsFreeToneCurve(line);
    if (good) {
        cmsSetDeviceClass(made, cmsSigDisplayClass);
        cmsSetColorSpace(made, cmsSigRgbData);
        cmsSetPCS(made, cmsSigXYZData);
    } else if (made) {
        cmsCloseProfile(made);
    }
    return good ? made : NULL;
}

Status icc_linear_to_srgb(ImageView view, const unsigned char *profile, size_t size) {
    Colours colours;
    if (view.shape.channels < 3)
        return STATUS_OK;
    TRY(colours_begin(&colours));
    const cmsContext context = colours.context;
    cmsHPROFILE opened = cmsOpenProfileFromMemTHR(context, profile, (cmsUInt32Number)size);
    cmsHPROFILE from = opened ? linear_copy(context, opened) : NULL, to = linear_srgb(context, false);
    const cmsUInt32Number format = pixel_format(view.shape);
    cmsHTRANSFORM transform =
        from && to ? cmsCreateTransformTHR(context, from, format, to, format, INTENT_RELATIVE_COLORIMETRIC, 0) : NULL;
    const bool good = transform != NULL;
    if (transform)
        apply(transform, view);
    const cmsHPROFILE open[] = {opened, from, to};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (open[i])
            cmsCloseProfile(open[i]);
    TRY(colours_end(&colours));
    return good ? STATUS_OK : fail(STATUS_INPUT, "its ICC profile is damaged, or has no primaries");
}

/* ---- inks ---- */

struct IccInks {
    Colours colours;
    cmsHTRANSFORM transform;
};

static cmsHTRANSFORM transform_of_inks(cmsContext context, cmsHPROFILE from, PixelType type, bool reversed) {
    const cmsUInt32Number bytes = BYTES_SH((cmsUInt32Number)pixel_type_size(type));
    const cmsUInt32Number inks = COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4) | bytes | FLAVOR_SH((cmsUInt32Number)reversed);
    cmsHPROFILE to = from && cmsGetColorSpace(from) == cmsSigCmykData ? cmsCreate_sRGBProfileTHR(context) : NULL;
    cmsHTRANSFORM transform =
        to ? cmsCreateTransformTHR(context, from, inks, to, COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | bytes,
                                   INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_BLACKPOINTCOMPENSATION)
           : NULL;
    if (to)
        cmsCloseProfile(to);
    return transform;
}

Status icc_inks_open(const unsigned char *profile, size_t size, PixelType type, bool reversed, IccInks **inks) {
    *inks = NULL;
    if (type == PIXEL_F32)
        return STATUS_OK;
    IccInks *made = calloc(1, sizeof *made);
    if (!made)
        return fail(STATUS_DEVICE, "no memory to convert colours");
    const Status begun = colours_begin(&made->colours);
    if (begun != STATUS_OK) {
        free(made);
        return begun;
    }
    cmsHPROFILE from = cmsOpenProfileFromMemTHR(made->colours.context, profile, (cmsUInt32Number)size);
    made->transform = transform_of_inks(made->colours.context, from, type, reversed);
    if (from)
        cmsCloseProfile(from);
    *inks = made;
    if (made->transform && !made->colours.out_of_memory)
        return STATUS_OK;
    const bool short_of_memory = made->colours.out_of_memory;
    icc_inks_close(inks);
    return short_of_memory ? fail(STATUS_DEVICE, "no memory to convert colours") : STATUS_OK;
}

void icc_inks_convert(const IccInks *inks, const void *from, void *to, size_t pixels) {
    cmsDoTransform(inks->transform, from, to, (cmsUInt32Number)pixels);
}

void icc_inks_close(IccInks **inks) {
    IccInks *old = *inks;
    *inks = NULL;
    if (!old)
        return;
    if (old->transform)
        cmsDeleteTransform(old->transform);
    (void)colours_end(&old->colours);
    free(old);
}

Status icc_tone(const unsigned char *profile, size_t size, ToneCurve *tone) {
    Colours colours;
    *tone = (ToneCurve){0};
    if (!profile)
        return STATUS_OK;
    TRY(colours_begin(&colours));
    cmsHPROFILE opened = cmsOpenProfileFromMemTHR(colours.context, profile, (cmsUInt32Number)size);
    const bool found = find_tone(opened, tone);
    if (opened)
        cmsCloseProfile(opened);
    TRY(colours_end(&colours));
    return found ? STATUS_OK
                 : fail(STATUS_INPUT, "its ICC profile has no curve that leads to linear light, the same for all "
                                      "colours; convert the picture to sRGB first");
}

#else

bool icc_available(void) {
    return false;
}

Status icc_to_srgb(Image *first, const char *keeping) {
    (void)first, (void)keeping;
    return fail(STATUS_USAGE, "colours cannot be converted: glint was built without Little CMS (lcms2)");
}

Status icc_converts(const unsigned char *profile, size_t size, Shape shape, bool *converts) {
    (void)profile, (void)size, (void)shape;
    *converts = false;
    return STATUS_OK;
}

Status icc_from_linear(ImageView view, const unsigned char *profile, size_t size) {
    (void)view, (void)profile, (void)size;
    return fail(STATUS_INPUT, "colours cannot be converted: glint was built without Little CMS (lcms2)");
}

Status icc_linear_to_srgb(ImageView view, const unsigned char *profile, size_t size) {
    (void)view, (void)profile, (void)size;
    return STATUS_OK;
}

Status icc_inks_open(const unsigned char *profile, size_t size, PixelType type, bool reversed, IccInks **inks) {
    (void)profile, (void)size, (void)type, (void)reversed;
    *inks = NULL;
    return STATUS_OK;
}

void icc_inks_convert(const IccInks *inks, const void *from, void *to, size_t pixels) {
    (void)inks, (void)from, (void)to, (void)pixels;
}

void icc_inks_close(IccInks **inks) {
    *inks = NULL;
}

/* Without the library, all are taken for sRGB's. */
Status icc_tone(const unsigned char *profile, size_t size, ToneCurve *tone) {
    (void)profile, (void)size;
    *tone = (ToneCurve){0};
    return STATUS_OK;
}
#endif
